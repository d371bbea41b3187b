/**
 * Which tables answer for which part of a time range: roll-ups as long as the question allows, and
 * shorter ones, at last the rows themselves, at an edge in the middle of a cell. Retention removes the
 * short ones first, whole UTC days of them; where what would be exact is gone, the cell the edge lies
 * in is counted whole, so that nothing is left out.
 */
import { resolutions } from './rollups.ts'

const { minuteMs, hourMs, dayMs } = resolutions

/** Rows have no length: they are finer than any cell. */
export const rowLengthMs = 0
const lengths = [rowLengthMs, minuteMs, hourMs, dayMs]

/** Since when each table is complete, as the start of a UTC day. Roll-ups per day are never removed. */
export interface KeptFrom {
  rowsMs: number
  minutesMs: number
  hoursMs: number
}

/** What starts from `fromMs` on and before `toMs`, taken from cells of one length (0: from the rows). */
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
 * Spans that cover everything since a time, each moment once.
 * @param longestMs  the longest cells that may be used where shorter ones are kept: a length of
 *   `resolutions`, or `rowLengthMs`
 */
export function coverSince(sinceMs: number, longestMs: number, kept: KeptFrom): Span[] {
  const changes = [kept.rowsMs, kept.minutesMs, kept.hoursMs].filter((atMs) => atMs > sinceMs)
  const starts = [sinceMs, ...[...new Set(changes)].toSorted((a, b) => a - b)]
  return starts.flatMap((fromMs, index) => {
    const toMs = starts[index + 1] ?? Infinity
    return coverZone({ fromMs, toMs }, longestMs, lengthsKeptAt(fromMs, kept))
  })
}

function lengthsKeptAt(timeMs: number, { rowsMs, minutesMs, hoursMs }: KeptFrom): number[] {
  const since = [rowsMs, minutesMs, hoursMs, -Infinity]
  return lengths.filter((_length, index) => timeMs >= (since[index] ?? 0))
}

/** A zone in which the same tables are kept throughout. Only its start can lie within a cell. */
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

/** Nothing kept is short enough for the rest: the shortest cell it lies in is taken as a whole. */
function countWhole(spans: Span[], rest: Omit<Span, 'lengthMs'>, lengthMs: number): void {
  const fromMs = rest.fromMs - (rest.fromMs % lengthMs)
  const [first] = spans
  if (first?.lengthMs === lengthMs) first.fromMs = fromMs
  else spans.unshift({ lengthMs, fromMs, toMs: rest.toMs })
}

function ceilTo(timeMs: number, lengthMs: number): number {
  return Math.ceil(timeMs / lengthMs) * lengthMs
}
