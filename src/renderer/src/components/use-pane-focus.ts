import { useEffect, useRef, type RefObject } from 'react'

/** Focuses a pane of details when it opens over the list, which cannot have the focus then. */
export function useFocusOverList(): RefObject<HTMLElement | null> {
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = pane.current
    if (element && getComputedStyle(element).position === 'absolute') element.focus()
  }, [])
  return pane
}

/** Calls `focusList` once the pane of details is closed, if the focus was in it. */
export function useFocusBack(openId: string | null, focusList: (closedId: string) => void): void {
  const lastId = useRef(openId)
  const newest = useRef(focusList)
  useEffect(() => {
    newest.current = focusList
  })
  useEffect(() => {
    const closedId = lastId.current
    lastId.current = openId
    const isLost = document.activeElement === document.body
    if (openId === null && closedId !== null && isLost) newest.current(closedId)
  }, [openId])
}
