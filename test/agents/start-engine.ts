/** An engine for tests: the test gives an agent's steps and the models' answers. */
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { CompiledAgent } from '../../src/service/agents/compiled.ts'
import { Engine } from '../../src/service/agents/engine.ts'
import { ExecutionLimits } from '../../src/service/agents/execution-limits.ts'
import type { ModelQuestion } from '../../src/service/agents/model-question.ts'
import { readDefinition } from '../../src/service/agents/read-definition.ts'
import { TimeSlices } from '../../src/service/agents/time-slices.ts'
import { ServiceError } from '../../src/service/errors.ts'
import type { StepTrace } from '../../src/shared/agents/agent.ts'

/** A model's answer to a question. It may throw. */
export type Answers = (question: ModelQuestion, signal: AbortSignal) => Promise<string> | string

/** @throws Error with the definition's errors */
export function agentOf(written: object): CompiledAgent {
  const read = readDefinition(JSON.stringify({ name: 'a', ...written }))
  if (!read.ok) throw new Error(JSON.stringify(read.issues))
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
 * @returns the answer, and two lists that grow during the run: questions to models and ended steps
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
    wait: (_ms, inner) => nextIteration(undefined, { signal: inner }),
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

/** A step whose prompt is its own id, unless `more` overrides it. */
export const prompt = (id: string, more: object = {}) => ({ id, type: 'prompt', user: id, ...more })

/** Repeats the question in angle brackets. */
export const echo: Answers = ({ user }) => `<${user}>`

/** A failure that allows a retry. */
export const failing = new ServiceError('all_models_unavailable', 'None answered.')

/** Waits for so many iterations of the event loop. @throws the signal's reason */
export async function pass(iterations: number, signal?: AbortSignal): Promise<void> {
  for (let passed = 0; passed < iterations; passed += 1) {
    await nextIteration()
    signal?.throwIfAborted()
  }
}
