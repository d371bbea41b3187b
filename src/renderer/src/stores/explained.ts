import { create } from 'zustand'
import type { ExplainedRequest } from '../../../shared/request-detail.ts'
import { call, toCallError, type CallError } from './client.ts'

/** The explanation of a routing decision, as far as it is loaded. */
export type Explained =
  | { kind: 'loading' }
  | { kind: 'failed'; error: CallError }
  /** Not in the ledger. */
  | { kind: 'gone' }
  | { kind: 'known'; request: ExplainedRequest }

/** Opened explanations by request id. */
export const useExplained = create<Record<string, Explained>>(() => ({}))

/** Loads the explanation of a request. Never rejects. */
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
