/**
 * Runs the graph of an agent: what needs nothing of each other at once, each step within its limits. It
 * knows no model, no money and no storage: it asks through a function it is given.
 * Ends for every graph: graphs hold each other but never themselves, a map has a greatest number of items
 * and a loop of passes, calls of agents a depth, and each request to a model is counted before it is made.
 */
import type { StepTrace } from '../../shared/agent.ts'
import type { FinishReason } from '../../shared/chat.ts'
import { StreamBroken } from '../chat/attempts/attempts.ts'
import { ServiceError } from '../errors.ts'
import { deepestCalls } from './check-calls.ts'
import type { CompiledAgent, CompiledAsk, CompiledStep, Graph, Work } from './compiled.ts'
import { tooLong, unanswered, unfit } from './engine-errors.ts'
import { ExecutionLimits } from './execution-limits.ts'
import type { JsonOutput } from './json-output.ts'
import type { ModelAnswer, ModelQuestion } from './model-question.ts'
import { runAll, TaskGroup } from './run-all.ts'
import { stepFailure } from './step-failure.ts'
import type { Scope, StepOutput, Template } from './templates.ts'
import type { TimeSlices } from './time-slices.ts'

export interface EngineOptions {
  /** @throws ServiceError, StreamBroken; the signal's reason, soon after it was aborted */
  ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>
  /** Null where there is none. */
  agentOf(slug: string): CompiledAgent | null
  onStep(trace: StepTrace): void
  /** Resolves after so many ms. @throws the signal's reason */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** Shared by all executions of the process. */
  slices: Pick<TimeSlices, 'pause'>
  /** Monotonic milliseconds. */
  clock(): number
}

export interface AgentRun {
  agent: CompiledAgent
  limits: readonly ExecutionLimits[]
  input: Pick<Scope, 'input' | 'messages'>
  /** Of the last step's text, where it can be told as it comes. */
  onText: ModelQuestion['onText']
  signal: AbortSignal
}

interface Result extends StepOutput {
  finishReason: FinishReason
}

/** Where a step stands: what it sees, and whether its text is the answer. */
interface Frame {
  scope: Scope
  limits: readonly ExecutionLimits[]
  signal: AbortSignal
  /** Null where its text is not the answer as it is. */
  tail: Tail | null
  /** Of the agents called on the way; the ids of their steps begin with it. */
  prefix: string
  depth: number
  /** The fields that say how often this place is repeated, such as `outer.max_iterations`. */
  repeatedBy: readonly string[]
}

interface Tail {
  onText(text: string): Promise<void>
  hasBegun: boolean
}

const retryMs = 250

export class Engine {
  readonly #options: EngineOptions
  readonly #startedAt: number

  constructor(options: EngineOptions) {
    this.#options = options
    this.#startedAt = options.clock()
  }

