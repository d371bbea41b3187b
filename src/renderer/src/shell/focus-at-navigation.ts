/** The element that had the focus when the last navigation began. */
let focusedAtNavigation: Element | null = null

/** Called when a navigation begins, before its page is loaded. */
export function rememberFocus(): void {
  focusedAtNavigation = document.activeElement
}

/** Whether the user has moved the focus since then. A page that arrives late must not take it back. */
export function hasMovedFocus(): boolean {
  const focused = document.activeElement
  return focused !== null && focused !== document.body && focused !== focusedAtNavigation
}
