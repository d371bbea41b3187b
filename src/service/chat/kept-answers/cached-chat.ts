/** The request path of a router with a response cache: an answer from memory, or a new one to store. */
import type { ProviderChunk } from '../../providers/provider.ts'
import type {
  AdmittedChat,
  AnswerFigures,
  ChatCall,
  ChatPart,
  ChatAddition,
  FinishedChat,
} from '../chat-call.ts'
import type { ChatDependencies } from '../chat-dependencies.ts'
import { answered, clientClosed, failureOutcome, type Outcome } from '../chat-run.ts'
import { wholeAnswer } from '../answer/collect.ts'
import { conversationIdentity, type ConversationMemory } from '../learning/conversation-memory.ts'
import { identify } from '../learning/identify.ts'
import { meterCall } from '../metering/meter-call.ts'
import { toDelta } from '../answer/whole-as-delta.ts'
import type { Recordings } from './recordings.ts'
import type { CachedAnswer, CacheQuestion, ResponseCache } from './response-cache.ts'
import { parseExact } from '../../exact-json.ts'

export interface CachedChatParts {
  cache: ResponseCache
  recordings: Recordings
  dependencies: Pick<ChatDependencies, 'limits' | 'conversationMemory' | 'record' | 'now' | 'clock'>
}

/** Answers from the cache; a model is asked only when it has no answer. */
export function responseCache(parts: CachedChatParts): ChatAddition {
  const { cache, dependencies } = parts
  return {
    appliesTo: (call) => questionOf(call) !== null,
    async admit(call, completeChat) {
      const question = questionOf(call)
      if (question === null) return await completeChat.admit(call)
      const key = cache.keyOf(question)
      const isRefreshed = call.cacheUse === 'refresh'
      const own = isRefreshed ? null : cache.find(key)
      const copy = own || isRefreshed ? null : cache.findCopy(key, question)
      const found = own ?? (copy && (await copy))
      if (found) return await admitCached(call, found, dependencies)
      const admitted = await completeChat.admit(call)
      return new CachingChat(admitted, { requestId: call.requestId, key, question }, parts)
    },
  }
}

/** @returns null when no stored answer may be used for the call, and its own must not be stored */
function questionOf(call: ChatCall): CacheQuestion | null {
  const { apiKeyId, router, body, requires = [], original, cacheUse } = call
  // The same text means something else after other stored answers, and its answer must be stored too.
  const isStateful = (original?.stateField ?? null) !== null
  if (cacheUse === 'none' || apiKeyId === null || isStateful) return null
  return { apiKeyId, router, body, requires, original }
}

/** A cached answer counts as a request and has a ledger row without cost. */
async function admitCached(
  call: ChatCall,
  answer: CachedAnswer,
  { limits, conversationMemory, record, now, clock }: CachedChatParts['dependencies'],
): Promise<AdmittedChat> {
  const { model, choices, usage, extras, events, decision } = answer
  const own = events && { events }
  const meter = meterCall(call, { decision, prompt: decision, startedAtMs: now(), clock })
  const figures = (): AnswerFigures => {
    meter.stop()
    const meta = { ...meter.meta(), modelUsed: model }
    const fields = { model, usage, ...(extras && { extras }), meta, fallback: null }
    return { ...fields, explain: () => meter.detail() }
  }
  const done = ({ status, code }: Outcome) => {
    const row = meter.record(status, code)
    const kept = { ...row, modelUsed: model, cachedFrom: answer.requestId }
    return record(kept, meter.detail(), call)
  }
  const state = await limits.countFree(call)
  call.onAdjusted?.(decision.adjusted)
  if (choices.some(callsTools)) rememberModel(call, model, conversationMemory)
  return {
    quota: state,
    cache: 'hit',
    async complete() {
      const finished = { choices, ...own, ...figures() }
      await done(answered)
      return finished
    },
    async *stream(signal) {
      // Stays when the consumer stops iterating, which means that the client disconnected.
      let outcome = clientClosed
      try {
        yield { kind: 'delta', model, choices: choices.map(toDelta), ...own }
        signal.throwIfAborted()
        outcome = answered
        const finishReasons = new Map(choices.map((each) => [each.index, each.finish_reason]))
        yield { kind: 'end', finishReasons, ...figures() }
      } catch (error) {
        outcome = failureOutcome(error)
        throw error
      } finally {
        meter.stop()
        await done(outcome)
      }
    },
  }
}

function callsTools({ message }: CachedAnswer['choices'][number]): boolean {
  return (message.tool_calls?.length ?? 0) > 0
}

/** Remembers the model for this conversation, because the tool's result must go to it. */
function rememberModel(call: ChatCall, modelId: string, memory: ConversationMemory): void {
  const identified = identify(call, false)
  if (identified === null) return
  const identity = conversationIdentity(identified)
  // No prompt was sent, so no provider has it in its cache.
  memory.answered(identity, { modelId, promptTokens: 0 })
}

interface KeepAs {
  requestId: string
  key: string
  question: CacheQuestion
}

/** Records a model's answer while it is sent, and stores it once it ended well. */
class CachingChat implements AdmittedChat {
  readonly quota: AdmittedChat['quota']
  readonly cache = 'miss'
  readonly #admitted: AdmittedChat
  readonly #as: KeepAs
  readonly #parts: CachedChatParts

  constructor(admitted: AdmittedChat, as: KeepAs, parts: CachedChatParts) {
    this.quota = admitted.quota
    this.#admitted = admitted
    this.#as = as
    this.#parts = parts
  }

  async complete(signal: AbortSignal): Promise<FinishedChat> {
    const finished = await this.#admitted.complete(signal)
    this.#keep(finished, finished)
    return finished
  }

  async *stream(signal: AbortSignal): AsyncGenerator<ChatPart> {
    const recording = this.#parts.recordings.start()
    try {
      for await (const part of this.#admitted.stream(signal)) {
        yield part
        if (part.kind === 'delta') recording.events(lineOf(part))
        else this.#keepStreamed(part, recording.finish())
      }
    } finally {
      recording.drop()
    }
  }

  /** @param lines  as `lineOf` wrote them; null when they exceeded the recording's bounds */
  #keepStreamed(figures: AnswerFigures, lines: Buffer | null): void {
    // Log probabilities of chunks cannot be joined in general.
    if (lines === null || this.#as.question.body.logprobs === true) return
    const parts = partsOf(lines)
    const choices = parts.flatMap((part) => part.choices)
    const events = parts.flatMap((part) => part.events ?? [])
    const whole = wholeAnswer({ choices, usage: null })
    this.#keep(figures, { choices: whole.choices, ...(events.length > 0 && { events }) })
  }

  #keep(
    { model, usage, extras, explain }: AnswerFigures,
    { choices, events }: Pick<CachedAnswer, 'choices' | 'events'>,
  ): void {
    const { requestId, key, question } = this.#as
    const { decision } = explain()
    const answer = { requestId, model, choices, usage, ...(extras && { extras }), decision }
    this.#parts.cache.keep(key, question, { ...answer, ...(events && { events }) })
  }
}

type RecordedPart = Pick<ProviderChunk, 'choices' | 'events'>

/** A part of a stream in a recording: its JSON on a line. */
function lineOf({ choices, events }: Extract<ChatPart, { kind: 'delta' }>): string {
  return `${JSON.stringify({ choices, events })}\n`
}

function partsOf(lines: Buffer): RecordedPart[] {
  const written = lines.toString().split('\n').slice(0, -1)
  return written.map((line) => parseExact(line) as RecordedPart)
}
