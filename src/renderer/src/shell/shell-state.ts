import { create } from 'zustand'

/** What covers the page. */
export type Overlay = 'palette' | 'shortcuts' | 'find'

interface ShellState {
  overlay: Overlay | null
  isNavigationCollapsed: boolean
}

const collapsedKey = 'navigation-collapsed'

export const useShell = create<ShellState>(() => ({
  overlay: null,
  isNavigationCollapsed: localStorage.getItem(collapsedKey) === 'yes',
}))

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
