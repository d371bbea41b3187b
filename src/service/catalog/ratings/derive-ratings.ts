/**
 * Ratings of the catalogue's models from the tables of LMArena and LiveBench. The build script and the refresh of
 * the catalogue both call this; docs/models.md explains the rules.
 */
import type { ReasoningEffort } from '../../../shared/model-facts.ts'
import type { ArenaTable } from './arena.ts'
import { combine, isFarther } from './combine-parts.ts'
import { effortsOf, outputRatioAt } from './derive-efforts.ts'
import type { LiveBenchRelease } from './livebench.ts'
import { effortSteps, lineOf, type EffortStep, type ReleaseLine } from './lines.ts'
import { indexSource } from './listings.ts'
import { arenaResiduals, liveBenchResiduals } from './offsets.ts'
import { ratedModels, type RatedModel, type Sibling } from './rated-models.ts'
import type { Rated, Ratings } from './ratings.ts'
import {
  arenaPart,
  liveBenchPart,
  type MovedPart,
  type Release,
  type Subject,
  type Tables,
} from './source-parts.ts'
import { quantile } from './statistics.ts'
import { ratioAt, ratiosOf } from './verbosity.ts'

export interface RatingSources {
  /** Null: the present figures of this source stay. */
  arena: ArenaTable | null
  /** Newest first; empty: the present figures of this source stay. */
  liveBench: readonly LiveBenchRelease[]
}

/** The newest releases; earlier ones rate few models at several efforts. */
const releasesWithSteps = 2
const siblingStrength = 5
/** The standard deviation between a model and its predecessor, as half a 95 % interval. */
const siblingHalfWidth = 60
const pointsPerHalving = 40

/**
 * @param present  figures of a source that is missing, or that no longer lists a model, are taken from here
 */
export function deriveRatings(sources: RatingSources, present: Ratings | null): Ratings {
  const tables = indexTables(sources, present)
  const models = Object.entries(ratedModels).flatMap(([key, model]): [string, Rated][] => {
    const rated = rateModel(model, present?.models[key] ?? null, tables)
    return rated === null ? [] : [[key, rated]]
  })
  const { releases, steps, usualRatio } = tables
  const read = new Set(releases.map(({ line }) => line.release))
  const kept = present?.lines.filter(({ release }) => !read.has(release)) ?? []
  return {
    lines: [...releases.map(({ line }) => roundedLine(line)), ...kept],
    steps: steps.map(roundedStep),
    usualRatio,
    models: Object.fromEntries(models),
  }
}

function indexTables({ arena, liveBench }: RatingSources, present: Ratings | null): Tables {
  const arenaIndex = arena && indexSource(arena.overall)
  const releases = liveBench.flatMap((read): Release[] => {
    const index = indexSource(read.rows)
    const kept = present?.lines.find(({ release }) => release === read.release) ?? null
    const line = arenaIndex ? lineOf(read.release, index, arenaIndex) : kept
    const residuals = liveBenchResiduals(read.rows)
    return line === null ? [] : [{ line, index, residuals, ratios: indexSource(ratiosOf(read)) }]
  })
  return {
    arena: arena &&
      arenaIndex && { asOf: arena.asOf, index: arenaIndex, residuals: residualsByFigure(arena) },
    releases,
    steps:
      releases.length === 0 && present
        ? present.steps
        : effortSteps(releases.slice(0, releasesWithSteps)),
    usualRatio: usualRatioOf(releases) ?? present?.usualRatio ?? 1,
  }
}

function residualsByFigure(arena: ArenaTable): NonNullable<Tables['arena']>['residuals'] {
  const byName = arenaResiduals(arena)
  return new Map(
    [...arena.overall].flatMap(([name, figure]) => {
      const residuals = byName.get(name)
      return residuals ? [[figure, residuals] as const] : []
    }),
  )
}

/** The median of the catalogue's models, each as if it had been counted at `xhigh`. */
function usualRatioOf(releases: readonly Release[]): number | null {
  const ratios = releases.flatMap(({ ratios: index }) =>
    Object.values(ratedModels).flatMap((model) =>
      index
        .listingsOf(model)
        .filter(({ effort }) => effort !== null && effort !== 'none')
        .map(({ effort, row }) => ratioAt({ ratio: row, effort }, 'xhigh')),
    ),
  )
  return ratios.length === 0 ? null : quantile(ratios, 0.5)
}

