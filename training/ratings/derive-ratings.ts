/** Ratings of the catalogue's models from the tables of LMArena and LiveBench; docs/models.md explains the rules. */
import type { ReasoningEffort } from '../../src/shared/models/model-facts.ts'
import type { ArenaTable } from './arena.ts'
import { combine } from './combine-parts.ts'
import { effortsOf, outputRatioAt } from './derive-efforts.ts'
import type { LiveBenchRelease } from './livebench.ts'
import { effortSteps, lineOf } from './lines.ts'
import { indexSource } from './listings.ts'
import { arenaResiduals, liveBenchResiduals } from './offsets.ts'
import { ratedModels, type RatedModel, type Sibling } from './rated-models.ts'
import type { Rated, Ratings } from './ratings.ts'
import { partsOf, type Release, type Tables } from './source-parts.ts'
import { quantile } from './statistics.ts'
import { ratioAt, ratiosOf } from './verbosity.ts'

interface RatingSources {
  arena: ArenaTable
  /** Releases, newest first. */
  liveBench: readonly LiveBenchRelease[]
}

/** The newest releases; earlier ones rate few models at several efforts. */
const releasesWithSteps = 2
const siblingStrength = 5
/** The standard deviation between a model and its predecessor, as half a 95 % interval. */
const siblingHalfWidth = 60
const pointsPerHalving = 40

/** The models that a source rates, themselves or as a sibling. */
export function deriveRatings(sources: RatingSources): Ratings {
  const tables = indexTables(sources)
  return Object.fromEntries(
    Object.entries(ratedModels).flatMap(([weights, model]): [string, Rated][] => {
      const { sibling } = model
      const rated =
        rateSubject(model, tables) ??
        (sibling ? rateSibling(model.defaultEffort, sibling, tables) : null)
      return rated === null ? [] : [[weights, rated]]
    }),
  )
}

function indexTables({ arena, liveBench }: RatingSources): Tables {
  const arenaIndex = indexSource(arena.overall)
  const releases = liveBench.flatMap((read): Release[] => {
    const index = indexSource(read.rows)
    const line = lineOf(read.release, index, arenaIndex)
    const residuals = liveBenchResiduals(read.rows)
    return line === null ? [] : [{ line, index, residuals, ratios: indexSource(ratiosOf(read)) }]
  })
  return {
    arena: { asOf: arena.asOf, index: arenaIndex, residuals: residualsByFigure(arena) },
    releases,
    steps: effortSteps(releases.slice(0, releasesWithSteps)),
    usualRatio: usualRatioOf(releases),
  }
}

function residualsByFigure(arena: ArenaTable): Tables['arena']['residuals'] {
  const byName = arenaResiduals(arena)
  return new Map(
    [...arena.overall].flatMap(([name, figure]) => {
      const residuals = byName.get(name)
      return residuals ? [[figure, residuals] as const] : []
    }),
  )
}

/** The median of the catalogue's models, each as if it had been counted at `xhigh`. */
function usualRatioOf(releases: readonly Release[]): number {
  const ratios = releases.flatMap(({ ratios: index }) =>
    Object.values(ratedModels).flatMap((model) =>
      index
        .listingsOf(model)
        .filter(({ effort }) => effort !== null && effort !== 'none')
        .map(({ effort, row }) => ratioAt({ ratio: row, effort }, 'xhigh')),
    ),
  )
  return ratios.length === 0 ? 1 : quantile(ratios, 0.5)
}

/** @returns null for a model that no source rates */
function rateSubject(
  { names, defaultEffort }: Pick<RatedModel, 'names' | 'defaultEffort'>,
  tables: Tables,
): Rated | null {
  const subject = { names, defaultEffort, effort: defaultEffort }
  const combined = combine(partsOf(subject, tables))
  if (combined === null) return null
  const outputRatio = outputRatioAt(subject, tables)
  return {
    rating: { effort: defaultEffort, ...combined, outputRatio, basis: 'measured' },
    efforts: effortsOf(subject, tables),
  }
}

function rateSibling(
  effort: ReasoningEffort | null,
  { name, defaultEffort, halvings }: Sibling,
  tables: Tables,
): Rated | null {
  const subject = { names: [name], defaultEffort }
  const rated = rateSubject(subject, tables)
  if (rated === null) return null
  const { points, halfWidth, offsets, source, asOf } = rated.rating
  const size = halvings === 0 ? '' : `, ${sizeWords(halvings)}`
  const rating = {
    effort,
    points: Math.round(points - pointsPerHalving * halvings),
    halfWidth: Math.round(Math.hypot(halfWidth, siblingHalfWidth, pointsPerHalving * halvings)),
    strength: siblingStrength,
    offsets: halvings === 0 ? offsets : {},
    outputRatio: outputRatioAt({ ...subject, effort }, tables),
    source: `that of ${name}${size}: ${source}`,
    asOf,
    basis: 'sibling' as const,
  }
  return { rating, efforts: [] }
}

function sizeWords(halvings: number): string {
  const points = Math.round(Math.abs(pointsPerHalving * halvings))
  return halvings > 0 ? `less ${points} for its size` : `plus ${points} for its size`
}
