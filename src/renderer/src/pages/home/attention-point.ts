import type { Finding } from '../../../../shared/requests/finding.ts'
import type { UnexpectedCall } from '../../../../shared/requests/unexpected-call.ts'

/** What one click does: it opens a page, or acts at once. */
export type AttentionAction =
  | { kind: 'link'; label: string; to: string; search?: Record<string, string> }
  | { kind: 'retry-secrets'; label: string }
  | { kind: 'listen'; label: string; port: number }
  | { kind: 'resume'; label: string; routerId: string }
  | { kind: 'expected'; label: string; call: UnexpectedCall }
  | { kind: 'dismiss'; label: string; finding: Finding }

export interface AttentionPoint {
  id: string
  tone: 'bad' | 'warn'
  text: string
  action: AttentionAction
  /** A banner above every page says it. */
  hasBanner?: true
  /** Further ways, such as looking closer. */
  others?: readonly AttentionAction[]
}
