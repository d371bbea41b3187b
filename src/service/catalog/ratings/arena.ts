/** Reads LMArena's text leaderboard with style control: its published file, and tables extracted from it. */
import { z } from 'zod'
import { readTable } from './read-table.ts'

/** A rating and half the width of its 95 % interval, in points. */
export interface ArenaFigure {
  points: number
  halfWidth: number
}

export interface ArenaTable {
  /** `YYYY-MM-DD`. */
  asOf: string
  /** Over all prompts, by the source's name of the model. */
  overall: ReadonlyMap<string, ArenaFigure>
  /** By category, then by name. */
  categories: ReadonlyMap<string, ReadonlyMap<string, ArenaFigure>>
}

/** The categories that tell topics apart. Every other category of the source is left out. */
export const arenaCategories = [
  'coding',
  'creative_writing',
  'if',
  'industry_business_and_management_and_financial_operations',
  'industry_legal_and_government',
  'industry_life_and_physical_and_social_science',
  'industry_medicine_and_healthcare',
  'industry_writing_and_literature_and_language',
  'math',
] as const
export type ArenaCategory = (typeof arenaCategories)[number]

const points = z.number().min(0).max(5_000)
const figureSchema = z.object({ rating: points, rating_q975: points, rating_q025: points })
const documentSchema = z.looseObject({
  full: z
    .record(z.string().max(200), figureSchema)
    .refine((models) => Object.keys(models).length > 0, 'it lists no model'),
})

/** @throws z.ZodError for any other file */
export function readArena(document: unknown, asOf: string): ArenaTable {
  const { full, ...others } = documentSchema.parse(document)
  const categories = arenaCategories.flatMap(
    (name): [string, ReadonlyMap<string, ArenaFigure>][] => {
      const listed = z.record(z.string().max(200), figureSchema).safeParse(others[name])
      return listed.success ? [[name, figuresOf(listed.data)]] : []
    },
  )
  return { asOf, overall: figuresOf(full), categories: new Map(categories) }
}

function figuresOf(
  models: Record<string, z.output<typeof figureSchema>>,
): ReadonlyMap<string, ArenaFigure> {
  return new Map(
    Object.entries(models).map(([name, { rating, rating_q975, rating_q025 }]) => [
      name,
      { points: rating, halfWidth: Math.abs(rating_q975 - rating_q025) / 2 },
    ]),
  )
}

/**
 * A table with the columns `<category>` and `<category>_hw`, the half width.
 * @throws z.ZodError for any other table
 */
export function readArenaTable(text: string, asOf: string): ArenaTable {
  const table = readTable(text)
  const ofCategory = (category: string) =>
    new Map(
      [...table].flatMap(([name, row]): [string, ArenaFigure][] => {
        const rating = row.get(category)
        const halfWidth = row.get(`${category}_hw`)
        return rating === undefined || halfWidth === undefined
          ? []
          : [[name, { points: points.parse(rating), halfWidth }]]
      }),
    )
  return {
    asOf,
    overall: ofCategory('full'),
    categories: new Map(arenaCategories.map((name) => [name, ofCategory(name)])),
  }
}
