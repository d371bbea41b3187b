import type { DayCost, Ledger } from '../storage.ts'
import { totalOf } from './fragments.ts'
import { resolutions } from './rollups.ts'
import type { Sql } from './sql.ts'

const { dayMs } = resolutions

type CostQuery = Parameters<Ledger['costsByDay']>[0]

/** Reads the roll-ups per day, which are never deleted. */
export function openCosts(sql: Sql): Ledger['costsByDay'] {
  const sum = (column: string) =>
    sql.prepare<CostQuery & { dayMs: number }, DayCost>(`
      SELECT start_ms AS "dayStartMs", ${totalOf('cost_nano_usd')} AS "costNanoUsd"
      FROM usage_rollups
      WHERE length_ms = :dayMs AND start_ms >= :sinceMs AND ${column} = :id
      GROUP BY start_ms ORDER BY start_ms`)
  const statements = { router: sum('router_id'), key: sum('api_key_id') }
  return (query) => statements[query.owner].all({ ...query, dayMs })
}
