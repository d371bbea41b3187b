/** Whether a tool may be called: deny before ask before allow. */
import type { ToolMarks, ToolPermission } from '../../shared/chat/tools.ts'

export interface PermissionCase {
  /** The user looked at the tool as it is now, and its server may start. */
  isApproved: boolean
  permission: ToolPermission
  marks: ToolMarks
  /** What the conversation has read so far. */
  hasRead: Pick<ToolMarks, 'readsPrivate' | 'readsForeign'>
  /** The user allowed it for this conversation. */
  isAllowedHere: boolean
  /** What the call is about lies in a folder or on a host that the user allowed for the tool. */
  isGranted: boolean
}

export type Verdict =
  | { kind: 'refuse' }
  | { kind: 'run'; allowedBy: 'conversation' | 'always' }
  /** `risk`: it could send out what was read, where foreign text may have asked for it. */
  | { kind: 'ask'; risk: 'private_and_foreign' | null }

export function verdictOf(given: PermissionCase): Verdict {
  const { isApproved, permission, marks, hasRead, isAllowedHere, isGranted } = given
  if (!isApproved || permission === 'deny') return { kind: 'refuse' }
  const isRisky = hasRead.readsPrivate && hasRead.readsForeign && marks.sendsOut
  if (isRisky) return { kind: 'ask', risk: 'private_and_foreign' }
  if (permission === 'allow' || isGranted) return { kind: 'run', allowedBy: 'always' }
  if (isAllowedHere) return { kind: 'run', allowedBy: 'conversation' }
  return { kind: 'ask', risk: null }
}
