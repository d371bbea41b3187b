import { useMemo } from 'react'
import type { UsageRange } from '../usage/range.ts'
import { LineCanvas } from './line-canvas.tsx'
import { PlotCursor } from './plot-cursor.tsx'
import { frameOf, type Frame, type TimePlotProps, type TimeSlot } from './plot-frame.ts'
import { timeMarks, type Scale } from './scales.ts'
import { useWidth } from './use-width.ts'

/** Room for a time mark in pixels. */
const timeMarkWidth = 76

/** A drawing over time with its axes, and a cursor for pointer and keyboard. */
export function TimePlot<Slot extends TimeSlot>(props: TimePlotProps<Slot>) {
  const { range, height, scale, format, untilMs = range.toMs } = props
  const { container, width } = useWidth<HTMLDivElement>()
  const frame = useMemo(
    () => frameOf({ range, scale, format, untilMs }, { width, height }),
    [range, scale, format, untilMs, width, height],
  )
  const span = useMemo(() => ({ fromMs: range.fromMs, toMs: untilMs }), [range.fromMs, untilMs])
  const filled = useMemo(() => props.buckets.filter(({ point }) => point !== null), [props.buckets])
  return (
    <div ref={container} className="relative min-w-0 select-none" style={{ height }}>
      {width > 0 && (
        <>
          <svg aria-hidden width={width} height={height} className="block">
            {scale && <ValueAxis frame={frame} scale={scale} format={props.format} />}
            <TimeAxis frame={frame} range={{ ...range, toMs: untilMs }} />
            {props.children(frame)}
          </svg>
          {scale && props.lines && <LineCanvas {...{ frame, scale, span }} {...props.lines} />}
          <PlotCursor {...{ frame, filled, height, width }} plot={props} />
        </>
      )}
    </div>
  )
}

interface ValueAxisProps {
  frame: Frame
  scale: Scale
  format: (value: number) => string
}

function ValueAxis({ frame, scale, format }: ValueAxisProps) {
  return scale.marks.map((mark) => (
    <g key={mark}>
      <line
        x1={frame.left}
        x2={frame.left + frame.width}
        y1={Math.round(frame.yOf(mark)) + 0.5}
        y2={Math.round(frame.yOf(mark)) + 0.5}
        className="stroke-line"
      />
      <text
        x={frame.left - 8}
        y={frame.yOf(mark) + 4}
        textAnchor="end"
        className="fill-muted text-[11px] tabular-nums"
      >
        {format(mark)}
      </text>
    </g>
  ))
}

function TimeAxis({ frame, range }: { frame: Frame; range: UsageRange }) {
  const marks = timeMarks(range, Math.max(2, Math.floor(frame.width / timeMarkWidth)))
  return (
    <g>
      <line
        x1={frame.left}
        x2={frame.left + frame.width}
        y1={frame.top + frame.height + 0.5}
        y2={frame.top + frame.height + 0.5}
        className="stroke-edge"
      />
      {marks.map(({ atMs, label }) => (
        <text
          key={atMs}
          x={frame.xOf(atMs)}
          y={frame.top + frame.height + 16}
          textAnchor={anchorOf(frame.xOf(atMs), frame)}
          className="fill-muted text-[11px] tabular-nums"
        >
          {label}
        </text>
      ))}
    </g>
  )
}

/** A label at an edge begins or ends there, so that it is not cut off. */
function anchorOf(x: number, { left, width }: Frame): 'start' | 'middle' | 'end' {
  const half = timeMarkWidth / 3
  if (x < left + half) return 'start'
  return x > left + width - half ? 'end' : 'middle'
}
