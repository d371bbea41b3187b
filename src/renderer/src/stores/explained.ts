import { create } from 'zustand'
import type { ExplainedRequest } from '../../../shared/requests/detail.ts'
import { call, toCallError, type CallError } from './client.ts'

/** The explanation of a routing decision, as far as it is loaded. */
export type Explained =
  | { kind: 'loading' }
  | { kind: 'failed'; error: CallError }
  /** Not in the ledger. */
  | { kind: 'gone' }
  | { kind: 'known'; request: ExplainedRequest }

/** Most opened explanations; those opened longest ago are dropped. */
const mostOpened = 50

/** Opened explanations by request id, the last one at the end. */
export const useExplained = create<Record<string, Explained>>(() => ({}))

/** Loads the explanation of a request. Never rejects. */
export async function loadExplained(id: string): Promise<void> {
  const opened = useExplained.getState()[id]
  if (opened?.kind === 'known') return keep(id, opened)
  keep(id, { kind: 'loading' })
  try {
    const request = await call('requests:explain', { id })
    keep(id, request ? { kind: 'known', request } : { kind: 'gone' })
  } catch (error) {
    keep(id, { kind: 'failed', error: toCallError(error) })
  }
}

function keep(id: string, explained: Explained): void {
  useExplained.setState(({ [id]: _before, ...others }) => {
    const latest = Object.entries(others).slice(1 - mostOpened)
    return { ...Object.fromEntries(latest), [id]: explained }
  }, true)
}
