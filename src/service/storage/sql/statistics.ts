import type { z } from 'zod'
import type { Changes } from '../merge-figures.ts'
import { mergeFigures, mergeRouterFigures } from '../merge-figures.ts'
import { modelFiguresSchema, routerFiguresSchema } from '../model-statistics.ts'
import type { Learned, StatisticsStore, Stored } from '../storage.ts'
import { StorageUnavailable } from '../storage-errors.ts'
import type { Sql } from './sql.ts'

interface StatisticsRow {
  id: string
  statistics: string
}

/** Each failure means that another process has just stored the same figures. */
const mostTries = 20

export function openModelStatistics(sql: Sql) {
  const kind = { table: 'model_statistics', idColumn: 'model' }
  return openStatistics(sql, { ...kind, schema: modelFiguresSchema, merge: mergeFigures })
}

export function openRouterStatistics(sql: Sql) {
  const kind = { table: 'router_statistics', idColumn: 'router' }
  return openStatistics(sql, { ...kind, schema: routerFiguresSchema, merge: mergeRouterFigures })
}

interface StatisticsKind<Figures> {
  table: string
  idColumn: string
  schema: z.ZodType<Figures>
  merge(changes: Changes<Figures>): Figures
}

function openStatistics<Figures>(
  sql: Sql,
  { table, idColumn, schema, merge }: StatisticsKind<Figures>,
): StatisticsStore<Figures> {
  const columns = `SELECT ${idColumn} AS id, statistics FROM ${table}`
  const selectAll = sql.prepare<[], StatisticsRow>(`${columns} ORDER BY ${idColumn}`)
  const select = sql.prepare<[string], StatisticsRow>(`${columns} WHERE ${idColumn} = ?`)
  const insert = sql.prepare<StatisticsRow>(`
    INSERT INTO ${table} (${idColumn}, statistics) VALUES (:id, :statistics)
    ON CONFLICT (${idColumn}) DO NOTHING`)
  const update = sql.prepare<StatisticsRow & { before: string }>(`
    UPDATE ${table} SET statistics = :statistics
    WHERE ${idColumn} = :id AND statistics = :before`)

  /** Figures that another version stored in a different form are learned again. */
  function toStored({ id, statistics }: StatisticsRow): Stored<Figures>[] {
    const parsed = schema.safeParse(JSON.parse(statistics))
    return parsed.success ? [{ id, figures: parsed.data }] : []
  }

  async function store({ id, base, figures }: Learned<Figures>): Promise<Stored<Figures>> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const row = await select.get(id)
      const [stored] = row ? toStored(row) : []
      const merged = stored ? merge({ base, mine: figures, stored: stored.figures }) : figures
      const values = { id, statistics: JSON.stringify(merged) }
      const { changes } = row
        ? await update.run({ ...values, before: row.statistics })
        : await insert.run(values)
      if (changes > 0) return { id, figures: merged }
    }
    throw new StorageUnavailable('Other processes stored the same statistics too often.')
  }

  return {
    read: async () => (await selectAll.all()).flatMap(toStored),
    async save(learned) {
      const stored: Stored<Figures>[] = []
      for (const each of learned) stored.push(await store(each))
      return stored
    },
  }
}
