/** Value and time axes: where a value stands, and the marks, of which there are always at least two. */
import { formatTimeMark } from '../../../shared/strings/format.ts'
import { dayMs, withinDay, type UsageRange } from '../usage/range.ts'

export interface Scale {
  kind: 'linear' | 'log'
  min: number
  max: number
  /** At least two marks, from the smallest. */
  marks: readonly number[]
  /** Position from 0 at `min` to 1 at `max`; values outside stay within. */
  position: (value: number) => number
}

/** Steps of marks for values of this unit. */
export type MarkSteps = 'decimal' | 'whole' | 'duration'

const mostMarks = 4
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const longSteps = [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 240].map(
  (minutes) => minutes * minuteMs,
)

/** Scale from zero to a round number at or above `highest`. */
export function linearScale(highest: number, steps: MarkSteps = 'decimal'): Scale {
  const step = highest > 0 ? markStep(highest / mostMarks, steps) : 1
  const count = Math.max(1, Math.ceil(highest / step - 1e-9))
  // Multiplied rather than added up, so that no mark is 0.30000000000000004.
  const marks = Array.from({ length: count + 1 }, (_, index) => round(index * step))
  const max = round(count * step)
  return { kind: 'linear', min: 0, max, marks, position: (value) => clamp(value / max) }
}

function markStep(wanted: number, steps: MarkSteps): number {
  if (steps === 'duration' && wanted * mostMarks >= minuteMs) {
    return longSteps.find((step) => step >= wanted) ?? Math.ceil(wanted / hourMs) * hourMs
  }
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = [1, 2, 2.5, 5, 10]
    .map((factor) => factor * power)
    .find((each) => each >= wanted * (1 - 1e-9))
  const found = round(step ?? 10 * power)
  return steps === 'whole' ? Math.max(1, Math.ceil(found)) : found
}

/** Scale between two round numbers around the values, which are positive. */
export function logScale(lowest: number, highest: number, steps: MarkSteps = 'decimal'): Scale {
  const min = roundDown(lowest)
  const top = steps === 'duration' ? roundUpDuration(highest) : roundUp(highest)
  const max = top > min ? top : min * 10
  const [low, high] = [Math.log10(min), Math.log10(max)]
  return {
    kind: 'log',
    min,
    max,
    marks: steps === 'duration' ? durationMarks(min, max) : logMarks(min, max),
    position: (value) => (value <= min ? 0 : clamp((Math.log10(value) - low) / (high - low))),
  }
}

function logMarks(min: number, max: number): number[] {
  const powers = factorMarks({ min, max }, [1])
  if (powers.length >= 3) return everyNth(powers)
  const finer = factorMarks({ min, max }, [1, 3])
  return finer.length >= 3 ? finer : factorMarks({ min, max }, [1, 2, 5])
}

/** Marks in ms; from a minute on, whole minutes. */
const longMarks = [1, 3, 10, 30, 60, 180, 600].map((minutes) => minutes * minuteMs)

function roundUpDuration(highest: number): number {
  return highest <= minuteMs / 2
    ? roundUp(highest)
    : (longMarks.find((mark) => mark >= highest) ?? roundUp(highest))
}

function durationMarks(min: number, max: number): number[] {
  const short = factorMarks({ min, max: Math.min(max, minuteMs / 2) }, [1])
  const long = longMarks.filter((mark) => mark >= min && mark <= max)
  const marks = [...short, ...long]
  return marks.length >= 2 ? everyNth(marks) : logMarks(min, max)
}

function everyNth(marks: readonly number[]): number[] {
  const distance = Math.ceil(marks.length / (mostMarks + 1))
  return marks.filter((_, index) => index % distance === 0)
}

function factorMarks({ min, max }: { min: number; max: number }, factors: readonly number[]) {
  const marks: number[] = []
  for (let power = Math.floor(Math.log10(min)); power <= Math.ceil(Math.log10(max)); power += 1) {
    for (const factor of factors) {
      const mark = round(factor * 10 ** power)
      if (mark >= min * (1 - 1e-9) && mark <= max * (1 + 1e-9)) marks.push(mark)
    }
  }
  return marks
}

/** When the highest value is this many times the middle one, a linear axis would flatten the others. */
const outlierFactor = 20

/** A linear scale, or a logarithmic one where a few values would flatten all others. */
export function scaleOf(values: readonly (number | null)[], steps: MarkSteps = 'decimal'): Scale {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  const highest = known.at(-1) ?? 0
  const middle = known[Math.floor((known.length - 1) / 2)] ?? 0
  const lowest = known.find((value) => value > 0)
  const isFlattened = middle > 0 && highest > middle * outlierFactor
  return isFlattened && lowest !== undefined
    ? logScale(lowest, highest, steps)
    : linearScale(highest, steps)
}

/** The highest value that bars are drawn to; higher bars are cut off and say so. */
export function barLimit(values: readonly number[]): number {
  const sorted = values.filter((value) => value > 0).toSorted((a, b) => a - b)
  const highest = sorted.at(-1) ?? 0
  const usual = sorted[Math.floor((sorted.length - 1) * 0.95)] ?? 0
  const isOutlier = sorted.length >= 5 && highest > usual * outlierFactor
  return isOutlier ? usual * 2 : highest
}

export interface TimeMark {
  atMs: number
  label: string
}

const timeSteps = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 3, 7, 14, 28, 56, 112, 364].map((days) => days * dayMs),
]

/** @param most  how many marks have room */
export function timeMarks(
  range: Pick<UsageRange, 'fromMs' | 'toMs' | 'offsetMs'>,
  most: number,
): TimeMark[] {
  const { fromMs, toMs, offsetMs } = range
  const spanMs = toMs - fromMs
  const stepMs = timeSteps.find((step) => spanMs / step <= most) ?? spanMs
  const marks: TimeMark[] = []
  const firstMs = Math.ceil((fromMs + offsetMs) / stepMs) * stepMs - offsetMs
  for (let atMs = firstMs; atMs < toMs; atMs += stepMs) {
    marks.push({ atMs, label: timeMarkLabel(atMs, { stepMs, offsetMs }) })
  }
  if (marks.length >= 2) return marks
  return [fromMs, toMs].map((atMs) => ({
    atMs,
    label: timeMarkLabel(atMs, { stepMs: spanMs / 2, offsetMs }),
  }))
}

/** Midnight shows the date. */
function timeMarkLabel(
  atMs: number,
  { stepMs, offsetMs }: { stepMs: number; offsetMs: number },
): string {
  const isMidnight = (atMs + offsetMs) % dayMs === 0
  return isMidnight && stepMs >= hourMs
    ? formatTimeMark(withinDay(atMs), dayMs)
    : formatTimeMark(atMs, stepMs)
}

function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return round(([5, 2, 1].find((factor) => factor * power <= value * (1 + 1e-9)) ?? 1) * power)
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return round(([1, 2, 5, 10].find((factor) => factor * power >= value * (1 - 1e-9)) ?? 10) * power)
}

/** The value without the noise of binary fractions. */
function round(value: number): number {
  return Number(value.toPrecision(12))
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share))
}
