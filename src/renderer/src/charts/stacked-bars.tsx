import { useId } from 'react'
import type { Frame } from './plot-frame.ts'
import type { Bar, Stack } from './stacks.ts'

/** Bars of a stack. A bar that is cut off ends in a notch. */
export function StackedBars({ stack, frame }: { stack: Stack; frame: Frame }) {
  const id = useId()
  const fills = stack.series.map(({ color, isHatched }, index) =>
    isHatched ? `url(#${id}-${index})` : color,
  )
  return (
    <g className="forced-color-adjust-none">
      <defs>
        {stack.series.map((series, index) => (
          <Hatch key={series.name} id={`${id}-${index}`} color={series.color} />
        ))}
      </defs>
      {stack.bars.map((bar) => (
        <StackedBar key={bar.bucket.startMs} {...{ bar, frame, stack }} fills={fills} />
      ))}
    </g>
  )
}

function Hatch({ id, color }: { id: string; color: string }) {
  return (
    <pattern
      id={id}
      width="5"
      height="5"
      patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)"
    >
      <rect width="5" height="5" style={{ fill: color }} opacity="0.25" />
      <rect width="2.5" height="5" style={{ fill: color }} />
    </pattern>
  )
}

interface StackedBarProps {
  bar: Bar
  frame: Frame
  stack: Stack
  fills: readonly string[]
}

/** Smallest visible height and largest distance of bars, in pixels. */
const leastHeight = 1.5
const mostGap = 2

function StackedBar({ bar, frame, stack, fills }: StackedBarProps) {
  if (bar.total === 0) return null
  const left = frame.xOf(bar.bucket.startMs)
  const wide = frame.xOf(bar.bucket.endMs) - left
  const width = Math.max(1, wide - Math.min(mostGap, wide * 0.2))
  return (
    <g>
      {bar.parts.map(({ from, to }, index) => {
        if (to === from) return null
        const bottom = frame.yOf(from)
        const height = Math.max(leastHeight, bottom - frame.yOf(to))
        return (
          <rect
            key={index}
            x={left}
            y={bottom - height}
            width={width}
            height={height}
            style={{ fill: fills[index] }}
          />
        )
      })}
      {bar.total > stack.scale.max && <Notch x={left} width={width} y={frame.top} />}
    </g>
  )
}

function Notch({ x, width, y }: { x: number; width: number; y: number }) {
  return (
    <path
      d={`M${x - 1} ${y + 8}l${width / 2 + 1} -4l${width / 2 + 1} 4`}
      className="fill-none stroke-surface"
      strokeWidth="2"
    />
  )
}
