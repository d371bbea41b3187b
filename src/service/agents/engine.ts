/**
 * Runs the graph of an agent. Steps that do not need each other run at the same time, each within its limits. The
 * engine knows nothing of models, money and storage: it sends requests through an injected function.
 * Every run ends: graphs are nested but never contain themselves, maps have a maximum of items, loops of passes and
 * agent calls of depth, and each step and each request to a model is counted before it starts.
 */
import type { StepTrace } from '../../shared/agents/agent.ts'
import { ServiceError } from '../errors.ts'
import { deepestCalls } from './check-calls.ts'
import type { CompiledAgent, CompiledAsk, CompiledStep, Graph, Work } from './compiled.ts'
import { tooLong, unanswered, unfit } from './engine-errors.ts'
import { modelRefused, unlessRefused, withoutRefusals } from './refusals.ts'
import { ExecutionLimits } from './execution-limits.ts'
import type { JsonOutput } from './json-output.ts'
import type { ModelAnswer, ModelQuestion } from './model-question.ts'
import { runAll, TaskGroup } from './run-all.ts'
import { mayFallBack, mayRetry, stepFailure } from './step-failure.ts'
import { onTextOf, type Tail } from './tail.ts'
import type { Scope, StepOutput, Template } from './templates.ts'
import type { TimeSlices } from './time-slices.ts'

export interface EngineOptions {
  /** @throws ServiceError, StreamBroken; the signal's reason soon after an abort */
  ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer>
  /** @returns null for an unknown agent */
  agentOf(slug: string): CompiledAgent | null
  onStep(trace: StepTrace): void
  /** Resolves after `ms` milliseconds. @throws the signal's reason */
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
  /** Receives the last step's text in pieces, if that step can stream. */
  onText: ModelQuestion['onText']
  signal: AbortSignal
}

type Result = StepOutput & Omit<ModelAnswer, 'text'>

