/**
 * One execution of an agent. It sends each step's request to `completeChat` and sums up cost, usage and models from
 * the ledger rows of those requests. The execution's own row is written at its start and at its end.
 */
import type { Execution, StepTrace } from '../../shared/agents/agent.ts'
import { agentMetaOf } from '../../shared/agents/agent-meta.ts'
import {
  contentText,
  type ChatDelta,
  type ChatUsage,
  type FinishReason,
} from '../../shared/chat/chat.ts'
import type { RequestRecord, Router } from '../../shared/entities.ts'
import {
  ClientClosed,
  type ChatCall,
  type ChatPart,
  type ExecutionStep,
  type FinishedChat,
} from '../chat/chat-call.ts'
import { failureOutcome } from '../chat/chat-run.ts'
import { ServiceError } from '../errors.ts'
import type {
  AgentCall,
  ExecutionDependencies,
  ExecutionFigures,
  ExecutionPart,
  FinishedExecution,
} from './agent-call.ts'
import type { callerInput } from './caller-input.ts'
import type { CompiledAgent } from './compiled.ts'
import { Engine } from './engine.ts'
import { ExecutionLimits } from './execution-limits.ts'
import type { ModelAnswer, ModelQuestion } from './model-question.ts'
import { questionBody } from './question-body.ts'
import { StepFailed } from './step-failure.ts'
import { TextChannel } from './text-channel.ts'
import { wait } from './wait.ts'

export interface StartedExecution {
  call: AgentCall
  agent: CompiledAgent
  input: ReturnType<typeof callerInput>
  /** The row stored at the start. It is updated during the run. */
  row: Execution
  /** Monotonic ms. */
  startedAt: number
}

/** Entries of the stored trace. A longer one would make the row too large. */
const maxTraceEntries = 1_000

/** Call either `complete` or `stream`, once. */
export class ExecutionRun {
  readonly #started: StartedExecution
  readonly #dependencies: ExecutionDependencies
  readonly #rows: RequestRecord[] = []
  readonly #models = new Set<string>()
  #stepsRun = 0
  #usage: ChatUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

  constructor(started: StartedExecution, dependencies: ExecutionDependencies) {
    this.#started = started
    this.#dependencies = dependencies
  }

  async complete(signal: AbortSignal): Promise<FinishedExecution> {
    const { text, finishReason, refusal = null } = await this.#run(signal, null)
    const content = refusal !== null && text === '' ? null : text
    const message = { role: 'assistant' as const, content, refusal }
    const choice = { index: 0, message, finish_reason: finishReason, logprobs: null }
    return { choices: [choice], ...this.#figures() }
  }

  async *stream(signal: AbortSignal): AsyncGenerator<ExecutionPart> {
    const channel = new TextChannel()
    const reader = new AbortController()
    const until = AbortSignal.any([signal, reader.signal])
    const running = this.#run(until, (text) => channel.send(text)).finally(() => channel.close())
    // Handled where it is awaited.
    running.catch(() => {})
    const { model } = this.#figures()
    const part = (delta: ChatDelta): ExecutionPart => ({
      kind: 'delta',
      model,
      choices: [{ index: 0, delta, finish_reason: null }],
    })
    let hasText = false
    try {
      for await (const text of channel.read()) {
        hasText = true
        yield part({ content: text })
      }
      const { text, finishReason, refusal } = await running
      if (!hasText && text !== '') yield part({ content: text })
      if (refusal !== undefined) yield part({ refusal })
      yield { kind: 'end', finishReasons: new Map([[0, finishReason]]), ...this.#figures() }
    } finally {
      // A consumer that stops reading counts as a client that left.
      reader.abort(new ClientClosed())
      await Promise.allSettled([running])
    }
  }

  async #run(signal: AbortSignal, onText: ModelQuestion['onText']): Promise<ModelAnswer> {
    const { agent, input, row } = this.#started
    const { clock, library, slices } = this.#dependencies
    const limits = new ExecutionLimits(agent.definition, clock)
    const engine = new Engine({
      ask: (question, inner) => this.#ask(question, inner),
      agentOf: (slug) => library.find(slug)?.agent ?? null,
      onStep: (trace) => this.#note(trace),
      wait,
      slices,
      clock,
    })
    try {
      const answer = await engine.run({
        agent,
        limits: [limits],
        input,
        onText,
        signal: AbortSignal.any([signal, limits.signal]),
      })
      this.#end({ state: 'done', status: 200 })
      return answer
    } catch (error) {
      const failure: unknown = signal.aborted ? signal.reason : withSpent(error, limits)
      const { status, code } = failureOutcome(failure)
      row.failedStep = failure instanceof StepFailed ? failure.param : null
      this.#end({ state: 'failed', status, errorCode: code })
      throw failure
    } finally {
      limits.end()
    }
  }

  #note(trace: StepTrace): void {
    const { row, call } = this.#started
    if (trace.outcome !== 'skipped') this.#stepsRun += 1
    if (row.trace.length < maxTraceEntries) row.trace.push(trace)
    call.watch?.onStep(trace)
  }

