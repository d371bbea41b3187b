import { useMemo, useState, type KeyboardEvent, type PointerEvent } from 'react'
import {
  formatCount,
  formatDuration,
  formatShortUsd,
  formatUsd,
} from '../../../shared/strings/format.ts'
import { colourOfModel } from '../usage/model-colours.ts'
import { ChartCard } from './chart-card.tsx'
import { noFilter, type ChartProps } from './chart-props.ts'
import { msMarks } from './chart-text.ts'
import { ChartTip } from './chart-tip.tsx'
import { costLatencyMap, type CostLatencyMap } from './cost-latency.ts'
import { Legend } from './legend.tsx'
import { bubblesOf, mapFrame, type Bubble, type MapFrame } from './map-frame.ts'
import { useShowRequests } from './use-show-requests.ts'
import { useWidth } from './use-width.ts'
import { joinWords, nameWith } from '../../../shared/strings/join.ts'
import { timesOf } from '../usage/range.ts'
import { t } from '../../../shared/strings/strings.ts'

const heights = { normal: 260, small: 200 } as const
/** Largest distance in pixels between the pointer and a bubble. */
const reach = 24

/** Each model as a bubble by cost and p95. The line joins the best trade-offs. */
export function CostLatencyChart({
  report,
  range,
  filter = noFilter,
  size = 'normal',
  draft = null,
}: ChartProps) {
  const map = useMemo(
    () => costLatencyMap(report, { ...filter, ...timesOf(range) }, draft),
    [report, range, filter, draft],
  )
  const chosen = map.points.toSorted((a, b) => b.requests - a.requests)[0]?.model
  return (
    <ChartCard
      title={t('Cost and latency')}
      question={t('Would another model or strategy suit me better?')}
      text={map.text}
      size={size}
      legend={
        <Legend
          entries={map.points.map(({ model, requests, filter: behind }) => ({
            name: model,
            label: model,
            ...colourOfModel(model),
            value: formatCount(requests),
            filter: behind,
          }))}
        />
      }
      note={t(
        'The size of a bubble is its number of requests, and the ring marks the model that was chosen most. The dashed line joins the models that none beats in both cost and latency.',
      )}
    >
      <MapPlot
        {...{ map, chosen }}
        draftChosen={draft?.chosenMost ?? null}
        height={heights[size]}
      />
    </ChartCard>
  )
}

interface MapProps {
  map: CostLatencyMap
  chosen: string | undefined
  /** The model that unsaved settings would choose most. */
  draftChosen: string | null
  height: number
}

function MapPlot({ map, chosen, draftChosen, height }: MapProps) {
  const { container, width } = useWidth<HTMLDivElement>()
  const frame = useMemo(() => mapFrame({ width, height }), [width, height])
  const bubbles = useMemo(() => bubblesOf(map, frame), [map, frame])
  const [shownModel, setShownModel] = useState<string | null>(null)
  const shown = bubbles.find(({ point }) => point.model === shownModel) ?? null
  return (
    <div ref={container} className="relative min-w-0 select-none" style={{ height }}>
      {width > 0 && (
        <>
          <svg aria-hidden width={width} height={height} className="block">
            <MapAxes map={map} frame={frame} />
            <Front map={map} bubbles={bubbles} />
            {bubbles.map((bubble) => (
              <BubbleMark
                key={bubble.point.model}
                {...{ bubble }}
                isChosen={bubble.point.model === chosen}
                isDraft={bubble.point.model === draftChosen}
              />
            ))}
          </svg>
          <MapCursor {...{ map, bubbles, frame, shown }} onShow={setShownModel} />
          {shown && (
            <ChartTip
              title={shown.point.model}
              rows={tipRows(shown)}
              at={{ x: shown.x, y: shown.y }}
              within={{ width, height }}
            />
          )}
        </>
      )}
    </div>
  )
}

function MapAxes({ map: { costs, times }, frame }: { map: CostLatencyMap; frame: MapFrame }) {
  const bottom = frame.top + frame.height
  const formatTime = msMarks(times)
  return (
    <g className="fill-muted text-[11px] tabular-nums">
      {times.marks.map((mark) => {
        const y = frame.top + (1 - times.position(mark)) * frame.height
        return (
          <g key={mark}>
            <path
              d={`M${frame.left} ${Math.round(y) + 0.5}h${frame.width}`}
              className="stroke-line"
            />
            <text x={frame.left - 8} y={y + 4} textAnchor="end">
              {formatTime(mark)}
            </text>
          </g>
        )
      })}
      <path d={`M${frame.left} ${bottom + 0.5}h${frame.width}`} className="stroke-edge" />
      {costs.marks.map((mark, index) => (
        <text
          key={mark}
          x={frame.xOf(costs.position(mark))}
          y={bottom + 16}
          textAnchor={index === costs.marks.length - 1 ? 'end' : 'middle'}
        >
          {mark === 0 ? t('free') : formatShortUsd(mark)}
        </text>
      ))}
      <text x={frame.left + frame.width / 2} y={bottom + 32} textAnchor="middle">
        {t('cost per 1,000 tokens')}
      </text>
      <text x={frame.left - 8} y={frame.top - 14} textAnchor="end">
        {t('p95')}
      </text>
    </g>
  )
}

