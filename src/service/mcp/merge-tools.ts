import type { ToolMarks } from '../../shared/chat/tools.ts'
import type { StoredTool } from '../storage/mcp-store.ts'
import type { SealedTool } from './tool-list.ts'

/** Until the user says otherwise, a tool may do everything: what its server claims is no reason to ask less. */
const allMarks: ToolMarks = { readsPrivate: true, readsForeign: true, sendsOut: true }

/** The tools of a new list, with what the user decided about those that were known. */
export function mergeTools(
  known: readonly StoredTool[],
  listed: readonly SealedTool[],
): StoredTool[] {
  const byName = new Map(known.map((tool) => [tool.definition.name, tool]))
  return listed.map(({ definition, seal }) => {
    const old = byName.get(definition.name)
    const { approvedSeal = null, permission = 'ask', marks = allMarks, grants = [] } = old ?? {}
    return { definition, seal, approvedSeal, permission, marks, grants }
  })
}
