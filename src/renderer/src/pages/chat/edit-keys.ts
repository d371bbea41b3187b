/** What a key does to an edited question; null leaves it to the field. */
export function editAction(event: {
  key: string
  shiftKey: boolean
  nativeEvent: { isComposing: boolean }
}): 'send' | 'cancel' | null {
  // During composition, Enter and Escape belong to the input method.
  if (event.nativeEvent.isComposing) return null
  if (event.key === 'Escape') return 'cancel'
  return event.key === 'Enter' && !event.shiftKey ? 'send' : null
}