/** The environment of a step: its variables, its limits, and whether its text is the answer. */
interface Frame {
  scope: Scope
  limits: readonly ExecutionLimits[]
  signal: AbortSignal
  /** Null unless the step's text is the agent's answer unchanged. */
  tail: Tail | null
  /** The ids of the calling steps, such as `outer/`. The ids of this agent's steps start with it. */
  prefix: string
  depth: number
  /** The fields that set how often this step repeats, such as `outer.max_iterations`. */
  repeatedBy: readonly string[]
  /** The previous answer of a loop around one prompt, which did not end the loop; null elsewhere. */
  repeats: ModelQuestion['repeats']
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
   * @throws ServiceError of the failed step, with its id in `param`; the signal's reason. All steps have ended by
   *   then.
   */
  async run({ agent, limits, input, onText, signal }: AgentRun): Promise<ModelAnswer> {
    const { output, finishReason, refusal } = await this.#graph(agent.graph, {
      scope: { ...input, steps: {} },
      limits,
      signal,
      tail: { onText, hasBegun: false },
      prefix: '',
      depth: 1,
      repeatedBy: [],
      repeats: null,
    }).then(({ last }) => last)
    return { text: output, finishReason, refusal }
  }

  /** @returns the result of the last step and the outputs of all steps */
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
      // The group throws a failure once all steps have ended.
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
      const result = await this.#withinTimeLimit(step, frame)
      const { refusal } = result
      if (refusal !== undefined && step.fallback && !hasBegun(frame)) throw modelRefused(refusal)
      trace('done')
      return result
    } catch (error) {
      const isCancelled = frame.signal.aborted
      const failure = stepFailure(stepId, isCancelled ? frame.signal.reason : error)
      if (!isCancelled && step.fallback && mayFallBack(failure, hasBegun(frame))) {
        trace('fallback')
        return { ...step.fallback, finishReason: 'stop' }
      }
      trace(isCancelled ? 'cancelled' : 'failed')
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

  /** Runs a step within its time limit, with its retries. */
  async #withinTimeLimit(step: CompiledStep, frame: Frame): Promise<Result> {
    if (step.timeLimitMs === null) return await this.#withRetries(step, frame)
    const controller = new AbortController()
    const limit = setTimeout(() => controller.abort(tooLong(step)), step.timeLimitMs)
    try {
      const signal = AbortSignal.any([frame.signal, controller.signal])
      return await this.#withRetries(step, { ...frame, signal })
    } finally {
      clearTimeout(limit)
    }
  }

  async #withRetries(step: CompiledStep, frame: Frame): Promise<Result> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#work(step.id, step.work, frame)
      } catch (error) {
        frame.signal.throwIfAborted()
        if (attempt >= step.retries || !mayRetry(error, hasBegun(frame))) throw error
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
    const { text, ...answer } = await this.#ask(id, { ask, json, refused: null }, frame)
    return { output: text, json: null, ...answer }
  }

  /** JSON is read whole, and the model gets one chance to repair it. */
  async #json(
    id: string,
    { ask, json }: { ask: CompiledAsk; json: JsonOutput },
    frame: Frame,
  ): Promise<Result> {
    const whole = { ...frame, tail: null }
    let refused: ModelQuestion['refused'] = null
    for (let isRepair = false; ; isRepair = true) {
      const { text, ...answer } = await this.#ask(id, { ask, json, refused }, whole)
      const read = json.read(text)
      if (read.ok) return { output: text, json: read.value, ...answer }
      if (isRepair) {
        const message = `no answer matches the JSON schema, even after one repair: ${read.problem}`
        throw unanswered(message)
      }
      refused = { answer: text, problem: read.problem }
      whole.repeats = answer.from ?? null
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
    const given = await runAll(places, limits, (_place, _index, signal) =>
      unlessRefused(this.#prompt(id, { ask: candidate, json: null }, { ...whole, signal })),
    )
    const answers = withoutRefusals(given)
    const candidates = answers.map(({ output }) => output)
    const judging = { ...frame, scope: { ...frame.scope, candidates } }
    const verdict = await this.#prompt(id, { ask: judge, json: pick }, judging)
    if (!pick) return verdict
    const best = bestOf(verdict.json)
    const chosen = answers[best - 1]
    if (!chosen) throw unanswered(`the judge chose candidate ${best} of ${answers.length}`)
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
        `Agents can call agents at most ${deepestCalls} levels deep.`,
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
        repeats: null,
      })
      return { ...last, json: null }
    } finally {
      own.end()
    }
  }

  async #map(id: string, work: Extract<Work, { type: 'map' }>, frame: Frame): Promise<Result> {
    const items = work.over.value(frame.scope)
    if (!isList(items)) throw unfit('"over" is not a list')
    if (items.length > work.maxItems) {
      throw unfit(`the list has ${items.length} items; max_items is ${work.maxItems}`)
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
      if (work.until !== null && isOnePrompt(work.graph)) inner.repeats = last.from ?? null
    }
    return last
  }

  /** @throws ServiceError also for a refusal of the model that is not the agent's answer */
  async #ask(
    id: string,
    { ask, json, refused }: { ask: CompiledAsk } & Pick<ModelQuestion, 'json' | 'refused'>,
    { scope, limits, signal, tail, prefix, repeats }: Frame,
  ): Promise<ModelAnswer> {
    signal.throwIfAborted()
    const system = ask.system?.render(scope) ?? null
    const user = ask.user.render(scope)
    for (const limit of limits) limit.refuseOneMore()
    for (const limit of limits) limit.countOne()
    const answer = await this.#options.ask(
      {
        stepId: prefix + id,
        system,
        user,
        ask: ask.ask,
        json,
        refused,
        repeats,
        limits,
        onText: onTextOf(tail),
      },
      signal,
    )
    // Only as the agent's own answer: other steps would go on with an empty text.
    if (answer.refusal !== undefined && !tail) throw modelRefused(answer.refusal)
    return answer
  }
}

const nothing: Result = { output: '', json: null, finishReason: 'stop' }

function writeText(template: Template, { scope, limits }: Frame): Result {
  const output = template.render(scope)
  for (const limit of limits) limit.countText(output.length)
  return { ...nothing, output }
}

/** The frame inside a map or loop. @param by  the field that sets how often it repeats */
function repeated(frame: Frame, by: string): Frame {
  const repeatedBy = [...frame.repeatedBy, frame.prefix + by]
  return { ...frame, tail: null, repeatedBy, repeats: null }
}

/** True for a graph of one prompt. With several models, a repeated pass cannot be attributed to one of them. */
function isOnePrompt({ steps: [step, ...others] }: Graph): boolean {
  return step?.work.type === 'prompt' && others.length === 0
}

function hasBegun({ tail }: Frame): boolean {
  return tail?.hasBegun === true
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}

/** Reads an answer that matches the schema of `pickOf`. */
function bestOf(verdict: unknown): number {
  return typeof verdict === 'object' && verdict !== null && 'best' in verdict
    ? Number(verdict.best)
    : 0
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
