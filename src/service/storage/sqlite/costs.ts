import type { Database } from 'better-sqlite3'
import type { DayCost, Ledger } from '../storage.ts'
import type { Synchronous } from './protocol.ts'
import { resolutions, type Rollups } from './rollups.ts'

const { dayMs } = resolutions

type CostQuery = Parameters<Ledger['costsByDay']>[0]

/**
 * Reads the roll-ups per day, which are never deleted.
 * @param rollups  has the requests of the open transaction
 */
export function openCosts(db: Database, rollups: Rollups): Synchronous<Ledger>['costsByDay'] {
  const sum = (column: string) =>
    db.prepare<CostQuery & { dayMs: number }, DayCost>(`
      SELECT start_ms AS dayStartMs, total(cost_nano_usd) AS costNanoUsd FROM usage_rollups
      WHERE length_ms = :dayMs AND start_ms >= :sinceMs AND ${column} = :id GROUP BY 1`)
  const statements = { router: sum('router_id'), key: sum('api_key_id') }

  return (query) => {
    const costs = new Map<number, number>()
    const add = (dayStartMs: number, costNanoUsd: number) =>
      costs.set(dayStartMs, (costs.get(dayStartMs) ?? 0) + costNanoUsd)
    for (const day of statements[query.owner].all({ ...query, dayMs })) {
      add(day.dayStartMs, day.costNanoUsd)
    }
    for (const { startMs, routerId, apiKeyId, cell } of rollups.pending()) {
      const isAsked = query.id === (query.owner === 'router' ? routerId : apiKeyId)
      if (isAsked && startMs >= query.sinceMs) add(startMs - (startMs % dayMs), cell.costNanoUsd)
    }
    return [...costs]
      .toSorted(([a], [b]) => a - b)
      .map(([dayStartMs, costNanoUsd]) => ({ dayStartMs, costNanoUsd }))
  }
}
