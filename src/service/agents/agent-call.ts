/** What a request to an agent gives, and what an execution needs of the rest of the service. */
import type { Execution, StepTrace } from '../../shared/agent.ts'
import type { AgentMeta, ChatCompletion, ChatUsage } from '../../shared/chat.ts'
import type { Model, RequestRecord, Router } from '../../shared/entities.ts'
import type { AdmittedChat, ChatCall, ChatPart, CompleteChat } from '../chat/chat-call.ts'
import type { Limits } from '../chat/admission/limits.ts'
import type { ConfigurationIndex } from '../storage/live-configuration.ts'
import type { ExecutionStore } from '../storage/storage.ts'
import type { AgentLibrary } from './library.ts'
import type { ModelQuestion } from './model-question.ts'
import type { TimeSlices } from './time-slices.ts'

/** What is known of an execution only when it is over. */
export interface ExecutionFigures {
  /** `agent:<slug>` */
  model: string
  /** The sum over its steps. */
  usage: ChatUsage
  meta: AgentMeta
  /** What `x-modelport-explain` adds to `_meta`. */
  explain(): ExplainedExecution
}

/** The steps as the wire tells them. */
export interface ExplainedExecution {
  agent: string
  version: number
  steps: readonly StepTrace[]
  /** Each has its row in the ledger, under its id. */
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

/** One of the two is to be called, once; the signal is the caller's going away. */
export interface AdmittedExecution extends Pick<AdmittedChat, 'quota'> {
  cache: null
  stream(signal: AbortSignal): AsyncIterable<ExecutionPart>
  complete(signal: AbortSignal): Promise<FinishedExecution>
}

/** One answer of a model, as who watches an execution is told of it. */
export interface WatchedAnswer {
  question: Pick<ModelQuestion, 'stepId' | 'system' | 'user'>
  /** Null where there was none. */
  text: string | null
  row: RequestRecord
}

/** For who looks on while it runs: a test run, the command line. */
export interface ExecutionWatch {
  /** A request to a model is about to be sent. @param id  that of its row */
  onAsk?(id: string, question: WatchedAnswer['question']): void
  onStep(trace: StepTrace): void
  onAnswer(answer: WatchedAnswer): void
}

export interface AgentCall extends ChatCall {
  watch?: ExecutionWatch | undefined
}

/** `completeChat` for whatever `model` names: a router's choice, a model, or an agent. */
export interface AnswerChat {
  /**
   * @throws ServiceError as `completeChat` does; agent_not_found; invalid_parameter for what an agent
   *   cannot be asked
   */
  admit(call: AgentCall): Promise<AdmittedChat | AdmittedExecution>
}

export interface ExecutionDependencies {
  completeChat: CompleteChat
  library: AgentLibrary
  executions: Pick<ExecutionStore, 'end'> & {
    /** Durable, and under this process's lease, when it resolves. */
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
