import { createHash } from 'node:crypto'
import type { MadeUpDecision } from './made-up-requests.ts'

/** SHA-256 of everything that the ledger would store about these decisions, to the last digit. */
export function decisionsDigest(decisions: readonly MadeUpDecision[]): string {
  return createHash('sha256').update(JSON.stringify(decisions)).digest('hex')
}
