/** The types of a request to an agent: its call, its results, and the services an execution depends on. */
import type { Execution, StepTrace } from '../../shared/agents/agent.ts'
import type { AgentMeta, ChatCompletion, ChatUsage } from '../../shared/chat/chat.ts'
import type { Model, RequestRecord, Router } from '../../shared/entities.ts'
import type { AdmittedChat, ChatCall, ChatPart, CompleteChat } from '../chat/chat-call.ts'
import type { Limits } from '../chat/admission/limits.ts'
import type { ConfigurationIndex } from '../storage/live-configuration.ts'
import type { ExecutionStore } from '../storage/execution-store.ts'
import type { ServiceError } from '../errors.ts'
import type { AgentLibrary } from './library.ts'
import type { ModelQuestion } from './model-question.ts'
import type { TimeSlices } from './time-slices.ts'

/** The figures of an execution that has ended. */
export interface ExecutionFigures {
  /** `agent:<slug>` */
  model: string
  /** The sum over its steps. */
  usage: ChatUsage
  meta: AgentMeta
  /** What `x-modelport-explain` adds to `_meta`. */
  explain(): ExplainedExecution
}

/** The steps in the wire's form. */
export interface ExplainedExecution {
  agent: string
  version: number
  steps: readonly StepTrace[]
  /** Each has a row in the ledger under the same id. */
  requests: readonly StepRequest[]
}

/** One request to a model; `cost` in US dollars. */
export type StepRequest = Pick<RequestRecord, 'id' | 'modelUsed' | 'status' | 'latencyMs'> & {
  stepId: string
  cost: number
}

export type ExecutionPart =
  | Extract<ChatPart, { kind: 'delta' }>
  | (Pick<Extract<ChatPart, { kind: 'end' }>, 'kind' | 'finishReasons'> & ExecutionFigures)

export interface FinishedExecution extends ExecutionFigures {
  choices: ChatCompletion['choices']
}

/** Call `stream` or `complete`, once. The signal aborts when the caller leaves. */
export interface AdmittedExecution extends Pick<AdmittedChat, 'quota'> {
  cache: null
  stream(signal: AbortSignal): AsyncIterable<ExecutionPart>
  complete(signal: AbortSignal): Promise<FinishedExecution>
}

/** One answer of a model, for a watcher of the execution. */
export interface WatchedAnswer {
  question: Pick<ModelQuestion, 'stepId' | 'system' | 'user'>
  /** The model's refusal if it refused; null when the request failed. */
  text: string | null
  row: RequestRecord
}

/** Callbacks for a test run or the command line, called during the run. */
export interface ExecutionWatch {
  /** Called before a request to a model is sent. @param id  the id of its ledger row */
  onAsk?(id: string, question: WatchedAnswer['question']): void
  onStep(trace: StepTrace): void
  onAnswer(answer: WatchedAnswer): void
}

export interface AgentCall extends ChatCall {
  watch?: ExecutionWatch | undefined
}

/** `completeChat` for any value of `model`: `auto`, a model, or an agent. */
export interface AnswerChat {
  /**
   * @throws ServiceError as `completeChat` does; agent_not_found; invalid_parameter for a field that agents do not
   *   support
   */
  admit(call: AgentCall): Promise<AdmittedChat | AdmittedExecution>
}

export interface ExecutionDependencies {
  completeChat: CompleteChat
  library: AgentLibrary
  /** Why the router's executions are refused now; null when they are served. */
  refusalOf(router: Router): ServiceError | null
  executions: Pick<ExecutionStore, 'end'> & {
    /** Resolves when the row is durable and this process holds its lease. */
    begin(execution: Execution): Promise<void>
  }
  configuration(): Pick<ConfigurationIndex, 'routers' | 'apiKeys'>
  modelsOf(router: Router): readonly Pick<Model, 'id' | 'capabilities'>[]
  limits: Pick<Limits, 'countFree'>
  slices: TimeSlices
  newId(): string
  onBug(error: unknown): void
  now(): number
  /** Monotonic milliseconds. */
  clock(): number
}