  async #ask(question: ModelQuestion, signal: AbortSignal): Promise<ModelAnswer> {
    const rows: RequestRecord[] = []
    let text: string | null = null
    let from: ModelAnswer['from']
    try {
      const call = this.#callFor(question, (row, { decision }) => {
        rows.push(row)
        from =
          row.modelUsed === null ? undefined : { modelId: row.modelUsed, reading: decision.reading }
      })
      this.#started.call.watch?.onAsk?.(call.requestId, question)
      const admitted = await this.#dependencies.completeChat.admit(call)
      const answer = question.onText
        ? await readStream(admitted.stream(signal), question.onText)
        : readWhole(await admitted.complete(signal))
      text = answer.refusal ?? answer.text
      return { ...answer, from }
    } finally {
      for (const row of rows) this.#started.call.watch?.onAnswer({ question, text, row })
    }
  }

  #callFor(question: ModelQuestion, onRow: ExecutionStep['onRecord']): ChatCall {
    const { call, row: execution } = this.#started
    const router = this.#routerOf(question)
    const step: ExecutionStep = {
      executionId: execution.id,
      stepId: question.stepId,
      isCounted: router.id === call.router.id,
      allowances: question.limits.map(({ allowance }) => allowance),
      ...(question.repeats && { repeats: question.repeats }),
      onRecord: (row, detail) => {
        for (const { allowance } of question.limits) allowance.spentNanoUsd += row.costNanoUsd
        this.#add(row)
        onRow(row, detail)
      },
    }
    return {
      requestId: this.#dependencies.newId(),
      router,
      body: questionBody(question, this.#dependencies.modelsOf(router)),
      apiKeyId: call.apiKeyId,
      source: call.source,
      acceptAnyModel: false,
      client: call.client,
      tag: call.tag,
      hops: call.hops,
      traceparent: call.traceparent,
      step,
      cacheUse: 'none',
    }
  }

  /** @throws ServiceError router_not_found, router_access_denied */
  #routerOf({ ask }: ModelQuestion): Router {
    const { call } = this.#started
    if (ask.router === undefined || ask.router === call.router.id) return call.router
    const { routers, apiKeys } = this.#dependencies.configuration()
    const router = routers.get(ask.router)
    if (!router) throw new ServiceError('router_not_found', `There is no router "${ask.router}".`)
    const key = call.apiKeyId === null ? null : apiKeys.get(call.apiKeyId)
    // Without a key, the request comes from the owner of this computer.
    const may = key === null || key?.routers === 'all' || key?.routers.includes(router.id) === true
    if (may) return router
    throw new ServiceError(
      'router_access_denied',
      `This API key has no access to the router "${router.id}".`,
    )
  }

  #add(row: RequestRecord): void {
    this.#rows.push(row)
    if (row.modelUsed !== null) this.#models.add(row.modelUsed)
    const prompt = row.reportedPromptTokens ?? row.estimatedPromptTokens ?? 0
    const completion = row.reportedCompletionTokens ?? row.estimatedCompletionTokens ?? 0
    const { prompt_tokens, completion_tokens, total_tokens } = this.#usage
    this.#usage = {
      prompt_tokens: prompt_tokens + prompt,
      completion_tokens: completion_tokens + completion,
      total_tokens: total_tokens + prompt + completion,
    }
  }

  #end(outcome: Pick<Execution, 'state' | 'status'> & { errorCode?: string | null }): void {
    const { row, startedAt } = this.#started
    const { executions, clock, onBug } = this.#dependencies
    Object.assign(row, outcome, {
      latencyMs: Math.round((clock() - startedAt) * 100) / 100,
      steps: this.#stepsRun,
      costNanoUsd: this.#rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0),
      carbonGrams: this.#rows.reduce((sum, { carbonGrams }) => sum + carbonGrams, 0),
      models: [...this.#models],
    })
    executions.end(row).catch(onBug)
  }

  #figures(): ExecutionFigures {
    const { row } = this.#started
    return {
      model: `agent:${row.agent}`,
      usage: this.#usage,
      meta: agentMetaOf(row),
      explain: () => ({
        agent: row.agent,
        version: row.agentVersion,
        steps: row.trace,
        requests: this.#rows.map(({ id, stepId, modelUsed, status, latencyMs, costNanoUsd }) => ({
          id,
          stepId: stepId ?? '',
          modelUsed,
          status,
          latencyMs,
          cost: costNanoUsd / 1e9,
        })),
      }),
    }
  }
}

function readWhole({ choices: [choice] }: FinishedChat): ModelAnswer {
  return {
    text: contentText(choice?.message.content),
    finishReason: choice?.finish_reason ?? 'stop',
    refusal: choice?.message.refusal || undefined,
  }
}

async function readStream(
  parts: AsyncIterable<ChatPart>,
  onText: NonNullable<ModelQuestion['onText']>,
): Promise<ModelAnswer> {
  let text = ''
  let refusal = ''
  let finishReason: FinishReason = 'stop'
  for await (const part of parts) {
    if (part.kind === 'end') {
      finishReason = part.finishReasons.get(0) ?? 'stop'
      continue
    }
    const piece = part.choices.map(({ delta }) => contentText(delta.content)).join('')
    text += piece
    refusal += part.choices.map(({ delta }) => delta.refusal ?? '').join('')
    if (piece !== '') await onText(piece)
  }
  return { text, finishReason, refusal: refusal || undefined }
}

/** Adds the amount spent so far to an error about a budget. */
function withSpent(error: unknown, limits: ExecutionLimits): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'budget_exceeded') return error
  const { code, message, param, headers, cause } = error
  return new StepFailed(code, `${message} ${limits.spent()}`, {
    headers: { ...headers },
    cause,
    ...(param ? { param } : {}),
  })
}
