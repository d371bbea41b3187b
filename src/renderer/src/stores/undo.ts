import { create } from 'zustand'
import { toCallError, type CallError } from './client.ts'

/** A change that can still be undone. */
export interface UndoOffer {
  /** "Web shop saved". */
  text: string
  /** The page that offers the undo itself; every other page shows a notice. */
  path: string
  undo: () => Promise<void>
}

interface UndoState {
  offer: UndoOffer | null
  /** Why the undo failed; the offer then stays. */
  error: CallError | null
}

const none: UndoState = { offer: null, error: null }

/** The last change that can be undone. */
export const useUndo = create<UndoState>(() => none)

/** How long a change can be undone. */
const offeredMs = 10_000

let timer: ReturnType<typeof setTimeout> | undefined

/** Offers an undo for ten seconds, in place of the offer before it. */
export function offerUndo(offer: UndoOffer): void {
  clearTimeout(timer)
  useUndo.setState({ offer, error: null })
  timer = setTimeout(() => useUndo.setState(none), offeredMs)
}

/** Undoes the offered change. Never rejects: a failed undo can be tried again. */
export async function runUndo(): Promise<void> {
  const { offer } = useUndo.getState()
  if (!offer) return
  clearTimeout(timer)
  try {
    await offer.undo()
    if (useUndo.getState().offer === offer) useUndo.setState(none)
  } catch (error) {
    if (useUndo.getState().offer === offer) useUndo.setState({ error: toCallError(error) })
  }
}

/** Ends the offer. */
export function dismissUndo(): void {
  clearTimeout(timer)
  useUndo.setState(none)
}
