/** A request of the engine to a model, and the answer. */
import type { FinishReason } from '../../shared/chat/chat.ts'
import type { JudgedAnswer } from '../chat/learning/answer-signals.ts'
import type { CompiledAsk } from './compiled.ts'
import type { ExecutionLimits } from './execution-limits.ts'
import type { JsonOutput } from './json-output.ts'

/** One request to a model. */
export interface ModelQuestion {
  /** The step's id. In a called agent it starts with the calling step's id: `outer/inner`. */
  stepId: string
  system: string | null
  user: string
  ask: CompiledAsk['ask']
  json: JsonOutput | null
  /** The previous answer, which did not match the schema, and the reason. */
  refused: { answer: string; problem: string } | null
  /** The model whose answer failed its check, so that the step is repeated; null for a first request. */
  repeats: JudgedAnswer | null
  /** All limits that apply: the execution's own and those of each called agent. */
  limits: readonly ExecutionLimits[]
  /** Receives the text in pieces and resolves when a piece is consumed. Null requests only the whole text. */
  onText: ((text: string) => Promise<void>) | null
}

export interface ModelAnswer {
  text: string
  finishReason: FinishReason
  /** Why the model refused to answer; absent when it answered. */
  refusal?: string | undefined
  /** The model that answered; absent when no model did. */
  from?: JudgedAnswer | undefined
}
