/** Questions about tools that a turn asks the user, and what tools add to it. */
import { z } from 'zod'
import type { ToolDefinition, ToolGrant, ToolMarks } from './tools.ts'

/** `within`: always, for one of the grants that the call offers. */
export const approvalDecisions = ['once', 'conversation', 'always', 'within', 'deny'] as const
export type ApprovalDecision = (typeof approvalDecisions)[number]

/** A question to the user that a turn waits for. */
export interface ToolApproval {
  id: string
  conversationId: string
  conversationTitle: string
  /** A call of a tool, whether the turn may go on after many steps, or what a server asks while its tool runs. */
  about:
    | ApprovedCall
    | { kind: 'steps'; steps: number; costUsd: number; minutes: number }
    | ServerQuestion
}

/** A server's question to the person. Its texts are those of the server. */
export interface ServerQuestion {
  kind: 'question'
  server: string
  message: string
  fields: readonly QuestionField[]
  /** A page of the web to open instead of fields; null without one. */
  url: string | null
}

/** A value that a server asks for. */
export interface QuestionField {
  name: string
  /** `array`: any number of the choices. */
  kind: 'string' | 'number' | 'integer' | 'boolean' | 'choice' | 'array'
  label: string
  hint: string
  format: 'email' | 'uri' | 'date' | 'date-time' | null
  isRequired: boolean
  choices: readonly { value: string; label: string }[]
  initial: string | number | boolean | readonly string[] | null
  /** Of a number, or of the characters of a text. */
  minimum: number | null
  maximum: number | null
}

export const questionValuesSchema = z.record(
  z.string().max(100),
  z.union([z.string().max(10_000), z.number(), z.boolean(), z.array(z.string().max(500)).max(100)]),
)
export type QuestionValues = z.output<typeof questionValuesSchema>

export interface ApprovedCall {
  kind: 'call'
  server: string
  tool: ToolDefinition
  /** JSON, in full. */
  arguments: string
  marks: ToolMarks
  /** Folders and hosts of the arguments, for which the tool can be allowed. */
  grants: readonly ToolGrant[]
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
