/** What looks after the database while the service runs: deletion of old rows, checks, daily copies. */
import { statfs } from 'node:fs/promises'
import { scheduleIntegrityCheck } from '../storage/integrity-check.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'
import { startDailyBackup } from './daily-backup.ts'
import { startRetention } from './retention.ts'
import type { Workspace, WorkspaceOptions } from './workspace.ts'

type UpkeepOptions = Pick<WorkspaceOptions, 'dataDir' | 'sqliteBinding'>

/** @returns stops all of it; waits for a copy or a deletion in progress */
export function joinUpkeep(
  workspace: Workspace,
  options: UpkeepOptions,
): { close(): Promise<void> } {
  const retention = joinRetention(workspace)
  const integrityCheck = joinIntegrityCheck(workspace)
  const dailyBackup = joinDailyBackup(workspace, options)
  return {
    async close() {
      integrityCheck.close()
      await dailyBackup.close()
      await retention.close()
    },
  }
}

function joinRetention({ storage, configuration, log, now }: Workspace) {
  return startRetention({
    ledger: storage.ledger,
    contents: storage.contents,
    settings: () => configuration.current().settings,
    now,
    onError: (error) => log.failed('retention', error),
  })
}

function joinDailyBackup(
  { configuration, log, now }: Workspace,
  { dataDir, sqliteBinding }: UpkeepOptions,
) {
  return startDailyBackup({
    dataDir,
    isOn: () => configuration.current().settings.dailyBackup,
    // In a thread of its own: a copy takes seconds, in which the service's thread must store rows.
    async backup(file) {
      const storage = await openStorage({ dataDir, sqliteBinding })
      try {
        // Reserves no name: an interrupted copy must not count as the day's.
        await storage.maintenance.backup({ file, replaces: true })
      } finally {
        await storage.close()
      }
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(dataDir)
      return bavail * bsize
    },
    now,
    onNoRoom: () => log.noted('no daily backup: the disk is almost full', {}),
    onError: (error) => log.failed('daily backup', error),
  })
}

function joinIntegrityCheck({ storage, events, log }: Workspace) {
  return scheduleIntegrityCheck({
    maintenance: storage.maintenance,
    onDamage(problem) {
      log.noted('the database is damaged', { problem })
      const message = `The database is damaged: ${problem}. Modelport continues with what it can read. Stop it and restore a backup with “modelport restore FILE”; “modelport doctor” shows more.`
      events.emit('alarm', { message, providerId: null })
    },
    onError: (error) => log.failed('integrity check', error),
  })
}
