import { create } from 'zustand'
import { t } from '../../../shared/strings/strings.ts'
import { toCallError } from './client.ts'

/** A short message at the lower right that disappears by itself. */
export interface Toast {
  id: number
  text: string
  action: { label: string; run: () => void } | null
  stayMs: number
}

const defaultStayMs = 5_000
const undoStayMs = 10_000
let latestId = 0

/** Open toasts, newest last. */
export const useToasts = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }))

/** Shows a toast. A toast with the same text replaces the earlier one. Only for what the page does not show itself. */
export function showToast(toast: {
  text: string
  /** Action such as Undo. */
  action?: Toast['action']
  stayMs?: number
}): void {
  latestId += 1
  const { text, action = null, stayMs = defaultStayMs } = toast
  useToasts.setState(({ toasts }) => ({
    toasts: [
      ...toasts.filter((other) => other.text !== text),
      { id: latestId, text, action, stayMs },
    ],
  }))
}

/** Says what was deleted, with a way back. */
export function showUndo(text: string, undo: () => Promise<void>): void {
  function run(): void {
    undo().catch((error: unknown) => showToast({ text: toCallError(error).message }))
  }
  showToast({ text, action: { label: t('Undo'), run }, stayMs: undoStayMs })
}

export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}

export function dismissToasts(): void {
  useToasts.setState({ toasts: [] })
}
