import { useId, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { bucketTime } from './chart-text.ts'
import { leaveChart, moveCursor, useChartCursor } from './chart-cursor.ts'
import { ChartTip } from './chart-tip.tsx'
import { useShowRequests } from './use-show-requests.ts'
import type { Frame, TimePlotProps, TimeSlot } from './plot-frame.ts'
import { joinWords, nameWith } from '../../../shared/strings/join.ts'
import { t } from '../../../shared/strings/strings.ts'

interface PlotCursorProps<Slot extends TimeSlot> {
  plot: TimePlotProps<Slot>
  frame: Frame
  /** The cursor stops at these. */
  filled: readonly Slot[]
  width: number
  height: number
}

/** The cursor of a chart: a line in all charts, and the values beside the pointer. Arrow keys move it. */
export function PlotCursor<Slot extends TimeSlot>(props: PlotCursorProps<Slot>) {
  const { plot, frame, filled, width, height } = props
  const id = useId()
  const showRequests = useShowRequests()
  const { atMs, owner } = useChartCursor()
  const pointer = useRef<number | null>(null)
  const [pointerY, setPointerY] = useState<number | null>(null)
  const shown = filled.find(
    (bucket) => atMs !== null && atMs >= bucket.startMs && atMs < bucket.endMs,
  )
  const index = shown ? filled.indexOf(shown) : filled.length - 1
  const isOwner = owner === id

  const goTo = (next: number) => {
    const bucket = filled[Math.min(Math.max(next, 0), filled.length - 1)]
    setPointerY(null)
    if (bucket) moveCursor(id, bucket.startMs)
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    pointer.current = event.clientY - box.top
    setPointerY(event.clientY - box.top + frame.top)
    const nearest = nearestBucket(filled, frame, event.clientX - box.left + frame.left)
    if (nearest) moveCursor(id, nearest.startMs)
  }
  const open = (share: number | null) => {
    const filter = shown && plot.filterOf(shown, share)
    if (filter) showRequests(filter)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: filled.length - 1 }[
      event.key
    ]
    if (next !== undefined) goTo(next)
    else if (event.key === 'Enter') open(null)
    else if (event.key === 'Escape' && isOwner) leaveChart(id)
    else return
    event.preventDefault()
  }

  return (
    <>
      {shown && <CursorLine frame={frame} bucket={shown} />}
      <div
        role="slider"
        tabIndex={0}
        aria-label={t('{chart}: arrow keys read the values, Enter opens the requests', {
          chart: plot.label,
        })}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, filled.length)}
        aria-valuenow={index + 1}
        aria-valuetext={announcement(filled[index], plot)}
        className="absolute cursor-pointer touch-pan-y rounded-sm"
        style={{ left: frame.left, top: frame.top, width: frame.width, height: frame.height }}
        onPointerMove={onPointerMove}
        onPointerLeave={() => leaveChart(id)}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && goTo(index)}
        onBlur={() => leaveChart(id)}
        onKeyDown={onKeyDown}
        onClick={() => open(1 - (pointer.current ?? 0) / frame.height)}
      />
      {isOwner && shown && (
        <ChartTip
          title={bucketTime(shown)}
          rows={plot.valuesOf(shown)}
          at={{ x: frame.xOf((shown.startMs + shown.endMs) / 2), y: pointerY ?? frame.top }}
          within={{ width, height }}
        />
      )}
    </>
  )
}

function CursorLine({ frame, bucket }: { frame: Frame; bucket: TimeSlot }) {
  const from = frame.xOf(bucket.startMs)
  const to = frame.xOf(bucket.endMs)
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute border-x border-edge/50 bg-edge/10"
      style={{ left: from, top: frame.top, width: Math.max(1, to - from), height: frame.height }}
    />
  )
}

function announcement<Slot extends TimeSlot>(
  bucket: Slot | undefined,
  plot: TimePlotProps<Slot>,
): string {
  if (!bucket) return t('No requests')
  const values = plot.valuesOf(bucket).map(({ name, value }) => `${name} ${value}`)
  return nameWith(bucketTime(bucket), joinWords(values))
}

function nearestBucket<Slot extends TimeSlot>(
  filled: readonly Slot[],
  frame: Frame,
  x: number,
): Slot | undefined {
  const distance = ({ startMs, endMs }: TimeSlot) => Math.abs(frame.xOf((startMs + endMs) / 2) - x)
  let nearest = filled[0]
  for (const bucket of filled) if (nearest && distance(bucket) < distance(nearest)) nearest = bucket
  return nearest
}
