import type { Database } from 'better-sqlite3'
import { modelFiguresSchema } from '../model-statistics.ts'
import type { StatisticsStore, StoredStatistics } from '../storage.ts'
import type { Synchronous } from './protocol.ts'

interface StatisticsRow {
  model: string
  statistics: string
}

export function openStatistics(db: Database): Synchronous<StatisticsStore> {
  const selectAll = db.prepare<[], StatisticsRow>(
    'SELECT model, statistics FROM model_statistics ORDER BY model',
  )
  const save = db.prepare<StatisticsRow>(`
    INSERT INTO model_statistics (model, statistics) VALUES (:model, :statistics)
    ON CONFLICT (model) DO UPDATE SET statistics = excluded.statistics`)

  return {
    read: () => selectAll.all().flatMap(toStatistics),
    save(all: readonly StoredStatistics[]) {
      for (const { modelId, ...statistics } of all) {
        save.run({ model: modelId, statistics: JSON.stringify(statistics) })
      }
    },
  }
}

/** Figures that another version stored in a different form are learned again. */
function toStatistics({ model, statistics }: StatisticsRow): StoredStatistics[] {
  const parsed = modelFiguresSchema.safeParse(JSON.parse(statistics))
  return parsed.success ? [{ modelId: model, ...parsed.data }] : []
}
