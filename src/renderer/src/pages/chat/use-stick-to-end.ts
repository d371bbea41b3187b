import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

/** Distance from the end in pixels within which the view follows new text. */
const nearPx = 48

interface StickToEnd {
  scroller: RefObject<HTMLDivElement | null>
  content: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  jumpToEnd: () => void
  /** Scrolls to an element of the thread, and follows the end only if that shows it. */
  showPlace: (place: Element) => void
}

/**
 * Scrolls with growing text, unless the user scrolled back.
 * @param messageCount  a change scrolls to the end, or to the last question
 * @param isComparing  answers of different lengths stand side by side, so the view stays at their question
 */
export function useStickToEnd(messageCount: number, isComparing: boolean): StickToEnd {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  // The beginning of an empty thread is shown, its end once there are messages.
  const isStuck = useRef(messageCount > 0)
  const [isAtEnd, setIsAtEnd] = useState(true)

  function jumpToEnd(): void {
    isStuck.current = true
    setIsAtEnd(true)
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }

  const showPlace = useCallback((place: Element) => {
    const frame = scroller.current
    isStuck.current = false
    place.scrollIntoView({ block: 'start' })
    if (!frame) return
    // Without a movement there is no event of it.
    isStuck.current = frame.scrollHeight - frame.scrollTop - frame.clientHeight < nearPx
    setIsAtEnd(isStuck.current)
  }, [])

  useEffect(() => {
    if (messageCount === 0) return
    isStuck.current = !isComparing
    if (isComparing) lastQuestionIn(content.current)?.scrollIntoView({ block: 'start' })
    else scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [messageCount, isComparing])

  useEffect(() => {
    const frame = scroller.current
    const text = content.current
    if (!frame || !text) return
    let lastTop = frame.scrollTop
    function onScroll(): void {
      if (!frame) return
      const isNear = frame.scrollHeight - frame.scrollTop - frame.clientHeight < nearPx
      // The text may have grown since this scroll event, so only scrolling back stops following.
      const isGoingBack = frame.scrollTop < lastTop
      lastTop = frame.scrollTop
      isStuck.current = isNear || (isStuck.current && !isGoingBack)
      setIsAtEnd(isStuck.current)
    }
    const growing = new ResizeObserver(() => {
      if (!isStuck.current) return
      frame.scrollTo({ top: frame.scrollHeight })
      // Content that shrinks moves the view back too. Its scroll event comes later, when the text may have grown again.
      lastTop = frame.scrollTop
    })
    growing.observe(text)
    growing.observe(frame)
    frame.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      growing.disconnect()
      frame.removeEventListener('scroll', onScroll)
    }
  }, [])

  return { scroller, content, isAtEnd, jumpToEnd, showPlace }
}

function lastQuestionIn(thread: HTMLElement | null): Element | undefined {
  return [...(thread?.querySelectorAll('[data-question]') ?? [])].at(-1)
}
