/**
 * Upgrades a database to the newest schema. An existing database is first copied and the copy checked; then all
 * missing migrations run in one transaction. `schema-steps.ts` is where a migration is added.
 */
import type { Database } from 'better-sqlite3'
import { DatabaseFromNewerVersion, DatabaseFromOlderVersion } from '../../storage.ts'
import { schemaSteps } from '../../sql/schema-steps.ts'
import { copyVerified } from '../verified-copy.ts'
import { initial } from './0010-initial.ts'

export interface Migration {
  /** Ascending; becomes the database's `user_version`. */
  version: number
  sql: string
}

export const migrations: readonly Migration[] = [
  { version: 10, sql: initial },
  ...schemaSteps.map(({ version, sql, sqliteOnly = '' }) => ({ version, sql: sql + sqliteOnly })),
]

/** The database's schema version; 0 for an empty one. */
export function schemaVersion(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }))
}

/**
 * Refuses a database with an unknown schema. Reads only.
 * @throws DatabaseFromNewerVersion
 */
export function refuseNewer(db: Database, known: readonly Migration[] = migrations): void {
  const found = schemaVersion(db)
  const newest = known.at(-1)?.version ?? 0
  if (found > newest)
    throw new DatabaseFromNewerVersion(
      `The database was created by a newer version of Modelport (schema ${found}, this version knows ${newest}). Nothing was changed. Install the newer version, or choose another data folder.`,
    )
}

/**
 * Refuses a database that has to be upgraded. Reads only.
 * @throws DatabaseFromOlderVersion
 */
export function refuseOlder(db: Database): void {
  const found = schemaVersion(db)
  const newest = migrations.at(-1)?.version ?? 0
  if (found > 0 && found < newest)
    throw new DatabaseFromOlderVersion(
      `The database is of an older version of Modelport (schema ${found}, this version needs ${newest}).`,
    )
}

/**
 * Runs the missing migrations.
 * @param copyTo  returns the path of the copy of an existing database with that version
 * @throws DatabaseFromNewerVersion; any error of a migration, after which the database is unchanged
 */
export function migrate(
  db: Database,
  copyTo: (version: number) => string,
  known: readonly Migration[] = migrations,
): void {
  refuseNewer(db, known)
  const before = schemaVersion(db)
  if (before === known.at(-1)?.version) return
  if (before > 0) copyVerified(db, copyTo(before), true)
  db.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    const found = schemaVersion(db)
    for (const { version, sql } of known.filter((migration) => migration.version > found)) {
      db.exec(sql)
      db.pragma(`user_version = ${version}`)
    }
  }).immediate()
}
