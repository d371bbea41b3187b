import type { Database } from 'better-sqlite3'
import type { QuotaStore } from '../storage.ts'
import type { Synchronous } from './protocol.ts'

interface Take {
  routerId: string
  day: string
  wanted: number
  limit: number | null
}

/** Requests counted per router and UTC day; exact because each take holds the write lock. */
export function openQuota(db: Database): Synchronous<QuotaStore> {
  const latestDay = db
    .prepare<[string], string | null>('SELECT max(day) FROM quota_days WHERE router_id = ?')
    .pluck()
  const selectUsed = db
    .prepare<[string, string], number>(
      'SELECT used FROM quota_days WHERE router_id = ? AND day = ?',
    )
    .pluck()
  // The WHERE keeps the count within the limit whatever the caller computed.
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

  return {
    take({ routerId, day: askedDay, wanted, limit }: Take) {
      // A clock set back keeps counting on the latest day: going back and forth refills nothing.
      const latest = latestDay.get(routerId) ?? askedDay
      const day = latest > askedDay ? latest : askedDay
      const usedBefore = selectUsed.get(routerId, day) ?? 0
      const free = limit === null ? wanted : Math.max(0, limit - usedBefore)
      const granted = Math.min(wanted, free)
      if (granted === 0) return { granted, used: usedBefore, day }
      const used = add.get({ routerId, day, granted, limit })
      return used === undefined ? { granted: 0, used: usedBefore, day } : { granted, used, day }
    },
    giveBack({ routerId, day, count }: { routerId: string; day: string; count: number }) {
      giveBack.run(count, routerId, day)
    },
  }
}
