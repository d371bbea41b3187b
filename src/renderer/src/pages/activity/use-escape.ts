import { useEffect, useRef, type RefObject } from 'react'

/** Calls it for the Escape key inside an element, or anywhere without one; not in dialogs, menus and lists of choices. */
export function useEscape(within: RefObject<HTMLElement | null> | null, act: () => void): void {
  const newest = useRef(act)
  useEffect(() => {
    newest.current = act
  })
  useEffect(() => {
    const target = within?.current ?? document
    const onKeyDown = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== 'Escape') return
      if (event.defaultPrevented || isInLayer(event.target)) return
      event.preventDefault()
      newest.current()
    }
    target.addEventListener('keydown', onKeyDown)
    return () => target.removeEventListener('keydown', onKeyDown)
  }, [within])
}

/** Whether the target is in a layer, such as a menu, that Escape closes by itself. */
function isInLayer(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('[role=dialog], [role=menu], [role=listbox]') !== null
  )
}
