/** Questions about tools that a turn asks the user, and what tools add to it. */
import type { ToolDefinition, ToolMarks } from './tools.ts'

export const approvalDecisions = ['once', 'conversation', 'always', 'deny'] as const
export type ApprovalDecision = (typeof approvalDecisions)[number]

/** A question to the user that a turn waits for. */
export interface ToolApproval {
  id: string
  conversationId: string
  conversationTitle: string
  /** A call of a tool, or whether the turn may go on after many steps. */
  about: ApprovedCall | { kind: 'steps'; steps: number; costUsd: number; minutes: number }
}

export interface ApprovedCall {
  kind: 'call'
  server: string
  tool: ToolDefinition
  /** JSON, in full. */
  arguments: string
  marks: ToolMarks
  /** Why a tool that is allowed asks all the same; null otherwise. It can then be allowed only once. */
  risk: 'private_and_foreign' | null
}

/** What the tools of a conversation add to each request. */
export interface ToolOffer {
  tools: number
  /** Estimated tokens of the definitions. */
  tokens: number
  /** US dollars a request at the model that would be asked; null when its price or the model is not known. */
  costUsd: number | null
  /** Whether models search for tools, because all of them would take too much of the context. */
  isOnDemand: boolean
}
