import { create } from 'zustand'

/** What covers the page. */
export type Overlay = 'palette' | 'shortcuts' | 'find'

interface ShellState {
  overlay: Overlay | null
  isNavigationCollapsed: boolean
  /** Entries of the palette that were chosen last in this window, the newest first. */
  recentEntries: readonly string[]
}

const collapsedKey = 'navigation-collapsed'

export const useShell = create<ShellState>(() => ({
  overlay: null,
  isNavigationCollapsed: localStorage.getItem(collapsedKey) === 'yes',
  recentEntries: [],
}))

const mostRecent = 4

export function noteEntry(id: string): void {
  useShell.setState(({ recentEntries }) => ({
    recentEntries: [id, ...recentEntries.filter((other) => other !== id)].slice(0, mostRecent),
  }))
}

/** Opens an overlay, or closes it when it is open. */
export function toggleOverlay(overlay: Overlay): void {
  useShell.setState((state) => ({ overlay: state.overlay === overlay ? null : overlay }))
}

export function closeOverlay(): void {
  useShell.setState({ overlay: null })
}

export function toggleNavigation(): void {
  const isNavigationCollapsed = !useShell.getState().isNavigationCollapsed
  localStorage.setItem(collapsedKey, isNavigationCollapsed ? 'yes' : 'no')
  useShell.setState({ isNavigationCollapsed })
}
