/** Reads a release of LiveBench: its table of scores, the categories of its tasks and its token counts. */
import { z } from 'zod'
import { readTable } from './read-table.ts'
import { mean } from './statistics.ts'

export interface LiveBenchRow {
  /** Share of points by category, 0 to 1. */
  categories: ReadonlyMap<LiveBenchCategory, number>
  /** The mean of all categories, 0 to 1. */
  overall: number
}

export interface LiveBenchRelease {
  /** `YYYY-MM-DD`, the name of the release. */
  release: string
  /** Rows by the source's name of the model. */
  rows: ReadonlyMap<string, LiveBenchRow>
  /** Output tokens by task, by the source's name of the model; empty where the release counts none. */
  tokens: ReadonlyMap<string, ReadonlyMap<string, number>>
}

export const liveBenchCategories = [
  'Reasoning',
  'Coding',
  'Agentic Coding',
  'Mathematics',
  'Data Analysis',
  'Language',
  'IF',
] as const
export type LiveBenchCategory = (typeof liveBenchCategories)[number]

export interface LiveBenchFiles {
  release: string
  /** `table_….csv`: a row for each model and effort, a column for each task, 0 to 100. */
  table: string
  /** `categories_….json`: the tasks of each category. */
  categories: unknown
  /** `cost_….csv`: among others, the output tokens of each task; null where the release has none. */
  cost: string | null
}

const categoriesSchema = z.record(z.string(), z.array(z.string().max(200)).min(1))
const score = z.number().min(0).max(100)
/** A share beyond these says nothing more, and its logit would outweigh all others. */
const leastShare = 0.02
const tokenColumn = 'out_'
/** Many turns with tools: their tokens are not the length of one answer. */
const agenticTasks = new Set(['javascript', 'typescript', 'python'])

/** @throws z.ZodError for any other files */
export function readLiveBench(files: LiveBenchFiles): LiveBenchRelease {
  const tasksOf = categoriesSchema.parse(files.categories)
  const rows = [...readTable(files.table)].flatMap(([name, scores]): [string, LiveBenchRow][] => {
    const categories = new Map(
      liveBenchCategories.flatMap((category): [LiveBenchCategory, number][] => {
        const values = (tasksOf[category] ?? []).flatMap((task) => scores.get(task) ?? [])
        return values.length === 0
          ? []
          : [[category, mean(values.map((one) => score.parse(one))) / 100]]
      }),
    )
    return categories.size === 0
      ? []
      : [[name, { categories, overall: mean([...categories.values()]) }]]
  })
  return {
    release: files.release,
    rows: new Map(rows),
    tokens: files.cost === null ? new Map() : tokensOf(files.cost),
  }
}

function tokensOf(cost: string): LiveBenchRelease['tokens'] {
  return new Map(
    [...readTable(cost)].map(([name, row]) => {
      const counts = [...row].flatMap(([column, tokens]): [string, number][] => {
        const task = column.slice(tokenColumn.length)
        const isCount = column.startsWith(tokenColumn) && tokens > 0 && !agenticTasks.has(task)
        return isCount ? [[task, tokens]] : []
      })
      return [name, new Map(counts)]
    }),
  )
}

export function logitOfShare(share: number): number {
  const bounded = Math.min(1 - leastShare, Math.max(leastShare, share))
  return Math.log(bounded / (1 - bounded))
}
