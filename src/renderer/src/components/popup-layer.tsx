import { createContext, createRef, type RefObject } from 'react'
import { t } from '../../../shared/strings/strings.ts'

const layer = createRef<HTMLElement>()

/**
 * The element that holds menus and drop-downs: a landmark, or the dialog they belong to,
 * so that screen readers find their way back.
 */
export const PopupContext = createContext<RefObject<HTMLElement | null>>(layer)

/** Holds all popups outside dialogs. */
export function PopupLayer() {
  return <aside ref={layer} aria-label={t('Menus')} />
}
