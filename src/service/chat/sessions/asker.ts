/** What is known of the coding agent that sent a request. */
import type { IncomingHttpHeaders } from 'node:http'
import type { ChatRequest, WireFields } from '../../../shared/chat/chat.ts'
import type { RequestKind } from '../../../shared/requests/session-step.ts'

export interface Asker {
  /** Null for programs without rules of their own. */
  client: 'claude-code' | 'codex' | 'opencode' | null
  session: string | null
  /** Null for the session's main agent, and when the client does not name it. */
  agent: string | null
  parentAgent: string | null
  agentType: string | null
  /** The steps between two messages of the person; null when the client does not name it. */
  turn: string | null
  kind: RequestKind
}

export interface ArrivedRequest {
  headers: IncomingHttpHeaders
  body: ChatRequest
  /** The body in its own form; empty when it arrived in the inner one. */
  fields: WireFields
}

/** Whether the request is part of its agent's conversation, whose model and cache are remembered. */
export function isStep({ kind }: Asker): boolean {
  return kind === 'main' || kind === 'subagent' || kind === 'compaction'
}

/** The conversation's name by the client's own names; null where they do not say which agent asks. */
export function conversationOfAgent(asker: Asker): string | null {
  const { session, agent, kind } = asker
  const isNamed = session !== null && isStep(asker) && (kind !== 'subagent' || agent !== null)
  return isNamed ? `session\n${session}\n${agent ?? ''}` : null
}