/** @returns null for a model that no source rates, neither itself nor as a sibling */
function rateModel(model: RatedModel, present: Rated | null, tables: Tables): Rated | null {
  const { sibling } = model
  return (
    rateSubject(model, present?.rating.basis === 'measured' ? present : null, tables) ??
    (sibling ? rateSibling(model.defaultEffort, sibling, { present, tables }) : null)
  )
}

function rateSubject(
  model: Pick<RatedModel, 'names' | 'defaultEffort'>,
  present: Rated | null,
  tables: Tables,
): Rated | null {
  const { names, defaultEffort } = model
  const subject = { names, defaultEffort, effort: defaultEffort }
  const { arena, liveBench } = partsOf(subject, present, tables)
  const parts = [arena, liveBench].filter((part) => part !== null)
  const combined = combine(parts)
  if (combined === null) return null
  const rating = {
    effort: defaultEffort,
    ...combined,
    outputRatio: keptRatio(present, tables) ?? outputRatioAt(subject, tables),
    basis: 'measured' as const,
  }
  const isKept =
    present !== null &&
    (isPartial(tables) ||
      parts.some((part) => part === present.arena || part === present.liveBench))
  const found = isKept ? [] : effortsOf(subject, tables)
  const kept = present ? shifted(present, rating.points) : []
  const efforts = found.length < kept.length ? kept : found
  return { rating, efforts, arena, liveBench }
}

/** Null if tokens were counted again, or never before. */
function keptRatio(present: Rated | null, { releases }: Tables): number | null {
  const isCounted = releases.some(({ ratios }) => ratios.all.size > 0)
  return isCounted || present === null ? null : present.rating.outputRatio
}

function isPartial({ arena, releases }: Tables): boolean {
  return arena === null || releases.length === 0
}

/** The present efforts, as far from the rating as they were. */
function shifted({ rating, efforts }: Rated, points: number): Rated['efforts'] {
  return efforts.map((effort) => ({ ...effort, points: effort.points + points - rating.points }))
}

/** What each source says; its present figure where it says nothing, or where only the other one could move it. */
function partsOf(
  subject: Subject,
  present: Rated | null,
  tables: Tables,
): Pick<Rated, 'arena' | 'liveBench'> {
  const arena = arenaPart(subject, tables)
  const liveBench = liveBenchPart(subject, tables)
  if (present && isPartial(tables)) {
    const unmoved = (moved: MovedPart | null) => (moved?.isMoved === false ? moved.part : null)
    return {
      arena: unmoved(arena) ?? present.arena,
      liveBench: unmoved(liveBench) ?? present.liveBench,
    }
  }
  return {
    arena: isFarther(arena, liveBench) ? null : (arena?.part ?? present?.arena ?? null),
    liveBench: isFarther(liveBench, arena) ? null : (liveBench?.part ?? present?.liveBench ?? null),
  }
}

function rateSibling(
  effort: ReasoningEffort | null,
  { name, defaultEffort, halvings }: Sibling,
  { present, tables }: { present: Rated | null; tables: Tables },
): Rated | null {
  const subject = { names: [name], defaultEffort }
  const rated = rateSubject(subject, present, tables)
  if (rated === null) return null
  const { points, halfWidth, offsets, source, asOf } = rated.rating
  const size = halvings === 0 ? '' : `, ${sizeWords(halvings)}`
  const rating = {
    effort,
    points: Math.round(points - pointsPerHalving * halvings),
    halfWidth: Math.round(Math.hypot(halfWidth, siblingHalfWidth, pointsPerHalving * halvings)),
    strength: siblingStrength,
    offsets: halvings === 0 ? offsets : {},
    outputRatio: keptRatio(present, tables) ?? outputRatioAt({ ...subject, effort }, tables),
    source: `that of ${name}${size}: ${source}`,
    asOf,
    basis: 'sibling' as const,
  }
  return { ...rated, rating, efforts: [] }
}

function sizeWords(halvings: number): string {
  const points = Math.round(Math.abs(pointsPerHalving * halvings))
  return halvings > 0 ? `less ${points} for its size` : `plus ${points} for its size`
}

/** One decimal says all there is to say. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

function roundedLine({ intercept, slope, residual, ...line }: ReleaseLine): ReleaseLine {
  return {
    ...line,
    intercept: rounded(intercept),
    slope: rounded(slope),
    residual: rounded(residual),
  }
}

function roundedStep({ points, spread, ...step }: EffortStep): EffortStep {
  return { ...step, points: rounded(points), spread: rounded(spread) }
}
