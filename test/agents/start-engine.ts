/** An engine on an agent of given steps, and models that answer as the test says. */
import { setTimeout as delay } from 'node:timers/promises'
import type { CompiledAgent } from '../../src/service/agents/compiled.ts'
import { Engine } from '../../src/service/agents/engine.ts'
import { ExecutionLimits } from '../../src/service/agents/execution-limits.ts'
import type { ModelQuestion } from '../../src/service/agents/model-question.ts'
import { readDefinition } from '../../src/service/agents/read-definition.ts'
import { TimeSlices } from '../../src/service/agents/time-slices.ts'
import { ServiceError } from '../../src/service/errors.ts'
import type { StepTrace } from '../../src/shared/agent.ts'

/** What a model says to a question; it may throw. */
export type Answers = (question: ModelQuestion, signal: AbortSignal) => Promise<string> | string

/** @throws Error  with its faults, when this is no agent */
export function agentOf(written: object): CompiledAgent {
  const read = readDefinition(JSON.stringify({ name: 'a', ...written }))
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  return read.agent
}

interface Started {
  steps: object[]
  answer: Answers
  limits?: object
  others?: CompiledAgent[]
  signal?: AbortSignal
  onText?: ModelQuestion['onText']
  /** Monotonic ms. */
  clock?: () => number
}

/**
 * Runs an agent of these steps on the input "hello".
 * @returns its answer; what models were asked and which steps ended, as it happens
 */
export function start({ steps, answer, ...given }: Started) {
  const { limits = {}, others = [], signal, onText = null } = given
  const clock = given.clock ?? (() => performance.now())
  const agent = agentOf({ limits, steps })
  const asked: ModelQuestion[] = []
  const traces: StepTrace[] = []
  const engine = new Engine({
    async ask(question, inner) {
      asked.push(question)
      const text = await answer(question, inner)
      await question.onText?.(text)
      return { text, finishReason: 'stop' }
    },
    agentOf: (slug) => others.find(({ definition }) => definition.name === slug) ?? null,
    onStep: (trace) => traces.push(trace),
    wait: (_ms, inner) => delay(0, undefined, { signal: inner }),
    slices: new TimeSlices(clock),
    clock,
  })
  const own = new ExecutionLimits(agent.definition, clock)
  const finished = engine
    .run({
      agent,
      limits: [own],
      input: { input: 'hello', messages: [{ role: 'user', content: 'hello' }] },
      onText,
      signal: AbortSignal.any([own.signal, ...(signal ? [signal] : [])]),
    })
    .finally(() => own.end())
  return { finished, asked, traces }
}

/** A step that asks a model its own id, unless `more` says otherwise. */
export const prompt = (id: string, more: object = {}) => ({ id, type: 'prompt', user: id, ...more })

/** Says what it was asked, in angle brackets. */
export const echo: Answers = ({ user }) => `<${user}>`

/** What a step fails with that may be tried again. */
export const failing = new ServiceError('all_models_unavailable', 'None answered.')

/** As a provider does: it answers late, or is cut off. */
export const after =
  (ms: number, text = 'x'): Answers =>
  (_question, signal) =>
    delay(ms, text, { signal }).catch(() => {
      throw signal.reason
    })
