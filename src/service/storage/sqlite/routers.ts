import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { Router } from '../../../shared/entities.ts'
import { hedgeSchema } from '../../../shared/hedge.ts'
import { timeLimitsSchema } from '../../../shared/time-limits.ts'
import { readJson } from './json-column.ts'

interface RouterRow extends Omit<Router, 'models' | 'timeLimits' | 'hedge'> {
  models: string
  timeLimits: string
  hedge: string | null
}

const modelsSchema = z.array(z.string())

export function openRouters(db: Database) {
  const selectAll = db.prepare<[], RouterRow>(`
    SELECT id, name, strategy, models, tier, daily_limit AS dailyLimit,
           cache_ttl_seconds AS cacheTtlSeconds, time_limits AS timeLimits, hedge,
           created_at_ms AS createdAtMs, updated_at_ms AS updatedAtMs
    FROM routers ORDER BY created_at_ms, id`)
  const insert = db.prepare<RouterRow>(`
    INSERT INTO routers (id, name, strategy, models, tier, daily_limit, cache_ttl_seconds,
                         time_limits, hedge, created_at_ms, updated_at_ms)
    VALUES (:id, :name, :strategy, :models, :tier, :dailyLimit, :cacheTtlSeconds,
            :timeLimits, :hedge, :createdAtMs, :updatedAtMs)`)
  const update = db.prepare<RouterRow>(`
    UPDATE routers SET name = :name, strategy = :strategy, models = :models, tier = :tier,
                       daily_limit = :dailyLimit, cache_ttl_seconds = :cacheTtlSeconds,
                       time_limits = :timeLimits, hedge = :hedge, updated_at_ms = :updatedAtMs
    WHERE id = :id`)
  const remove = db.prepare<[string]>('DELETE FROM routers WHERE id = ?')

  return {
    all: () => selectAll.all().map(toRouter),
    insert: (router: Router): void => {
      insert.run(toRow(router))
    },
    update: (router: Router) => update.run(toRow(router)).changes > 0,
    save: (router: Router): void => {
      if (update.run(toRow(router)).changes === 0) insert.run(toRow(router))
    },
    remove: (id: string) => remove.run(id).changes > 0,
  }
}

function toRow(router: Router): RouterRow {
  return {
    ...router,
    models: JSON.stringify(router.models),
    timeLimits: JSON.stringify(router.timeLimits),
    hedge: router.hedge && JSON.stringify(router.hedge),
  }
}

function toRouter(row: RouterRow): Router {
  return {
    ...row,
    models: readJson(row.models, modelsSchema),
    timeLimits: readJson(row.timeLimits, timeLimitsSchema),
    hedge: row.hedge === null ? null : readJson(row.hedge, hedgeSchema),
  }
}
