/** The ledger's spans by day and model, and the time zone in which they fit the bill best. */
import type { Days } from './days.ts'
import { emptyFigures, theirTokens, type OurFigures } from './line.ts'
import type { ModelSpan } from '../storage/storage.ts'
import type { TheirSum } from './theirs.ts'

const hourMs = 3_600_000

/** A span with the key that all names of its model share. */
export interface KeyedSpan extends ModelSpan {
  key: string
}

export type FiguresByDay = ReadonlyMap<string, OurFigures>

export function placeOf(key: string, day: string): string {
  return `${day} ${key}`
}

/** @param shiftMs  added to every time before its day is taken */
export function figuresByDay(spans: readonly KeyedSpan[], days: Days, shiftMs = 0): FiguresByDay {
  const byDay = new Map<string, OurFigures>()
  for (const span of spans) {
    const place = placeOf(span.key, days.dayOf(span.startMs + shiftMs))
    const figures = byDay.get(place) ?? emptyFigures()
    byDay.set(place, figures)
    figures.requests += span.requests
    figures.estimated += span.estimated
    figures.fallbacks += span.fallbacks
    figures.reasoning += span.reasoning
    figures.costNanoUsd += span.costNanoUsd
    figures.tokens.input += span.input
    figures.tokens.cacheRead += span.cacheRead
    figures.tokens.cacheWrite += span.cacheWrite
    // The ledger's output is without reasoning, which every vendor bills as output.
    figures.tokens.output += span.output + span.reasoning
  }
  return byDay
}

/** A shift has to remove most of the mismatch, and there has to be enough of it that requests near midnight cannot be all. */
const leastMismatch = 0.02
const mostLeft = 0.4

/**
 * The hours by which the bill's days begin before those of the chosen zone, if the tokens fit clearly better so; 0
 * otherwise.
 */
export function findShift(
  sums: readonly TheirSum[],
  keyOf: (name: string) => string,
  { spans, days }: { spans: readonly KeyedSpan[]; days: Days },
): number {
  const theirs = new Map<string, number>()
  for (const sum of sums) {
    const tokens = sum.tier === 'batch' ? null : theirTokens([sum])
    if (tokens === null || sum.name === null) continue
    const place = placeOf(keyOf(sum.name), sum.day)
    theirs.set(place, (theirs.get(place) ?? 0) + tokens.input + tokens.output)
  }
  const all = [...theirs.values()].reduce((total, tokens) => total + tokens, 0)
  const mismatchOf = (hours: number) => mismatch(theirs, figuresByDay(spans, days, hours * hourMs))
  const unshifted = mismatchOf(0)
  if (unshifted <= leastMismatch * all) return 0
  let best = { hours: 0, tokens: mostLeft * unshifted }
  for (let hours = -14; hours <= 14; hours += 1) {
    const tokens = hours === 0 ? Infinity : mismatchOf(hours)
    if (tokens < best.tokens) best = { hours, tokens }
  }
  return best.hours
}

function mismatch(theirs: ReadonlyMap<string, number>, ours: FiguresByDay): number {
  let sum = 0
  for (const [place, tokens] of theirs) {
    const figures = ours.get(place)
    sum += Math.abs(tokens - (figures ? figures.tokens.input + figures.tokens.output : 0))
  }
  return sum
}
