import type { KeyboardEvent } from 'react'

type PressedKey = Pick<
  KeyboardEvent<HTMLElement>,
  'key' | 'nativeEvent' | 'target' | 'preventDefault'
>

/**
 * For fields that stand inside a form and belong to a smaller action: Enter runs that action, and never submits the form,
 * which is what a browser does by default.
 */
export function innerEnter(action: () => void): (event: PressedKey) => void {
  return (event) => {
    const { key, nativeEvent, target } = event
    // Enter also ends the choice of a character, and clicks a button that has the focus.
    if (key !== 'Enter' || nativeEvent.isComposing || !(target instanceof HTMLInputElement)) return
    event.preventDefault()
    action()
  }
}