  /**
   * @returns the last step's output
   * @throws ServiceError of the step that failed, with its id in `param`; the signal's reason. Nothing
   *   runs any more by then.
   */
  async run({ agent, limits, input, onText, signal }: AgentRun): Promise<ModelAnswer> {
    const { output, finishReason } = await this.#graph(agent.graph, {
      scope: { ...input, steps: {} },
      limits,
      signal,
      tail: onText && { onText, hasBegun: false },
      prefix: '',
      depth: 1,
      repeatedBy: [],
    }).then(({ last }) => last)
    return { text: output, finishReason }
  }

  /** @returns what the last step gave, and what all did */
  async #graph(
    { steps }: Graph,
    frame: Frame,
  ): Promise<{ last: Result; outputs: Record<string, StepOutput> }> {
    const outputs: Record<string, StepOutput> = { ...frame.scope.steps }
    const scope = { ...frame.scope, steps: outputs }
    const group = new TaskGroup(frame.signal)
    const started = new Map<string, Promise<Result>>()
    const last = steps.at(-1)
    const start = (step: CompiledStep): Promise<Result> => {
      const known = started.get(step.id)
      if (known) return known
      const before = steps.filter(({ id }) => step.needs.includes(id)).map(start)
      const running = group.add(async (signal) => {
        await Promise.all(before)
        const tail = step === last ? frame.tail : null
        const result = await this.#step(step, { ...frame, scope, signal, tail })
        outputs[step.id] = result
        return result
      })
      started.set(step.id, running)
      // What fails is told by the group, once all have ended.
      running.catch(() => {})
      return running
    }
    for (const step of steps) void start(step)
    await group.end()
    return { last: (last && (await started.get(last.id))) ?? nothing, outputs }
  }

  async #step(step: CompiledStep, frame: Frame): Promise<Result> {
    const startedAt = this.#options.clock()
    const stepId = frame.prefix + step.id
    const trace = (outcome: StepTrace['outcome']) =>
      this.#options.onStep({
        stepId,
        type: step.type,
        outcome,
        startedMs: rounded(startedAt - this.#startedAt),
        tookMs: rounded(this.#options.clock() - startedAt),
      })
    try {
      await this.#begin(frame)
      if (step.skipIf?.holds(frame.scope) === true) {
        trace('skipped')
        return nothing
      }
      const result = await this.#within(step, frame)
      trace('done')
      return result
    } catch (error) {
      const isCut = frame.signal.aborted
      const failure = stepFailure(stepId, isCut ? frame.signal.reason : error)
      if (!isCut && step.fallback && mayFallBack(failure, frame)) {
        trace('fallback')
        return { ...step.fallback, finishReason: 'stop' }
      }
      trace(isCut ? 'cancelled' : 'failed')
      throw failure
    }
  }

  /** @throws the signal's reason; ServiceError budget_exceeded after too many steps */
  async #begin({ signal, limits, repeatedBy }: Frame): Promise<void> {
    const pause = this.#options.slices.pause()
    if (pause) await pause
    signal.throwIfAborted()
    for (const limit of limits) limit.countStep(repeatedBy)
  }

  /** Within its time, as often as it may be tried. */
  async #within(step: CompiledStep, frame: Frame): Promise<Result> {
    if (step.timeLimitMs === null) return await this.#tries(step, frame)
    const controller = new AbortController()
    const limit = setTimeout(() => controller.abort(tooLong(step)), step.timeLimitMs)
    try {
      const signal = AbortSignal.any([frame.signal, controller.signal])
      return await this.#tries(step, { ...frame, signal })
    } finally {
      clearTimeout(limit)
    }
  }

  async #tries(step: CompiledStep, frame: Frame): Promise<Result> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#work(step.id, step.work, frame)
      } catch (error) {
        frame.signal.throwIfAborted()
        if (attempt >= step.retries || !mayRetry(error, frame)) throw error
        await this.#options.wait(retryMs * 2 ** attempt, frame.signal)
      }
    }
  }

  async #work(id: string, work: Work, frame: Frame): Promise<Result> {
    switch (work.type) {
      case 'prompt':
        return await this.#prompt(id, work, frame)
      case 'text':
        return writeText(work.text, frame)
      case 'judge':
        return await this.#judge(id, work, frame)
      case 'agent':
        return await this.#call(id, work, frame)
      case 'branch': {
        const taken = work.cases.find(({ when }) => when.holds(frame.scope))
        const graph = taken?.graph ?? work.otherwise
        return graph ? (await this.#graph(graph, frame)).last : nothing
      }
      case 'map':
        return await this.#map(id, work, frame)
      case 'loop':
        return await this.#loop(id, work, frame)
    }
  }

  async #prompt(
    id: string,
    { ask, json }: { ask: CompiledAsk; json: JsonOutput | null },
    frame: Frame,
  ): Promise<Result> {
    if (json) return await this.#json(id, { ask, json }, frame)
    const { text, finishReason } = await this.#ask(id, { ask, json, refused: null }, frame)
    return { output: text, json: null, finishReason }
  }

  /** JSON is read whole before it is given, and may be put right once. */
  async #json(
    id: string,
    { ask, json }: { ask: CompiledAsk; json: JsonOutput },
    frame: Frame,
  ): Promise<Result> {
    const whole = { ...frame, tail: null }
    let refused: ModelQuestion['refused'] = null
    for (let isRepair = false; ; isRepair = true) {
      const { text, finishReason } = await this.#ask(id, { ask, json, refused }, whole)
      const read = json.read(text)
      if (read.ok) return { output: text, json: read.value, finishReason }
      if (isRepair) {
        const message = `no answer fits its JSON schema, also after it was sent back: ${read.problem}`
        throw unanswered(message)
      }
      refused = { answer: text, problem: read.problem }
    }
  }

  async #judge(
    id: string,
    { candidates: count, candidate, judge, pick }: Extract<Work, { type: 'judge' }>,
    frame: Frame,
  ): Promise<Result> {
    const whole = { ...frame, tail: null }
    const places = Array.from({ length: count }, (_, index) => index)
    const limits = { limit: count, signal: frame.signal }
    const answers = await runAll(places, limits, (_place, _index, signal) =>
      this.#prompt(id, { ask: candidate, json: null }, { ...whole, signal }),
    )
    const candidates = answers.map(({ output }) => output)
    const judging = { ...frame, scope: { ...frame.scope, candidates } }
    const verdict = await this.#prompt(id, { ask: judge, json: pick }, judging)
    if (!pick) return verdict
    const best = bestOf(verdict.json)
    const chosen = answers[best - 1]
    if (!chosen) throw unanswered(`the judge chose candidate ${best} of ${count}`)
    return chosen
  }

  async #call(
    id: string,
    { agent: slug, input }: Extract<Work, { type: 'agent' }>,
    frame: Frame,
  ): Promise<Result> {
    const agent = this.#options.agentOf(slug)
    if (!agent) throw new ServiceError('agent_not_found', `There is no agent "${slug}".`)
    if (frame.depth >= deepestCalls) {
      throw new ServiceError(
        'invalid_parameter',
        `Agents call agents ${deepestCalls} deep at most.`,
      )
    }
    const text = input.render(frame.scope)
    const own = new ExecutionLimits(agent.definition, this.#options.clock)
    try {
      const { last } = await this.#graph(agent.graph, {
        scope: { input: text, messages: [{ role: 'user', content: text }], steps: {} },
        limits: [...frame.limits, own],
        signal: AbortSignal.any([frame.signal, own.signal]),
        tail: frame.tail,
        prefix: `${frame.prefix}${id}/`,
        depth: frame.depth + 1,
        repeatedBy: frame.repeatedBy,
      })
      return { ...last, json: null }
    } finally {
      own.end()
    }
  }

  async #map(id: string, work: Extract<Work, { type: 'map' }>, frame: Frame): Promise<Result> {
    const items = work.over.value(frame.scope)
    if (!isList(items)) throw unfit('"over" does not give a list')
    if (items.length > work.maxItems) {
      throw unfit(`the list has ${items.length} items, and may have ${work.maxItems}`)
    }
    const limits = { limit: work.concurrency, signal: frame.signal }
    const inner = repeated(frame, `${id}.max_items`)
    const results = await runAll(items, limits, async (item, index, signal) => {
      const scope = { ...frame.scope, item, index }
      return (await this.#graph(work.graph, { ...inner, scope, signal })).last
    })
    return {
      output: results.map(({ output }) => output).join('\n\n'),
      json: results.map(({ output, json }) => json ?? output),
      finishReason: 'stop',
    }
  }

  async #loop(id: string, work: Extract<Work, { type: 'loop' }>, frame: Frame): Promise<Result> {
    const inner = repeated(frame, `${id}.max_iterations`)
    let last = nothing
    for (let iteration = 1; iteration <= work.maxIterations; iteration += 1) {
      const scope = { ...frame.scope, iteration, previous: last.output }
      const pass = await this.#graph(work.graph, { ...inner, scope })
      last = pass.last
      if (work.until?.holds({ ...scope, steps: pass.outputs }) === true) return last
    }
    return last
  }

  async #ask(
    id: string,
    { ask, json, refused }: { ask: CompiledAsk } & Pick<ModelQuestion, 'json' | 'refused'>,
    { scope, limits, signal, tail, prefix }: Frame,
  ): Promise<ModelAnswer> {
    signal.throwIfAborted()
    const system = ask.system?.render(scope) ?? null
    const user = ask.user.render(scope)
    for (const limit of limits) limit.refuseOneMore()
    for (const limit of limits) limit.countOne()
    const onText = tail && {
      onText: async (text: string) => {
        tail.hasBegun = true
        await tail.onText(text)
      },
    }
    return await this.#options.ask(
      {
        stepId: prefix + id,
        system,
        user,
        ask: ask.ask,
        json,
        refused,
        limits,
        onText: onText?.onText ?? null,
      },
      signal,
    )
  }
}

