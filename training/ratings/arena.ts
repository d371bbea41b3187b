/** Reads a table extracted from LMArena's text leaderboard with style control. */
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
  /** Figures over all prompts, by the source's name of the model. */
  overall: ReadonlyMap<string, ArenaFigure>
  /** Figures by category, then by name. */
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
