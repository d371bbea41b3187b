/** A figure of an agent's runs over time, for a chart with its sentence and table. */
import type { Execution } from '../../../../shared/agents/agent.ts'
import { formatDateTime } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import type { ChartText } from '../../charts/chart-text.ts'
import { scaleOf, type MarkSteps, type Scale } from '../../charts/scales.ts'
import type { UsageRange } from '../../usage/range.ts'

export interface RunMeasure {
  title: string
  question: string
  /** The heading of its column. */
  column: string
  /** A CSS colour. */
  color: string
  valueOf: (run: Execution) => number | null
  format: (value: number | null) => string
  steps?: MarkSteps
}

/** A stop of the cursor: a millisecond for each run, so that runs that began together stay apart. */
export interface RunSlot {
  startMs: number
  endMs: number
  /** Null without the figure. */
  point: Execution | null
}

export interface RunFigures {
  /** The oldest first. */
  slots: readonly RunSlot[]
  times: readonly number[]
  values: readonly (number | null)[]
  scale: Scale
  text: ChartText
}

/** @param runs  the oldest first */
export function runFigures(runs: readonly Execution[], measure: RunMeasure): RunFigures {
  const values = runs.map(measure.valueOf)
  const known = values.filter((value) => value !== null)
  let lastMs = 0
  const slots = runs.map((run, index) => {
    lastMs = Math.max(run.startedAtMs, lastMs + 1)
    const point = values[index] === null ? null : run
    return { startMs: lastMs, endMs: lastMs + 1, point }
  })
  return {
    slots,
    times: slots.map(({ startMs }) => startMs),
    values,
    // With room above the highest dot, which would be cut off at the edge.
    scale: scaleOf([...values, Math.max(0, ...known) * 1.05], measure.steps),
    text: textOf(runs, measure),
  }
}

function textOf(runs: readonly Execution[], measure: RunMeasure): ChartText {
  const { valueOf, format, column } = measure
  const known = runs.flatMap((run) => {
    const value = valueOf(run)
    return value === null ? [] : { run, value }
  })
  return {
    sentence: sentenceOf(
      known.map(({ value }) => value),
      format,
    ),
    table: {
      columns: [t('Time'), column],
      rows: known.map(({ run, value }) => ({
        key: run.id,
        cells: [formatDateTime(run.startedAtMs), format(value)],
        filter: { executionId: run.id },
      })),
    },
  }
}

function sentenceOf(known: readonly number[], format: RunMeasure['format']): string {
  if (known.length === 0) return t('No figures yet.')
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length
  return t(
    'Mean {mean}, maximum {max} of {count, plural, one {1 finished run} other {# finished runs}}.',
    { mean: format(mean), max: format(Math.max(...known)), count: known.length },
  )
}

const leastSpanMs = 60_000

/** The time from the first run to the last, with a margin at both ends. */
export function runRange(runs: readonly Execution[]): UsageRange {
  const firstMs = runs[0]?.startedAtMs ?? 0
  const lastMs = runs.at(-1)?.startedAtMs ?? firstMs
  const spanMs = Math.max(lastMs - firstMs, leastSpanMs)
  const middleMs = (firstMs + lastMs) / 2
  const halfMs = spanMs * 0.54
  const [fromMs, toMs] = [Math.floor(middleMs - halfMs), Math.ceil(middleMs + halfMs)]
  const offsetMs = -new Date(toMs).getTimezoneOffset() * 60_000
  return { name: 'all', fromMs, toMs, bucketMs: toMs - fromMs, offsetMs }
}
