/** What the engine asks of a model, and what it is given. */
import type { FinishReason } from '../../shared/chat.ts'
import type { CompiledAsk } from './compiled.ts'
import type { ExecutionLimits } from './execution-limits.ts'
import type { JsonOutput } from './json-output.ts'

/** One request to a model, ready to be sent. */
export interface ModelQuestion {
  /** The step's id; inside of an agent that was called, after that step's: `outer/inner`. */
  stepId: string
  system: string | null
  user: string
  ask: CompiledAsk['ask']
  json: JsonOutput | null
  /** An answer before this one that did not fit the schema, and why. */
  refused: { answer: string; problem: string } | null
  /** All the limits it falls under: the execution's own, and those of each agent called on the way. */
  limits: readonly ExecutionLimits[]
  /** Gets the text as it comes, and resolves when it was taken; null: only the whole text is wanted. */
  onText: ((text: string) => Promise<void>) | null
}

export interface ModelAnswer {
  text: string
  finishReason: FinishReason
}
