/** What each source says of one model at one reasoning effort. */
import type { ReasoningEffort } from '../../src/shared/models/model-facts.ts'
import type { ArenaCategory, ArenaFigure } from './arena.ts'
import type { LiveBenchCategory, LiveBenchRow } from './livebench.ts'
import { moveAlong, pointsOn, type EffortStep, type ReleaseLine } from './lines.ts'
import { distance, nearest, type Listing, type SourceIndex } from './listings.ts'
import { offsetsOf } from './offsets.ts'
import type { RatedModel } from './rated-models.ts'
import type { RatingPart } from './ratings.ts'

export interface Subject extends Pick<RatedModel, 'names' | 'defaultEffort'> {
  /** The one that is rated. */
  effort: ReasoningEffort | null
}

export interface Release {
  line: ReleaseLine
  index: SourceIndex<LiveBenchRow>
  residuals: ReadonlyMap<LiveBenchRow, ReadonlyMap<LiveBenchCategory, number>>
  /** Output ratios of the rows whose tokens were counted. */
  ratios: SourceIndex<number>
}

export interface Tables {
  arena: {
    asOf: string
    index: SourceIndex<ArenaFigure>
    residuals: ReadonlyMap<ArenaFigure, ReadonlyMap<ArenaCategory, number>>
  }
  /** Releases, newest first; those without a line are left out. */
  releases: readonly Release[]
  steps: readonly EffortStep[]
  usualRatio: number
}

interface MovedPart {
  part: RatingPart
  /** Moved across several efforts, as models usually do and not as a source measured. */
  isFar: boolean
}

/** 1.96 standard deviations are half of a 95 % interval. */
const deviationsPerHalfWidth = 1.96
/** LMArena's figures of a model with many votes. */
const narrowHalfWidth = 8
const strengths = { arena: 25, liveBench: 15, wide: 10 }
/** The residuals of one effort say something of the next one, and little of others. */
const nearEffort = 1

export function arenaSource(asOf: string): string {
  return `LMArena (arena.ai), text leaderboard with style control, ${asOf}`
}

function liveBenchSource(release: string): string {
  return `LiveBench, release ${release}`
}

/** What each source says of it: none, one or both. A figure moved far adds nothing to one that is not. */
export function partsOf(subject: Subject, tables: Tables): RatingPart[] {
  const found = [arenaPart(subject, tables), liveBenchPart(subject, tables)].filter(
    (part) => part !== null,
  )
  const near = found.filter(({ isFar }) => !isFar)
  return (near.length > 0 ? near : found).map(({ part }) => part)
}

/** @returns null for a model that the table does not list */
function arenaPart(subject: Subject, tables: Tables): MovedPart | null {
  const { asOf, index, residuals } = tables.arena
  const found = nearest(index.listingsOf(subject), subject.effort)
  if (found === null) return null
  const move = moveBy(found.effort, subject.effort, {
    measured: liveBenchGap(subject, found.effort, tables),
    steps: tables.steps,
  })
  const { points, halfWidth } = found.row
  const part = {
    points: Math.round(points + move.points),
    halfWidth: halfWidthOf(halfWidth, deviationsPerHalfWidth * move.spread),
    strength: strengthOf(halfWidth, move.isMeasured),
    offsets: offsetsOf(null, residuals.get(found.row) ?? null),
    source: arenaSource(asOf),
    asOf,
  }
  return movedPart(part, { from: found.effort, to: subject.effort, move })
}

/** Whole points; no figure is exact. */
function halfWidthOf(...errors: number[]): number {
  return Math.max(1, Math.round(Math.hypot(...errors)))
}

function strengthOf(halfWidth: number, isMeasured: boolean): number {
  if (halfWidth >= narrowHalfWidth) return strengths.wide
  return isMeasured ? strengths.arena : strengths.liveBench
}

/** @returns null for a model that no release with a line lists */
function liveBenchPart(subject: Subject, tables: Tables): MovedPart | null {
  const found = liveBenchRow(subject, tables)
  if (found === null) return null
  const { release, listing } = found
  const { effort, row } = listing
  const move = moveBy(effort, subject.effort, {
    measured: arenaGap(subject, effort, tables),
    steps: tables.steps,
  })
  const isNear = distance(effort, subject.effort) <= nearEffort
  const part = {
    points: Math.round(pointsOn(release.line, row) + move.points),
    halfWidth: halfWidthOf(
      deviationsPerHalfWidth * release.line.residual,
      deviationsPerHalfWidth * move.spread,
    ),
    strength: strengths.liveBench,
    offsets: offsetsOf(isNear ? (release.residuals.get(row) ?? null) : null, null),
    source: liveBenchSource(release.line.release),
    asOf: release.line.release,
  }
  return movedPart(part, { from: effort, to: subject.effort, move })
}

/** The newest release that rates the effort itself, otherwise the nearest effort of any. */
function liveBenchRow(
  subject: Subject,
  { releases }: Tables,
): { release: Release; listing: Listing<LiveBenchRow> } | null {
  const found = releases.flatMap((release) => {
    const listing = nearest(release.index.listingsOf(subject), subject.effort)
    return listing === null ? [] : [{ release, listing }]
  })
  const steps = ({ listing }: { listing: Listing<unknown> }) =>
    distance(listing.effort, subject.effort)
  return found.toSorted((a, b) => steps(a) - steps(b))[0] ?? null
}

function movedPart(
  part: RatingPart,
  { from, to, move }: { from: ReasoningEffort | null; to: ReasoningEffort | null; move: Move },
): MovedPart {
  return { part, isFar: !move.isMeasured && distance(from, to) > nearEffort }
}

interface Move {
  points: number
  /** Standard deviation. */
  spread: number
  isMeasured: boolean
}

/** Difference between two efforts: by the other source where it rates the model at both, otherwise the usual one. */
function moveBy(
  from: ReasoningEffort | null,
  to: ReasoningEffort | null,
  { measured, steps }: { measured: number | null; steps: readonly EffortStep[] },
): Move {
  const usual = moveAlong(steps, from, to)
  if (from === to || measured === null) return { ...usual, isMeasured: from === to }
  return { points: measured, spread: usual.spread, isMeasured: true }
}

/** How much more the rated effort has than another one, in the newest release with both; null without one. */
function liveBenchGap(
  subject: Subject,
  from: ReasoningEffort | null,
  { releases }: Tables,
): number | null {
  for (const { index, line } of releases) {
    const listings = index.listingsOf(subject)
    const before = listings.find(({ effort }) => effort === from)
    const after = listings.find(({ effort }) => effort === subject.effort)
    if (before && after) return pointsOn(line, after.row) - pointsOn(line, before.row)
  }
  return null
}

function arenaGap(
  subject: Subject,
  from: ReasoningEffort | null,
  { arena }: Tables,
): number | null {
  const listings = arena.index.listingsOf(subject)
  const before = listings.find(({ effort }) => effort === from)
  const after = listings.find(({ effort }) => effort === subject.effort)
  return before && after ? after.row.points - before.row.points : null
}
