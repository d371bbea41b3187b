import { useEffect, useRef, useState, type RefObject } from 'react'

/** How far from the end still counts as reading along, in pixels. */
const nearPx = 48

interface StickToEnd {
  scroller: RefObject<HTMLDivElement | null>
  content: RefObject<HTMLDivElement | null>
  isAtEnd: boolean
  jumpToEnd: () => void
}

/**
 * Keeps a growing text in view for who reads along, and still for who has scrolled back.
 * @param messageCount  another message brings its writer back to the end
 */
export function useStickToEnd(messageCount: number): StickToEnd {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isStuck = useRef(true)
  const [isAtEnd, setIsAtEnd] = useState(true)

  function jumpToEnd(): void {
    isStuck.current = true
    setIsAtEnd(true)
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }

  useEffect(() => {
    isStuck.current = true
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [messageCount])

  useEffect(() => {
    const frame = scroller.current
    const text = content.current
    if (!frame || !text) return
    let lastTop = frame.scrollTop
    function onScroll(): void {
      if (!frame) return
      const isNear = frame.scrollHeight - frame.scrollTop - frame.clientHeight < nearPx
      // The text may have grown since the scroll this event tells of: only going back lets go.
      const isGoingBack = frame.scrollTop < lastTop
      lastTop = frame.scrollTop
      isStuck.current = isNear || (isStuck.current && !isGoingBack)
      setIsAtEnd(isStuck.current)
    }
    const growing = new ResizeObserver(() => {
      if (isStuck.current) frame.scrollTo({ top: frame.scrollHeight })
    })
    growing.observe(text)
    growing.observe(frame)
    frame.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      growing.disconnect()
      frame.removeEventListener('scroll', onScroll)
    }
  }, [])

  return { scroller, content, isAtEnd, jumpToEnd }
}
