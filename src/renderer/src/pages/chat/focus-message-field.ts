/** The field for the next message, for a menu that gives the focus to it when it closes. */
export function focusMessageField(): HTMLElement | null {
  return document.querySelector<HTMLElement>('textarea[data-message-field]')
}
