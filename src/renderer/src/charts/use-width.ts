import { useEffect, useRef, useState } from 'react'

/** The width of an element in pixels; 0 before it is laid out. */
export function useWidth<Kind extends HTMLElement>() {
  const container = useRef<Kind>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = container.current
    if (!element) return
    const resizing = new ResizeObserver(() => setWidth(element.clientWidth))
    resizing.observe(element)
    return () => resizing.disconnect()
  }, [])
  return { container, width }
}
