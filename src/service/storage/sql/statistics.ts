import { mergeFigures } from '../merge-figures.ts'
import { modelFiguresSchema, type ModelFigures } from '../model-statistics.ts'
import type { LearnedStatistics, StatisticsStore, StoredStatistics } from '../storage.ts'
import { StorageUnavailable } from '../storage-errors.ts'
import type { Sql } from './sql.ts'

interface StatisticsRow {
  model: string
  statistics: string
}

/** Each failure means that another process has just stored the same model. */
const mostTries = 20

export function openStatistics(sql: Sql): StatisticsStore {
  const selectAll = sql.prepare<[], StatisticsRow>(
    'SELECT model, statistics FROM model_statistics ORDER BY model',
  )
  const select = sql.prepare<[string], StatisticsRow>(
    'SELECT model, statistics FROM model_statistics WHERE model = ?',
  )
  const insert = sql.prepare<StatisticsRow>(`
    INSERT INTO model_statistics (model, statistics) VALUES (:model, :statistics)
    ON CONFLICT (model) DO NOTHING`)
  const update = sql.prepare<StatisticsRow & { before: string }>(`
    UPDATE model_statistics SET statistics = :statistics
    WHERE model = :model AND statistics = :before`)

  async function store({ modelId, base, figures }: LearnedStatistics): Promise<StoredStatistics> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const row = await select.get(modelId)
      const [stored] = row ? toStatistics(row) : []
      const merged = stored
        ? mergeFigures({ base, mine: figures, stored: figuresOf(stored) })
        : figures
      const values = { model: modelId, statistics: JSON.stringify(merged) }
      const { changes } = row
        ? await update.run({ ...values, before: row.statistics })
        : await insert.run(values)
      if (changes > 0) return { modelId, ...merged }
    }
    throw new StorageUnavailable('Other processes stored the statistics of a model too often.')
  }

  return {
    read: async () => (await selectAll.all()).flatMap(toStatistics),
    async save(learned: readonly LearnedStatistics[]) {
      const stored: StoredStatistics[] = []
      for (const each of learned) stored.push(await store(each))
      return stored
    },
  }
}

function figuresOf({ modelId: _id, ...figures }: StoredStatistics): ModelFigures {
  return figures
}

/** Figures that another version stored in a different form are learned again. */
function toStatistics({ model, statistics }: StatisticsRow): StoredStatistics[] {
  const parsed = modelFiguresSchema.safeParse(JSON.parse(statistics))
  return parsed.success ? [{ modelId: model, ...parsed.data }] : []
}
