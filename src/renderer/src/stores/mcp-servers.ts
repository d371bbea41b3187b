import { create } from 'zustand'
import type { ToolApproval } from '../../../shared/chat/tool-approvals.ts'
import { call } from './client.ts'
import { createListStore } from './list.ts'

export const useMcpServers = createListStore(() => call('mcp:list'))

/** Questions about tools that turns wait for, oldest first. */
const useToolApprovals = create<{ open: readonly ToolApproval[] }>(() => ({ open: [] }))

export function noteToolApprovals(open: readonly ToolApproval[]): void {
  useToolApprovals.setState({ open })
}

/** Reads the questions that a window before this one left open. Never rejects. */
export async function loadToolApprovals(): Promise<void> {
  await call('mcp:approvals').then(noteToolApprovals, () => {})
}
