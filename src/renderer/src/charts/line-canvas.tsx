import { useEffect, useMemo, useRef } from 'react'
import { useTheme } from '../components/theme.ts'
import { createLinePlot, type LineData, type LinePlot, type PlotLine } from './line-plot.ts'
import type { Frame } from './plot-frame.ts'
import type { Scale } from './scales.ts'

interface LineCanvasProps {
  frame: Frame
  scale: Scale
  span: { fromMs: number; toMs: number }
  /** Colours may be CSS variables. It should stay the same list. */
  looks: readonly PlotLine[]
  data: LineData
}

/** Lines over a plot's frame. */
export function LineCanvas({ frame, scale, span, looks, data }: LineCanvasProps) {
  const theme = useTheme()
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<LinePlot>(null)
  const { left, top, width, height } = frame
  const { fromMs, toMs } = span
  const box = useMemo(
    () => ({ width, height, fromMs, toMs, scale }),
    [width, height, fromMs, toMs, scale],
  )

  useEffect(() => {
    const element = container.current
    if (!element) return
    const created = createLinePlot(
      element,
      looks.map((line) => resolved(line, element)),
    )
    plot.current = created
    return () => {
      created.destroy()
      plot.current = null
    }
    // A canvas reads its colours once, so a new theme needs a new plot.
  }, [theme, looks])

  // After the effect above, so that a new plot gets its data.
  useEffect(() => plot.current?.update(data, box), [data, box, theme, looks])

  return (
    <div
      ref={container}
      aria-hidden
      className="pointer-events-none absolute"
      style={{ left, top, width, height }}
    />
  )
}

/** A line with the colour that the stylesheet gives it now; forced colours replace it. */
function resolved(line: PlotLine, element: HTMLElement): PlotLine {
  element.style.color = line.color
  return { ...line, color: getComputedStyle(element).color }
}
