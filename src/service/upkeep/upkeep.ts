/** Looks after the database while the service runs: deletes old rows, checks it, and copies it daily. */
import { statfs } from 'node:fs/promises'
import type { StorageState } from '../../shared/app/storage-state.ts'
import { moneyFindingId } from '../../shared/requests/finding.ts'
import { endUnusedKeys } from '../dashboard/unused-keys.ts'
import { scheduleIntegrityCheck } from '../storage/integrity-check.ts'
import { backUpDatabase } from '../storage/sqlite/verified-backup.ts'
import { startMoneyCheck } from './money-check.ts'
import { startDailyBackup } from './daily-backup.ts'
import { startRetention } from './retention.ts'
import { openStorageStatus, type StorageStatus } from './storage-state.ts'
import type { AnsweredRows } from '../wiring/answered-rows.ts'
import type { Workspace, WorkspaceOptions } from '../wiring/workspace.ts'

type UpkeepOptions = Pick<WorkspaceOptions, 'dataDir' | 'database' | 'sqliteBinding'>

/** Late enough that the start does not compete for the disk, and that short runs leave no file. */
const reserveAfterMs = 5_000
const unusedKeysMs = 60_000

interface Upkeep {
  storageState(): StorageState
  /** Stops all of it; waits for a copy or a deletion in progress. */
  close(): Promise<void>
}

export function startUpkeep(
  workspace: Workspace,
  options: UpkeepOptions,
  answeredRows: AnsweredRows,
): Upkeep {
  const status = openStorageStatus(workspace)
  const retention = connectRetention(workspace)
  const integrityCheck = connectIntegrityCheck(workspace, status)
  const moneyCheck = connectMoneyCheck(workspace, answeredRows)
  const reserve = setTimeout(() => void reserveSpace(workspace), reserveAfterMs).unref()
  const dailyBackup = connectDailyBackup(workspace, options)
  const unusedKeys = setInterval(
    () => void endUnused(workspace, options.dataDir),
    unusedKeysMs,
  ).unref()
  return {
    storageState: () => status.state(),
    async close() {
      clearTimeout(reserve)
      clearInterval(unusedKeys)
      status.close()
      integrityCheck.close()
      await moneyCheck.close()
      await dailyBackup.close()
      await retention.close()
    },
  }
}

function connectRetention({ storage, configuration, log, now }: Workspace) {
  return startRetention({
    ledger: storage.ledger,
    contents: storage.contents,
    refusals: storage.refusals,
    unexpectedCalls: storage.unexpectedCalls,
    settings: () => configuration.current().settings,
    now,
    onError: (error) => log.failed('retention', error),
  })
}

function connectDailyBackup(
  { configuration, log, now }: Workspace,
  { dataDir, database, sqliteBinding }: UpkeepOptions,
) {
  return startDailyBackup({
    dataDir,
    // A server of its own is backed up with its own means.
    isOn: () => database === undefined && configuration.current().settings.dailyBackup,
    // Reserves no name: an interrupted copy must not count as the day's.
    backup: (file) => backUpDatabase({ dataDir, sqliteBinding }, { file, replaces: true }),
    async freeBytes() {
      const { bavail, bsize } = await statfs(dataDir)
      return bavail * bsize
    },
    now,
    onNoRoom: () => log.noted('no daily backup: the disk is almost full', {}),
    onError: (error) => log.failed('daily backup', error),
  })
}

function connectIntegrityCheck({ storage, log }: Workspace, status: StorageStatus) {
  return scheduleIntegrityCheck({
    maintenance: storage.maintenance,
    isShared: storage.isShared,
    onResult: (problem) => status.setDamage(problem),
    onError: (error) => log.failed('integrity check', error),
  })
}

function connectMoneyCheck(
  { storage, events, log, now }: Workspace,
  answeredRows: Pick<AnsweredRows, 'take'>,
) {
  return startMoneyCheck({
    storage,
    takeAnswered: () => answeredRows.take(),
    now,
    onFinding: (evidence) => log.noted('money differs', { finding: moneyFindingId(evidence) }),
    onChange: () => events.emit('changed', { what: 'findings' }),
    onError: (error) => log.failed('money check', error),
  })
}

async function endUnused(workspace: Workspace, dataDir: string): Promise<void> {
  const { storage, configuration, log, now } = workspace
  const { configuration: store, ledger } = storage
  await endUnusedKeys({ dataDir, configuration, store, ledger, now }).catch((error: unknown) =>
    log.failed('unused keys', error),
  )
}

async function reserveSpace({ storage, log }: Workspace): Promise<void> {
  try {
    if (await storage.maintenance.reserveSpace()) return
    log.noted('no space is reserved for a full disk: the disk is almost full', {})
  } catch (error) {
    log.failed('reserved space', error)
  }
}