function Front({ map, bubbles }: { map: CostLatencyMap; bubbles: readonly Bubble[] }) {
  const places = map.points.flatMap((point) => {
    const bubble = point.isOnFront && bubbles.find((each) => each.point === point)
    return bubble ? `${bubble.x} ${bubble.y}` : []
  })
  if (places.length < 2) return null
  return <path d={`M${places.join('L')}`} className="fill-none stroke-edge" strokeDasharray="4 3" />
}

interface BubbleMarkProps {
  bubble: Bubble
  isChosen: boolean
  /** Whether unsaved settings would choose it most. */
  isDraft: boolean
}

function BubbleMark({ bubble, isChosen, isDraft }: BubbleMarkProps) {
  const { point, x, y, radius, label } = bubble
  const { color, isHatched } = colourOfModel(point.model)
  return (
    <g>
      <circle
        cx={x}
        cy={y}
        r={radius}
        className="forced-color-adjust-none"
        style={{ fill: color, stroke: color }}
        fillOpacity={isHatched ? 0.25 : 0.7}
        strokeDasharray={isHatched ? '3 2' : undefined}
      />
      {isChosen && (
        <circle cx={x} cy={y} r={radius + 4} className="fill-none stroke-ink" strokeWidth="1.5" />
      )}
      {isDraft && (
        <circle
          cx={x}
          cy={y}
          r={radius + 8}
          className="fill-none stroke-ink"
          strokeWidth="1.5"
          strokeDasharray="4 3"
        />
      )}
      {label && (
        <text x={label.x} y={label.y} textAnchor={label.anchor} className="fill-ink text-[11px]">
          {point.model}
        </text>
      )}
    </g>
  )
}

interface MapCursorProps {
  map: CostLatencyMap
  bubbles: readonly Bubble[]
  frame: MapFrame
  shown: Bubble | null
  onShow: (model: string | null) => void
}

/** Arrow keys go from the cheapest model to the dearest. */
function MapCursor({ map: { points }, bubbles, frame, shown, onShow }: MapCursorProps) {
  const showRequests = useShowRequests()
  const index = Math.max(
    0,
    points.findIndex(({ model }) => model === shown?.point.model),
  )
  const at = bubbles.find(({ point }) => point === points[index])
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const x = event.clientX - box.left + frame.left
    const y = event.clientY - box.top + frame.top
    const near = bubbles.findLast(
      (bubble) => Math.hypot(bubble.x - x, bubble.y - y) <= Math.max(reach, bubble.radius),
    )
    onShow(near?.point.model ?? null)
  }
  const open = () => shown && showRequests(shown.point.filter)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: points.length - 1 }[
      event.key
    ]
    if (next !== undefined)
      onShow(points[Math.min(Math.max(next, 0), points.length - 1)]?.model ?? null)
    else if (event.key === 'Enter') open()
    else if (event.key === 'Escape' && shown) onShow(null)
    else return
    event.preventDefault()
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t('Models by cost: arrow keys read the values, Enter opens the requests')}
      aria-valuemin={1}
      aria-valuemax={Math.max(1, points.length)}
      aria-valuenow={index + 1}
      aria-valuetext={at ? announcement(at) : t('No models')}
      className={`absolute rounded-sm ${shown ? 'cursor-pointer' : ''}`}
      style={{ left: frame.left, top: frame.top, width: frame.width, height: frame.height }}
      onPointerMove={onPointerMove}
      onPointerLeave={() => onShow(null)}
      onFocus={(event) =>
        event.currentTarget.matches(':focus-visible') && onShow(points[index]?.model ?? null)
      }
      onBlur={() => onShow(null)}
      onKeyDown={onKeyDown}
      onClick={open}
    />
  )
}

function tipRows({ point: { usdPerKtok, p95Ms, requests } }: Bubble) {
  return [
    { name: t('Per 1,000 tokens'), value: formatUsd(usdPerKtok) },
    { name: 'p95', value: formatDuration(p95Ms) },
    { name: t('Requests'), value: formatCount(requests) },
  ]
}

function announcement(bubble: Bubble): string {
  const values = tipRows(bubble).map(({ name, value }) => `${name} ${value}`)
  return nameWith(bubble.point.model, joinWords(values))
}
