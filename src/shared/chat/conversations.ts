/** The conversations of the chat window: trees of messages, of which one path is shown. */
import { z } from 'zod'
import type { Fallback } from '../routers/fallback.ts'
import type { AgentMeta, RouterDecision } from './chat.ts'

/** What a request asks of every model beside the messages; a missing field is left to the model. */
export const parametersSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxTokens: z.int().min(1).max(1_000_000).optional(),
})
export type Parameters = z.output<typeof parametersSchema>

export interface Conversation {
  id: string
  title: string
  routerId: string | null
  /** The agent that answered last; null when the router chose a model. */
  agent: string | null
  /** Sent before the first message; empty for none. */
  systemPrompt: string
  parameters: Parameters
  /** Null unless it is pinned to the top of the list. */
  pinnedAtMs: number | null
  createdAtMs: number
  updatedAtMs: number
}

/** The answer's `_meta` as the chip shows it, with the request's id in the ledger. */
export interface AnswerMeta {
  requestId: string
  modelUsed: string
  costUsd: number
  latencyMs: number
  carbonGrams: number
  routerDecision: RouterDecision
  /** Null when the router's first choice answered. */
  fallback: Fallback | null
}

export interface ConversationMessage {
  id: string
  /** The message that it follows; null at the beginning. Messages with the same parent are its branches. */
  parentId: string | null
  role: 'user' | 'assistant'
  text: string
  createdAtMs: number
  /** Rows that are `streaming` at the start were cut off by a crash; they are shown as stopped. */
  state: 'complete' | 'streaming' | 'stopped' | 'failed'
  /** The service's error message when `state` is `failed`. */
  error: string | null
  /** The provider's own words about the failure; null when it gave none. */
  errorDetail: string | null
  /** True if another message in its place is used instead: models do not read this one, nor what follows it. */
  isSetAside: boolean
  /** The router that answered; null on questions. */
  routerId: string | null
  /** Present on answers that have ended. */
  meta: AnswerMeta | null
  /** The `_meta` of an agent's answer; `meta` is null then. */
  agentMeta: AgentMeta | null
}

/** A conversation that contains a searched text. */
export interface ConversationMatch {
  conversationId: string
  /** Its newest message with the text; null when only the title has it. */
  messageId: string | null
  /** The words around the first match in that message. */
  excerpt: string | null
}

export interface ConversationMatches {
  /** Most recently used first. */
  matches: ConversationMatch[]
  /** Messages of an older version are still being indexed, so some may be missing. */
  isIndexing: boolean
}
