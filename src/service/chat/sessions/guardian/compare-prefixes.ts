/** Finds where a request stopped beginning like the one before it. */
import type { CachePlace } from '../../../../shared/requests/cache-verdict.ts'
import { systemBlock, type Prefix } from './prefix.ts'

/** `expected`: a compaction, a cleared or rewound conversation, or thinking that was removed. */
export type Difference = CachePlace | 'expected' | null

/** @returns null when it begins like the one before */
export function differenceOf(before: Prefix, after: Prefix): Difference {
  const tools = toolsOf(before, after)
  if (tools !== null) return tools
  if (after.system.last !== before.system.last) {
    const block = after.system.differsFrom(before.system)
    return { part: 'system', at: block * systemBlock }
  }
  if (after.messages.length < before.messages.length) return 'expected'
  if (after.messagesBefore === before.messages.last) return null
  if (after.thoughts < before.thoughts) return 'expected'
  return { part: 'message', at: after.messages.differsFrom(before.messages) + 1 }
}

function toolsOf({ tools: before }: Prefix, { tools: after }: Prefix): CachePlace | null {
  if (after.chain === before.chain) return null
  if (after.sorted === before.sorted) return { part: 'tools', change: 'reordered' }
  if (after.count === before.count) return { part: 'tools', change: 'changed' }
  return { part: 'tools', change: after.count > before.count ? 'added' : 'removed' }
}
