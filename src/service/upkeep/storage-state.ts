/** Whether the database can be written and is intact: for the window, the log and alarms. */
import type { StorageState } from '../../shared/app/storage-state.ts'
import { fileErrorWords } from '../data-folder/file-errors.ts'
import type { StorageOutage } from '../storage/maintenance.ts'
import type { Workspace } from '../wiring/workspace.ts'

type Parts = Pick<Workspace, 'storage' | 'events' | 'log' | 'now'>

export interface StorageStatus {
  state(): StorageState
  /** @param problem  in SQLite's words; null when a check found none */
  setDamage(problem: string | null): void
  close(): void
}

/** An outage and damage raise one alarm each; the log records when they begin and end. */
export function openStorageStatus({ storage, events, log, now }: Parts): StorageStatus {
  let state: StorageState = { outage: null, damage: null }
  const change = (changes: Partial<StorageState>) => {
    state = { ...state, ...changes }
    events.emit('storage', state)
  }
  const setOutage = (outage: StorageOutage | null) => {
    const before = state.outage
    if (outage === null) {
      change({ outage: null })
      if (before)
        log.noted('the database can be written again; requests that waited are stored', {})
      return
    }
    const next = describe(outage, before?.sinceMs ?? now())
    change({ outage: next })
    const inProgress = outage.canStoreRows ? 'recorded' : 'kept in memory'
    log.noted('the database cannot be written; new requests are refused', {
      reason: outage.cause.message,
      requestsInProgress: inProgress,
    })
    if (before === null)
      events.emit('alarm', { message: alarmOf(next), providerId: null, hasBanner: true })
  }
  const stop = storage.health.onChange(setOutage)
  // It can begin with the start itself.
  const atStart = storage.health.outage()
  if (atStart !== null) setOutage(atStart)
  return {
    state: () => state,
    setDamage(problem) {
      const known = state.damage?.problem ?? null
      if (problem === known) return
      change({ damage: problem === null ? null : { problem, foundAtMs: now() } })
      if (problem === null) return
      log.noted('the database is damaged', { problem })
      if (known !== null) return
      const message = `The database is damaged: ${problem}. Modelport continues with what it can read. Restore a copy in Settings, Data; the damaged database is kept.`
      events.emit('alarm', { message, providerId: null, hasBanner: true })
    },
    close: stop,
  }
}

type Outage = NonNullable<StorageState['outage']>

function describe({ cause, canStoreRows }: StorageOutage, sinceMs: number): Outage {
  const message = fileErrorWords(cause) ?? cause.message
  return { problem: problemOf(cause), message, sinceMs, canStoreRows }
}

const byCode: readonly (readonly [RegExp, Outage['problem']])[] = [
  [/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/, 'disk_full'],
  [/^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EROFS|EACCES|EPERM)/, 'read_only'],
]

function problemOf(cause: Error): Outage['problem'] {
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  return byCode.find(([pattern]) => pattern.test(code))?.[1] ?? 'error'
}

function alarmOf({ message, canStoreRows }: Outage): string {
  const inProgress = canStoreRows
    ? 'Requests in progress are still recorded.'
    : 'Finished requests are kept in memory until the database can be written.'
  return `Modelport cannot write to its database and refuses new requests. ${message} ${inProgress}`
}
