import type { Database } from 'better-sqlite3'
import type { Maintenance } from '../storage.ts'
import type { Synchronous } from './protocol.ts'
import { copyVerified } from './verified-copy.ts'

export function openMaintenance(db: Database): Synchronous<Maintenance> {
  const version = db.prepare<[], string>('SELECT sqlite_version()').pluck()

  return {
    backup({ file, replaces }) {
      copyVerified(db, file, replaces)
    },
    check() {
      const verdicts = db.prepare<[], string>('PRAGMA quick_check(20)').pluck().all()
      return {
        engine: `SQLite ${version.get()}`,
        problems: verdicts.filter((verdict) => verdict !== 'ok'),
        isDurable: db.pragma('synchronous', { simple: true }) === 2,
      }
    },
  }
}
