import type { Maintenance } from '../maintenance.ts'
import type { CellTable, Rollups } from '../sql/rollups.ts'
import type { Sql } from '../sql/sql.ts'
import { openMoneyCheck } from '../sql/money-check.ts'
import { openDaysThatDiffer, openRebuildTotals, toDate } from '../sql/totals.ts'
import { StorageRejected, StorageUnavailable } from '../storage-errors.ts'

/** Most days to name: one line of output. */
const daysShown = 20

export function openMaintenance(
  sql: Sql,
  parts: { rollups: Rollups; cells: CellTable },
): Maintenance {
  const setting = sql.prepare<[string], string>('SELECT current_setting(?)').pluck()
  const daysThatDiffer = openDaysThatDiffer(sql)
  // A standby and a server without space refuse a transaction number.
  const takeNumber = sql.prepare('SELECT pg_current_xact_id()')
  return {
    backup: () =>
      Promise.reject(
        new StorageRejected(
          'The data is in PostgreSQL. Back it up with pg_dump or with continuous archiving (docs/operations.md).',
        ),
      ),
    async check(depth) {
      const days = depth === 'full' ? await daysThatDiffer() : []
      return {
        engine: `PostgreSQL ${(await setting.get('server_version')) ?? ''}`,
        problems: [],
        daysThatDiffer: days.slice(0, daysShown).map(toDate),
        isDurable: await isDurable((name) => setting.get(name)),
      }
    },
    // The call's transaction is the snapshot.
    checkMoney: (query) => openMoneyCheck(sql, (work) => work())(query),
    rebuildTotals: openRebuildTotals(sql, parts),
    reserveSpace: () => Promise.resolve(true),
    async probe() {
      await takeNumber.get()
      // An operator or a provider of databases can make a primary read-only, for example when its disk is nearly full.
      if ((await setting.get('transaction_read_only')) === 'on')
        throw new StorageUnavailable('PostgreSQL is read-only')
    },
  }
}

async function isDurable(setting: (name: string) => Promise<string | undefined>): Promise<boolean> {
  return (await setting('fsync')) === 'on' && (await setting('synchronous_commit')) !== 'off'
}
