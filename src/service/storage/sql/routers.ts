import { z } from 'zod'
import type { Budget } from '../../../shared/routers/budget.ts'
import type { Router } from '../../../shared/entities.ts'
import { hedgeSchema } from '../../../shared/routers/hedge.ts'
import { routingSettingsSchema } from '../../../shared/routers/routing-settings.ts'
import { timeLimitsSchema } from '../../../shared/routers/time-limits.ts'
import { budgetColumns, toBudget, toBudgetRow, type BudgetRow } from './budget-columns.ts'
import { openRemoveContents } from './contents.ts'
import { readJson } from './json-column.ts'
import { openRouterChanges } from './router-changes.ts'
import type { Sql } from './sql.ts'

interface RouterRow
  extends Omit<Router, 'models' | 'timeLimits' | 'hedge' | 'routing' | keyof Budget>, BudgetRow {
  models: string
  timeLimits: string
  hedge: string | null
  routing: string
}

const modelsSchema = z.array(z.string())

export function openRouters(sql: Sql) {
  const columns = `id, name, strategy, models, tier, daily_limit AS "dailyLimit",
           cache_ttl_seconds AS "cacheTtlSeconds", time_limits AS "timeLimits", hedge, routing,
           requests_per_minute AS "requestsPerMinute", ${budgetColumns},
           created_at_ms AS "createdAtMs", updated_at_ms AS "updatedAtMs"`
  const selectAll = sql.prepare<[], RouterRow>(
    `SELECT ${columns} FROM routers ORDER BY created_at_ms, id`,
  )
  const select = sql.prepare<[string], RouterRow>(`SELECT ${columns} FROM routers WHERE id = ?`)
  const insert = sql.prepare<RouterRow>(`
    INSERT INTO routers (id, name, strategy, models, tier, daily_limit, cache_ttl_seconds,
                         time_limits, hedge, routing, requests_per_minute, budget_day_nano_usd,
                         budget_month_nano_usd, created_at_ms, updated_at_ms)
    VALUES (:id, :name, :strategy, :models, :tier, :dailyLimit, :cacheTtlSeconds,
            :timeLimits, :hedge, :routing, :requestsPerMinute, :budgetDayNanoUsd,
            :budgetMonthNanoUsd, :createdAtMs, :updatedAtMs)`)
  const update = sql.prepare<RouterRow>(`
    UPDATE routers SET name = :name, strategy = :strategy, models = :models, tier = :tier,
                       daily_limit = :dailyLimit, cache_ttl_seconds = :cacheTtlSeconds,
                       time_limits = :timeLimits, hedge = :hedge, routing = :routing,
                       requests_per_minute = :requestsPerMinute,
                       budget_day_nano_usd = :budgetDayNanoUsd,
                       budget_month_nano_usd = :budgetMonthNanoUsd, updated_at_ms = :updatedAtMs
    WHERE id = :id`)
  const remove = sql.prepare<[string]>('DELETE FROM routers WHERE id = ?')
  const removeContents = openRemoveContents(sql)
  const changes = openRouterChanges(sql)
  const change = async (router: Router): Promise<boolean> => {
    const before = await select.get(router.id)
    if (!before) return false
    if (router.routing.contentDays === null) await removeContents(router.id)
    await changes.add(toRouter(before), router)
    await update.run(toRow(router))
    return true
  }

  return {
    all: async () => (await selectAll.all()).map(toRouter),
    insert: async (router: Router): Promise<void> => {
      await insert.run(toRow(router))
    },
    update: change,
    changes: changes.of,
    save: async (router: Router): Promise<void> => {
      if (!(await change(router))) await insert.run(toRow(router))
    },
    async remove(id: string): Promise<boolean> {
      await removeContents(id)
      return (await remove.run(id)).changes > 0
    },
  }
}

function toRow({ budgetUsdPerDay, budgetUsdPerMonth, ...router }: Router): RouterRow {
  const { models, timeLimits, hedge, routing } = router
  return {
    ...router,
    ...toBudgetRow({ budgetUsdPerDay, budgetUsdPerMonth }),
    models: JSON.stringify(models),
    timeLimits: JSON.stringify(timeLimits),
    hedge: hedge && JSON.stringify(hedge),
    routing: JSON.stringify(routing),
  }
}

function toRouter({ budgetDayNanoUsd, budgetMonthNanoUsd, ...row }: RouterRow): Router {
  return {
    ...row,
    ...toBudget({ budgetDayNanoUsd, budgetMonthNanoUsd }),
    models: readJson(row.models, modelsSchema),
    timeLimits: readJson(row.timeLimits, timeLimitsSchema),
    hedge: row.hedge === null ? null : readJson(row.hedge, hedgeSchema),
    routing: readJson(row.routing, routingSettingsSchema),
  }
}
