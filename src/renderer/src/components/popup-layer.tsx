import { createContext, createRef, type RefObject } from 'react'

const layer = createRef<HTMLElement>()

/**
 * Where menus and drop-downs are drawn: inside a landmark, or inside the dialog they belong to, so
 * that screen readers find their way back.
 */
export const PopupContext = createContext<RefObject<HTMLElement | null>>(layer)

/** The place of all popups that belong to no dialog. */
export function PopupLayer() {
  return <aside ref={layer} aria-label="Menus" />
}
