/** Asks several upstreams in turn through the service's fall-over, and records what each of them gave. */
import type { ChatRequest } from '../../src/shared/chat/chat.ts'
import { defaultTimeLimits, type TimeLimits } from '../../src/shared/routers/time-limits.ts'
import { attemptStreamed, attemptWhole } from '../../src/service/chat/attempts/attempts.ts'
import type { ChatAttemptsOptions } from '../../src/service/chat/attempts/attempts-options.ts'
import { Deployments } from '../../src/service/chat/attempts/deployments.ts'
import type { ProviderChunk, ProviderError } from '../../src/service/providers/provider.ts'
import { candidate } from '../routing/sample-candidates.ts'
import type { StartedWire } from './read-answer.ts'

/** Time limits of the first upstream; the others have the defaults. */
export type FirstLimits = Partial<TimeLimits>

export interface AttemptsOutcome {
  chunks: ProviderChunk[]
  /** `p:0`, `p:1` and so on: those whose output the caller got. */
  models: Set<string>
  /** The failed attempts, in order. */
  failures: ProviderError[]
  /** Times at which they failed, as `performance.now()`. */
  failedAt: number[]
  /** Models as they are asked, `failed`, and `loop` at each new iteration of the event loop after a failure. */
  turns: string[]
  /** What the caller gets in place of an answer, or after its beginning. */
  error: unknown
}

/** Asks for a stream as `attemptStreamed` gives it to a caller. */
export async function askedStreamed(
  wires: readonly StartedWire[],
  limits?: FirstLimits,
): Promise<AttemptsOutcome> {
  const asked = noneYet()
  try {
    for await (const { candidate: one, chunk } of attemptStreamed(
      optionsFor(wires, asked, { limits, isStreamed: true }),
    )) {
      asked.models.add(one.modelId)
      asked.chunks.push(chunk)
    }
  } catch (error) {
    asked.error = error
  }
  return asked
}

/** Asks for a whole answer as `attemptWhole` gives it to a caller. */
export async function askedWhole(
  wires: readonly StartedWire[],
  limits?: FirstLimits,
): Promise<AttemptsOutcome> {
  const asked = noneYet()
  try {
    const { candidate: one, answer } = await attemptWhole(
      optionsFor(wires, asked, { limits, isStreamed: false }),
    )
    asked.models.add(one.modelId)
    const choices = answer.choices.map(({ index, message, finish_reason }) => ({
      index,
      delta: message,
      finish_reason,
    }))
    asked.chunks.push({ choices, usage: answer.usage })
  } catch (error) {
    asked.error = error
  }
  return asked
}

const body: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] }

function noneYet(): AttemptsOutcome {
  return { chunks: [], models: new Set(), failures: [], failedAt: [], turns: [], error: null }
}

function optionsFor(
  wires: readonly StartedWire[],
  asked: AttemptsOutcome,
  { limits, isStreamed }: { limits: FirstLimits | undefined; isStreamed: boolean },
): ChatAttemptsOptions {
  const wireOf = ({ modelId }: { modelId: string }) => {
    const wire = wires[Number(modelId.slice(2))]
    if (wire === undefined) throw new Error(`${modelId} is unknown`)
    return wire
  }
  const limitsOf = ({ modelId }: { modelId: string }) =>
    modelId === 'p:0' ? { ...defaultTimeLimits, ...limits } : defaultTimeLimits
  return {
    candidates: wires.map((_, index) => candidate({ modelId: `p:${index}` })),
    upstreams: {
      providerOf: (one) => wireOf(one).provider,
      outageOf: () => null,
      timeLimitsOf: limitsOf,
      requestFor: (one) => ({
        model: wireOf(one).model,
        body,
        connectMs: limitsOf(one).connectMs,
      }),
    },
    deployments: new Deployments(
      () => 0,
      () => 0,
    ),
    isStreamed,
    repeats: false,
    hedge: null,
    covers: () => true,
    clock: () => 0,
    signal: new AbortController().signal,
    listener: {
      attemptStarted: ({ modelId }) => void asked.turns.push(modelId),
      attemptFailed: (_candidate, error) => {
        asked.failures.push(error)
        asked.failedAt.push(performance.now())
        asked.turns.push('failed')
        setImmediate(() => asked.turns.push('loop'))
      },
      attemptSucceeded: () => {},
      raceWon: () => {},
      unexpectedError: (error) => {
        throw error
      },
    },
  }
}

/** All chunks as one. */
export function joined(chunks: readonly ProviderChunk[]): ProviderChunk {
  return {
    choices: chunks.flatMap(({ choices }) => choices),
    usage: chunks.findLast(({ usage }) => usage !== null)?.usage ?? null,
  }
}
