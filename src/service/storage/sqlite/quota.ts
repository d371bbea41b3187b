import type { Database } from 'better-sqlite3'
import type { QuotaStore } from '../storage.ts'
import type { Synchronous } from './protocol.ts'

interface Take {
  routerId: string
  day: string
  wanted: number
  limit: number | null
}

/**
 * Requests counted per router and UTC day; exact because each take holds the write lock.
 *
 * The day is the clock's, and clocks can be wrong. A later day starts with its own count and keeps it until
 * that day really comes. An earlier day takes the highest count of the days in between, so changing the clock
 * back and forth never gives extra requests. After a clock that was years ahead is corrected, the next day
 * counts from zero again.
 */
export function openQuota(db: Database): Synchronous<QuotaStore> {
  const selectCurrent = db
    .prepare<[string], string>('SELECT day FROM quota_current WHERE router_id = ?')
    .pluck()
  const saveCurrent = db.prepare<[string, string]>(`
    INSERT INTO quota_current (router_id, day) VALUES (?, ?)
    ON CONFLICT (router_id) DO UPDATE SET day = excluded.day`)
  const takeOver = db.prepare<{ routerId: string; day: string; current: string }>(`
    INSERT INTO quota_days (router_id, day, used)
      SELECT :routerId, :day, max(used) FROM quota_days
      WHERE router_id = :routerId AND day BETWEEN :day AND :current HAVING max(used) > 0
    ON CONFLICT (router_id, day) DO UPDATE SET used = excluded.used`)
  const selectUsed = db
    .prepare<[string, string], number>(
      'SELECT used FROM quota_days WHERE router_id = ? AND day = ?',
    )
    .pluck()
  // The WHERE keeps the count within the limit, whatever the caller passes.
  const add = db
    .prepare<{ routerId: string; day: string; granted: number; limit: number | null }, number>(`
      INSERT INTO quota_days (router_id, day, used) VALUES (:routerId, :day, :granted)
      ON CONFLICT (router_id, day) DO UPDATE SET used = used + :granted
      WHERE :limit IS NULL OR used + :granted <= :limit
      RETURNING used`)
    .pluck()
  const giveBack = db.prepare<[number, string, string]>(
    'UPDATE quota_days SET used = max(0, used - ?) WHERE router_id = ? AND day = ?',
  )

  function moveTo(routerId: string, day: string): void {
    const current = selectCurrent.get(routerId)
    if (current === day) return
    if (current !== undefined && day < current) takeOver.run({ routerId, day, current })
    saveCurrent.run(routerId, day)
  }

  return {
    take({ routerId, day, wanted, limit }: Take) {
      moveTo(routerId, day)
      const usedBefore = selectUsed.get(routerId, day) ?? 0
      const free = limit === null ? wanted : Math.max(0, limit - usedBefore)
      const granted = Math.min(wanted, free)
      if (granted === 0) return { granted, used: usedBefore }
      const used = add.get({ routerId, day, granted, limit })
      return used === undefined ? { granted: 0, used: usedBefore } : { granted, used }
    },
    giveBack({ routerId, day, count }: { routerId: string; day: string; count: number }) {
      giveBack.run(count, routerId, day)
    },
  }
}
