import { z } from 'zod'
import type { Budget } from '../../../shared/routers/budget.ts'
import type { StoredApiKey } from '../storage.ts'
import { budgetColumns, toBudget, toBudgetRow, type BudgetRow } from './budget-columns.ts'
import { readJson } from './json-column.ts'
import type { Sql } from './sql.ts'

type Switch = 'acceptAnyModel' | 'metrics' | 'explain' | 'keepAlive'
type ApiKeyRow = Omit<StoredApiKey, 'routers' | Switch | keyof Budget> &
  BudgetRow & { routers: string } & Record<Switch, number>

const routersSchema = z.union([z.literal('all'), z.array(z.string())])

export function openApiKeys(sql: Sql) {
  const { greatest, least } = sql.dialect
  const selectAll = sql.prepare<[], ApiKeyRow>(`
    SELECT id, sha256, hint, name, environment, routers, accept_any_model AS "acceptAnyModel", metrics,
           explain, keep_alive AS "keepAlive", tag, ${budgetColumns},
           created_at_ms AS "createdAtMs", last_used_at_ms AS "lastUsedAtMs",
           expires_at_ms AS "expiresAtMs", revoked_at_ms AS "revokedAtMs",
           rotated_from_id AS "rotatedFromId"
    FROM api_keys ORDER BY created_at_ms, id`)
  const insert = sql.prepare<ApiKeyRow>(`
    INSERT INTO api_keys (id, sha256, hint, name, environment, routers, accept_any_model, metrics,
                          explain, keep_alive, tag, budget_day_nano_usd, budget_month_nano_usd,
                          created_at_ms, last_used_at_ms, expires_at_ms, revoked_at_ms,
                          rotated_from_id)
    VALUES (:id, :sha256, :hint, :name, :environment, :routers, :acceptAnyModel, :metrics,
            :explain, :keepAlive, :tag, :budgetDayNanoUsd, :budgetMonthNanoUsd, :createdAtMs,
            :lastUsedAtMs, :expiresAtMs, :revokedAtMs, :rotatedFromId)`)
  const revoke = sql.prepare<[number, string]>(
    'UPDATE api_keys SET revoked_at_ms = coalesce(revoked_at_ms, ?) WHERE id = ?',
  )
  // A grace period never extends the life of a key.
  const expire = sql.prepare<{ id: string; expiresAtMs: number }>(`
    UPDATE api_keys
    SET expires_at_ms = ${least('coalesce(expires_at_ms, :expiresAtMs)', ':expiresAtMs')}
    WHERE id = :id`)
  const touch = sql.prepare<[number, string]>(`
    UPDATE api_keys SET last_used_at_ms = ${greatest('coalesce(last_used_at_ms, 0)', '?')}
    WHERE id = ?`)

  return {
    all: async () => (await selectAll.all()).map(toApiKey),
    insert: async (key: StoredApiKey): Promise<void> => {
      await insert.run(toRow(key))
    },
    revoke: async (id: string, revokedAtMs: number) =>
      (await revoke.run(revokedAtMs, id)).changes > 0,
    expire: async (id: string, expiresAtMs: number) =>
      (await expire.run({ id, expiresAtMs })).changes > 0,
    touch: async (lastUsedAtMs: Readonly<Record<string, number>>): Promise<void> => {
      for (const [id, atMs] of Object.entries(lastUsedAtMs)) await touch.run(atMs, id)
    },
  }
}

function toRow({ budgetUsdPerDay, budgetUsdPerMonth, ...key }: StoredApiKey): ApiKeyRow {
  return {
    ...key,
    ...toBudgetRow({ budgetUsdPerDay, budgetUsdPerMonth }),
    routers: JSON.stringify(key.routers),
    acceptAnyModel: Number(key.acceptAnyModel),
    metrics: Number(key.metrics),
    explain: Number(key.explain),
    keepAlive: Number(key.keepAlive),
  }
}

function toApiKey({ budgetDayNanoUsd, budgetMonthNanoUsd, ...row }: ApiKeyRow): StoredApiKey {
  return {
    ...row,
    ...toBudget({ budgetDayNanoUsd, budgetMonthNanoUsd }),
    routers: readJson(row.routers, routersSchema),
    acceptAnyModel: row.acceptAnyModel === 1,
    metrics: row.metrics === 1,
    explain: row.explain === 1,
    keepAlive: row.keepAlive === 1,
  }
}
