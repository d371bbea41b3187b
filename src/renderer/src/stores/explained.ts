import { create } from 'zustand'
import type { ExplainedRequest } from '../../../shared/request-detail.ts'
import { call, toCallError, type CallError } from './client.ts'

/** What is known of why a request went where it went. */
export type Explained =
  | { kind: 'loading' }
  | { kind: 'failed'; error: CallError }
  /** The ledger does not have it (any more). */
  | { kind: 'gone' }
  | { kind: 'known'; request: ExplainedRequest }

/** By the request's id, of those that were asked about. */
export const useExplained = create<Record<string, Explained>>(() => ({}))

/** Reads why a request went where it went. Never rejects. */
export async function loadExplained(id: string): Promise<void> {
  if (useExplained.getState()[id]?.kind === 'known') return
  useExplained.setState({ [id]: { kind: 'loading' } })
  try {
    const request = await call('requests:explain', { id })
    useExplained.setState({ [id]: request ? { kind: 'known', request } : { kind: 'gone' } })
  } catch (error) {
    useExplained.setState({ [id]: { kind: 'failed', error: toCallError(error) } })
  }
}
