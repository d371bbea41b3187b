/**
 * Chooses the tables to read for each part of a time range: the longest roll-ups possible, and shorter ones or
 * single rows where an edge is inside a cell. Retention deletes the short ones first, in whole UTC days. Where
 * the exact figures were deleted, the cell around the edge counts in full, so no request is left out.
 */
import { resolutions } from './rollups.ts'

const { minuteMs, hourMs, dayMs } = resolutions

/** Rows have no length: they are finer than any cell. */
export const rowLengthMs = 0
const lengths = [rowLengthMs, minuteMs, hourMs, dayMs]

/** The time from which each table is complete, as the start of a UTC day. Roll-ups per day are never deleted. */
export interface CompleteFrom {
  rowsMs: number
  minutesMs: number
  hoursMs: number
}

/** The end of a span without one; both engines compare it with an integer. */
export const noEndMs = Number.MAX_SAFE_INTEGER

/** Requests from `fromMs` until before `toMs`, read from cells of one length (0: from the rows). */
export interface Span {
  lengthMs: number
  fromMs: number
  toMs: number
}

/** The longest cells that fit into buckets whose starts are multiples of a length. */
export function longestWithin(bucketMs: number): number {
  return lengths.findLast((length) => length > 0 && bucketMs % length === 0) ?? rowLengthMs
}

/**
 * Spans that cover all time since `sinceMs` without overlapping.
 * @param longestMs  the longest cells to use where shorter ones are available: a length of
 *   `resolutions`, or `rowLengthMs`
 */
export function coverSince(sinceMs: number, longestMs: number, kept: CompleteFrom): Span[] {
  const changes = [kept.rowsMs, kept.minutesMs, kept.hoursMs].filter((atMs) => atMs > sinceMs)
  const starts = [sinceMs, ...[...new Set(changes)].toSorted((a, b) => a - b)]
  return starts.flatMap((fromMs, index) => {
    const toMs = starts[index + 1] ?? noEndMs
    return coverZone({ fromMs, toMs }, longestMs, lengthsKeptAt(fromMs, kept))
  })
}

/** Like `coverSince`, but for requests that began before `toMs`. The finest cell that contains it counts in full. */
export function coverRange(
  { fromMs, toMs }: { fromMs: number; toMs: number },
  longestMs: number,
  kept: CompleteFrom,
): Span[] {
  return coverSince(fromMs, longestMs, kept).flatMap((span) =>
    span.toMs <= toMs ? [span] : cutAt(span, toMs, lengthsKeptAt(span.fromMs, kept)),
  )
}

/** The part of a span before a moment: its own cells, and shorter ones for the rest. */
function cutAt(span: Span, toMs: number, kept: readonly number[]): Span[] {
  const { lengthMs, fromMs } = span
  if (fromMs >= toMs) return []
  if (lengthMs === rowLengthMs) return [{ ...span, toMs }]
  const wholeMs = Math.max(fromMs, toMs - (toMs % lengthMs))
  const whole = wholeMs > fromMs ? [{ lengthMs, fromMs, toMs: wholeMs }] : []
  if (wholeMs === toMs) return whole
  const shorter = kept.findLast((length) => length < lengthMs)
  const rest = { fromMs: wholeMs, toMs: wholeMs + lengthMs }
  if (shorter === undefined) return [...whole, { lengthMs, ...rest }]
  return [...whole, ...cutAt({ lengthMs: shorter, ...rest }, toMs, kept)]
}

function lengthsKeptAt(timeMs: number, { rowsMs, minutesMs, hoursMs }: CompleteFrom): number[] {
  const since = [rowsMs, minutesMs, hoursMs, -Infinity]
  return lengths.filter((_length, index) => timeMs >= (since[index] ?? 0))
}

/** A zone with the same tables throughout. Only its start can lie within a cell. */
function coverZone(
  zone: Omit<Span, 'lengthMs'>,
  longestMs: number,
  kept: readonly number[],
): Span[] {
  const main = kept.findLastIndex((length) => length <= longestMs)
  const spans: Span[] = []
  let { toMs } = zone
  for (const lengthMs of kept.slice(0, Math.max(main, 0) + 1).toReversed()) {
    const fromMs = lengthMs === rowLengthMs ? zone.fromMs : ceilTo(zone.fromMs, lengthMs)
    if (fromMs < toMs) spans.unshift({ lengthMs, fromMs, toMs })
    toMs = Math.min(toMs, fromMs)
  }
  if (toMs > zone.fromMs) countWhole(spans, { fromMs: zone.fromMs, toMs }, kept[0] ?? dayMs)
  return spans
}

/** Counts the shortest cell around a rest in full, where no table is fine enough for it. */
function countWhole(spans: Span[], rest: Omit<Span, 'lengthMs'>, lengthMs: number): void {
  const fromMs = rest.fromMs - (rest.fromMs % lengthMs)
  const [first] = spans
  if (first?.lengthMs === lengthMs) first.fromMs = fromMs
  else spans.unshift({ lengthMs, fromMs, toMs: rest.toMs })
}

function ceilTo(timeMs: number, lengthMs: number): number {
  return Math.ceil(timeMs / lengthMs) * lengthMs
}
