/** One request to a model, for a tuning run. The service's own chat path sends it; tests use a fake. */
import type { ChatRequest } from '../../shared/chat/chat.ts'
import type { CalledTool } from '../chat/sessions/step-class.ts'
import type { Candidate } from '../routing/candidate.ts'

/** How a request ended. */
export type AskOutcome =
  | {
      kind: 'answered'
      text: string
      /** Whether the token limit cut the answer off. */
      isCut: boolean
      costNanoUsd: number
      latencyMs: number
      outputTokens: number
      /** Of tools; absent where nobody compares them. */
      calls?: readonly CalledTool[]
    }
  | {
      kind: 'failed'
      /** Null when the provider may have worked on the request and billed it. */
      costNanoUsd: number | null
      /** How long to wait before another try; null when another try would fail too. */
      retryAfterMs: number | null
      /** The router's own budget or a full disk ends the run; anything else is about the model. */
      reason: 'model' | 'router_budget' | 'storage'
      message: string
    }

export interface Question {
  candidate: Candidate
  /** Names no model and limits its answer. */
  body: ChatRequest
  isJudge: boolean
}

export type AskModel = (question: Question, signal: AbortSignal) => Promise<AskOutcome>
