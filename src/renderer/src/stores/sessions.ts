import { useCallback, useEffect, useState } from 'react'
import { create } from 'zustand'
import type { RequestRecord } from '../../../shared/entities.ts'
import type { ShownSession } from '../../../shared/requests/session-page.ts'
import type { SessionRow } from '../../../shared/requests/session.ts'
import { call, toCallError, type CallError } from './client.ts'
import { createListStore, type ListState } from './list.ts'

/** Grows when a session had requests, so that what is shown is read again. */
const useRevision = create<{ revision: number }>(() => ({ revision: 0 }))
/** Steps come fast: a shown session is read again at most this often. */
const restMs = 1_000
let isWaiting = false

export function noteSessionRequest({ sessionId }: Pick<RequestRecord, 'sessionId'>): void {
  if (sessionId === null || isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    void readAgain()
  }, restMs)
}

async function readAgain(): Promise<void> {
  useRevision.setState(({ revision }) => ({ revision: revision + 1 }))
}

const mostListed = 200

const readList = () => call('sessions:list', { limit: mostListed })

/** @param model  null ends the pin */
export async function pinSession(id: string, model: string | null): Promise<void> {
  await call('sessions:pin', { id, model })
  await readAgain()
}

export const exportSession = (id: string) => call('sessions:export', { id })

export async function deleteSession(id: string): Promise<void> {
  await call('sessions:delete', { id })
  await readAgain()
}

/** The sessions that were used last. */
export function useSessions(): ListState<SessionRow> {
  const { value, error } = useReading(readList, '')
  return { items: value, error, load: readAgain }
}

/** What rules would have saved: it takes all steps of a month, so the page reads it once. */
export const useLookedRules = createListStore(() => call('sessions:rules'))

/** What routers that compare their rules know so far, as a list of it. */
export const useRuleProofs = createListStore(async () => [await call('sessions:proofs')])

/** A session with its newest steps, as a list of it; an empty one when the ledger has no such session. */
export function useSession(id: string, steps: number): ListState<ShownSession> {
  const read = useCallback(
    async (of: string) => {
      const session = await call('sessions:get', { id: of, steps })
      return session === null ? [] : [session]
    },
    [steps],
  )
  const { value, error } = useReading(read, id)
  return { items: value, error, load: readAgain }
}

/** @param of  what is read, such as an id: another is read at once */
function useReading<Value>(read: (of: string) => Promise<Value>, of: string) {
  const revision = useRevision((state) => state.revision)
  const [known, setKnown] = useState<{ of: string; value: Value } | null>(null)
  const [error, setError] = useState<CallError | null>(null)
  useEffect(() => {
    let isShown = true
    const show = async () => {
      try {
        const value = await read(of)
        if (!isShown) return
        setKnown({ of, value })
        setError(null)
      } catch (failure) {
        if (isShown) setError(toCallError(failure))
      }
    }
    void show()
    return () => {
      isShown = false
    }
  }, [read, of, revision])
  return { value: known?.of === of ? known.value : null, error }
}
