/** An answer in the inner form, as the writers of the endpoints' forms take it. */
import type {
  ChatUsage,
  ChunkChoice,
  CompletionChoice,
  FinishReason,
} from '../../shared/chat/chat.ts'

export interface WholeAnswer {
  /** `<provider>:<model_name>` */
  model: string
  choices: readonly CompletionChoice[]
  usage: ChatUsage
  /** The answer's own text in the endpoint's form, if the provider speaks it. */
  events?: readonly string[]
}

export interface AnswerDelta {
  model: string
  choices: readonly ChunkChoice[]
  events?: readonly string[]
}

export interface AnswerEnd {
  model: string
  usage: ChatUsage
  finishReasons: ReadonlyMap<number, FinishReason>
  meta: object
}
