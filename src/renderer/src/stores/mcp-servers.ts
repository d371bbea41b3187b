import { create } from 'zustand'
import type {
  ApprovalDecision,
  QuestionValues,
  ToolApproval,
  ToolOffer,
} from '../../../shared/chat/tool-approvals.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'

export const useMcpServers = createListStore(() => call('mcp:list'))

/** Questions about tools that turns wait for, oldest first. */
export const useToolApprovals = create<{ open: readonly ToolApproval[] }>(() => ({ open: [] }))

export function noteToolApprovals(open: readonly ToolApproval[]): void {
  useToolApprovals.setState({ open })
}

/** Reads the questions that a window before this one left open. Never rejects. */
export async function loadToolApprovals(): Promise<void> {
  await call('mcp:approvals').then(noteToolApprovals, () => {})
}

/** Answers a question. @throws CallError */
export async function decideTool(
  id: string,
  decision: ApprovalDecision,
  /** Values of a server's question, and which of a call's grants is given. */
  more: { values?: QuestionValues; grant?: number } = {},
): Promise<void> {
  await call('mcp:decide', { id, decision, ...more })
}

/** What tools add to the requests of a conversation; null when that is not known. Never rejects. */
export async function readOffer(
  conversationId: string | null,
  routerId: string,
): Promise<ToolOffer | null> {
  return await call('mcp:offer', { conversationId, routerId }).catch(() => null)
}