const nothing: Result = { output: '', json: null, finishReason: 'stop' }

function writeText(template: Template, { scope, limits }: Frame): Result {
  const output = template.render(scope)
  for (const limit of limits) limit.countText(output.length)
  return { ...nothing, output }
}

/** The place inside a map or loop. @param by  the field that says how often */
function repeated(frame: Frame, by: string): Frame {
  return { ...frame, tail: null, repeatedBy: [...frame.repeatedBy, frame.prefix + by] }
}

/** What was told in part cannot be told otherwise; a budget that is spent stays so. */
function mayFallBack(error: unknown, { tail }: Frame): boolean {
  if (tail?.hasBegun === true) return false
  return error instanceof ServiceError && error.code !== 'budget_exceeded'
}

/** A request that was refused would be again. */
function mayRetry(error: unknown, { tail }: Frame): boolean {
  if (tail?.hasBegun === true) return false
  const failure = error instanceof StreamBroken ? error.error : error
  if (!(failure instanceof ServiceError)) return false
  return failure.status >= 500 || failure.code === 'rate_limit_exceeded'
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}

/** Of an answer that fits `pickOf`'s schema. */
function bestOf(verdict: unknown): number {
  return typeof verdict === 'object' && verdict !== null && 'best' in verdict
    ? Number(verdict.best)
    : 0
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
