/**
 * Scores of LiveBench as points of LMArena. Releases differ in difficulty, so each has a line of its own,
 * through the models that both sources rate at the same effort.
 */
import type { ReasoningEffort } from '../../src/shared/models/model-facts.ts'
import { reasoningEfforts } from '../../src/shared/models/model-facts.ts'
import type { ArenaFigure } from './arena.ts'
import { logitOfShare, type LiveBenchRow } from './livebench.ts'
import type { SourceIndex } from './listings.ts'
import { ratedModels } from './rated-models.ts'
import { fitLine, quantile, standardDeviation, type Line } from './statistics.ts'

export interface ReleaseLine extends Line {
  release: string
}

/** The difference in points from one effort to the next, over the models that LiveBench rates at both. */
export interface EffortStep {
  from: ReasoningEffort
  to: ReasoningEffort
  points: number
  /** Standard deviation between models. */
  spread: number
}

/** A line through fewer models would say more of them than of the release. */
const fewestPairs = 8
/** Pairs of efforts further apart say too little of each step between them. */
const longestStride = 2

export function logitOf({ overall }: LiveBenchRow): number {
  return logitOfShare(overall)
}

export function pointsOn(line: Line, row: LiveBenchRow): number {
  return line.intercept + line.slope * logitOf(row)
}

/** @returns null where too few models are in both sources */
export function lineOf(
  release: string,
  rows: SourceIndex<LiveBenchRow>,
  arena: SourceIndex<ArenaFigure>,
): ReleaseLine | null {
  const points = pairsOf(rows, arena).map(([row, figure]): [number, number] => [
    logitOf(row),
    figure.points,
  ])
  return points.length < fewestPairs ? null : { release, ...fitLine(points) }
}

/** The rows of the same model at the same effort: those of the catalogue, and all with the same name. */
function pairsOf(
  rows: SourceIndex<LiveBenchRow>,
  arena: SourceIndex<ArenaFigure>,
): [LiveBenchRow, ArenaFigure][] {
  const models = Object.values(ratedModels)
  const ours = new Set(models.flatMap(({ names }) => names))
  const listings = [
    ...models.map((model) => [rows.listingsOf(model), arena.listingsOf(model)] as const),
    ...[...rows.all]
      .filter(([base]) => !ours.has(base))
      .map(([base, listed]) => [listed, arena.all.get(base) ?? []] as const),
  ]
  return listings.flatMap(([mine, theirs]) =>
    mine.flatMap(({ effort, row }): [LiveBenchRow, ArenaFigure][] => {
      const same = theirs.find((listing) => listing.effort === effort)
      return same ? [[row, same.row]] : []
    }),
  )
}

export function effortSteps(
  releases: readonly { index: SourceIndex<LiveBenchRow>; line: Line }[],
): EffortStep[] {
  const gains = releases.flatMap(({ index, line }) =>
    Object.values(ratedModels).flatMap((model) =>
      gainsOf(
        new Map(index.listingsOf(model).map(({ effort, row }) => [effort, pointsOn(line, row)])),
      ),
    ),
  )
  return reasoningEfforts.slice(1).map((to, place) => {
    const from = reasoningEfforts[place] ?? to
    const found = gains.filter((gain) => gain.from === from).map(({ points }) => points)
    const isFound = found.length > 0
    return {
      from,
      to,
      points: isFound ? quantile(found, 0.5) : 0,
      spread: isFound ? standardDeviation(found) : unknownSpread,
    }
  })
}

/** What each step adds for one model; a gain across two steps is shared between them. */
function gainsOf(
  points: ReadonlyMap<ReasoningEffort | null, number>,
): { from: ReasoningEffort; points: number }[] {
  const present = reasoningEfforts.filter((effort) => points.has(effort))
  return present.slice(1).flatMap((to, place) => {
    const steps = stepsBetween(present[place] ?? to, to)
    const gain = (points.get(to) ?? 0) - (points.get(present[place] ?? to) ?? 0)
    return steps.length > longestStride
      ? []
      : steps.map((from) => ({ from, points: gain / steps.length }))
  })
}

/** Spread of a step without a model that was rated at both ends: it is assumed to change nothing. */
const unknownSpread = 15

/** The lower ends of all steps from one effort up to another. */
function stepsBetween(from: ReasoningEffort, to: ReasoningEffort): ReasoningEffort[] {
  return reasoningEfforts.slice(reasoningEfforts.indexOf(from), reasoningEfforts.indexOf(to))
}

/** The points to add for another effort, with the standard deviation; zero where neither can be chosen. */
export function moveAlong(
  steps: readonly EffortStep[],
  from: ReasoningEffort | null,
  to: ReasoningEffort | null,
): { points: number; spread: number } {
  if (from === null || to === null || from === to) return { points: 0, spread: 0 }
  const isUp = reasoningEfforts.indexOf(from) < reasoningEfforts.indexOf(to)
  const crossed = new Set<string>(isUp ? stepsBetween(from, to) : stepsBetween(to, from))
  const taken = steps.filter((step) => crossed.has(step.from))
  const points = taken.reduce((sum, step) => sum + step.points, 0)
  const variance = taken.reduce((sum, { spread }) => sum + spread ** 2, 0)
  return { points: isUp ? points : -points, spread: Math.sqrt(variance) }
}
