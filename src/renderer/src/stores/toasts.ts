import { create } from 'zustand'

/** A short message at the lower right that disappears by itself. */
export interface Toast {
  id: number
  text: string
  action: { label: string; run: () => void } | null
  stayMs: number
}

const defaultStayMs = 5_000
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

export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}

export function dismissToasts(): void {
  useToasts.setState({ toasts: [] })
}
