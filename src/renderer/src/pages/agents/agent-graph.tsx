import { Fragment, useMemo, type KeyboardEvent } from 'react'
import type { DraftGraph } from './draft.ts'
import {
  headHeight,
  layOut,
  neighbourOf,
  type Direction,
  type PlacedStep,
  type Point,
} from './graph-layout.ts'
import { stepNames } from './step-names.ts'
import { issuesWithin, nodeId, useEditor } from './use-editor.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

const margin = 8
/** How many characters of a step id fit. */
const characters = 18

/** Smallest scale. Below it ids are unreadable, so the graph scrolls instead. */
const smallestScale = 0.75

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

/** The steps and their dependencies. Arrow keys move; a click or Enter goes to the text of the step. */
export function AgentGraph({ draft }: { draft: DraftGraph }) {
  const editor = useEditor()
  const layout = useMemo(() => layOut(draft), [draft])
  const selected = layout.steps.find(({ step }) => step === editor.step)
  const entry = selected ?? layout.steps[0]
  const goTo = ({ step }: PlacedStep, hasFocus: boolean) =>
    editor.text?.select(step.range, { hasFocus })

  function onKeyDown(event: KeyboardEvent): void {
    if (!entry) return
    const direction = directions[event.key]
    if (direction) {
      event.preventDefault()
      const next = neighbourOf(layout.steps, entry, direction)
      if (!next) return
      goTo(next, false)
      document.getElementById(nodeId(next.step.path))?.focus()
    } else if (event.key === 'Enter') {
      event.preventDefault()
      goTo(entry, true)
    }
  }

  if (layout.steps.length === 0) {
    return <p className="text-sm text-muted">{t('No steps yet. The last step is the answer.')}</p>
  }
  const width = layout.width + 2 * margin
  const height = layout.height + 2 * margin
  return (
    <svg
      role="listbox"
      tabIndex={-1}
      aria-label={t('Steps as a graph')}
      width={width}
      height={height}
      viewBox={`${-margin} ${-margin} ${width} ${height}`}
      style={{ minWidth: width * smallestScale }}
      className="mx-auto block h-auto max-w-full shrink-0 outline-none"
      onKeyDown={onKeyDown}
    >
      {layout.steps.map((placed) => (
        <Fragment key={placed.step.path.join('.')}>
          <Node
            placed={placed}
            isSelected={placed === selected}
            isEntry={placed === entry}
            issues={issuesWithin(editor, placed.step.path)}
            onSelect={() => goTo(placed, true)}
          />
          <Frames frames={placed.frames} />
        </Fragment>
      ))}
      <g aria-hidden>
        {layout.lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </g>
    </svg>
  )
}

interface NodeProps {
  placed: PlacedStep
  isSelected: boolean
  /** Whether Tab focuses this node. */
  isEntry: boolean
  issues: number
  onSelect: () => void
}

function Node({ placed, isSelected, isEntry, issues, onSelect }: NodeProps) {
  const { step, x, y, width, height } = placed
  const name = step.id === '' ? t('no id') : step.id
  const shown = name.length > characters ? `${name.slice(0, characters - 1)}…` : name
  const Icon = step.type === null ? null : stepNames[step.type].icon
  const words = [
    name,
    step.type ?? t('unknown type'),
    ...(issues === 0
      ? []
      : [t('{count, plural, one {1 error} other {# errors}}', { count: issues })]),
  ]
  return (
    <g
      id={nodeId(step.path)}
      role="option"
      aria-selected={isSelected}
      aria-label={joinWords(words)}
      tabIndex={isEntry ? 0 : -1}
      onClick={onSelect}
      className="group outline-none"
    >
      <rect
        {...{ x, y, width, height }}
        rx={9}
        className={`${lookOf(isSelected, issues)} group-focus-visible:stroke-accent group-focus-visible:stroke-[3]`}
      />
      {Icon && (
        <Icon
          x={x + 12}
          y={y + headHeight / 2 - 7.5}
          size={15}
          className="text-accent"
          aria-hidden
        />
      )}
      <text x={x + 34} y={y + headHeight / 2 + 4} className="fill-ink font-mono text-[12px]">
        {shown}
      </text>
      {issues > 0 && <circle cx={x + width - 12} cy={y + 12} r={4.5} className="fill-bad" />}
    </g>
  )
}

/** The inner graphs of a step as boxes. Clicks pass through to the step. */
function Frames({ frames }: Pick<PlacedStep, 'frames'>) {
  return (
    <g aria-hidden className="pointer-events-none">
      {frames.map((frame) => (
        <g key={`${frame.label}-${frame.x}`}>
          <rect
            x={frame.x}
            y={frame.y}
            width={frame.width}
            height={frame.height}
            rx={7}
            className="fill-sunken stroke-line [stroke-dasharray:4_3]"
          />
          <text x={frame.x + 10} y={frame.y + 14} className="fill-muted text-[11px]">
            {cut(frame.label, (frame.width - 20) / 6)}
          </text>
          {frame.isEmpty && (
            <text x={frame.x + 10} y={frame.y + 36} className="fill-muted text-[11px]">
              {t('no steps yet')}
            </text>
          )}
        </g>
      ))}
    </g>
  )
}

function lookOf(isSelected: boolean, issues: number): string {
  if (isSelected) return 'fill-accent-soft stroke-accent stroke-2'
  return issues > 0 ? 'fill-surface stroke-bad' : 'fill-surface stroke-edge'
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, Math.max(1, Math.floor(length) - 1))}…` : text
}

/** A curved line downwards with an arrow at its end. */
function Line({ line }: { line: readonly Point[] }) {
  const end = line.at(-1)
  if (!end) return null
  return (
    <g>
      <path d={pathOf(line)} fill="none" className="stroke-muted" strokeWidth={1.4} />
      <path
        d={`M${end.x - 4} ${end.y - 7}L${end.x} ${end.y - 1}L${end.x + 4} ${end.y - 7}`}
        fill="none"
        className="stroke-muted"
        strokeWidth={1.4}
      />
    </g>
  )
}

function pathOf([start, ...rest]: readonly Point[]): string {
  if (!start) return ''
  let from = start
  const parts = rest.map((to) => {
    const middle = (from.y + to.y) / 2
    const part = `C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`
    from = to
    return part
  })
  return `M${start.x} ${start.y}${parts.join('')}`
}
