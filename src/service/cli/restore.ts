import { resolve } from 'node:path'
import type { Command } from 'commander'
import { lockDataFolder } from '../data-folder/data-folder.ts'
import type { StorageCounts } from '../../shared/app/backups.ts'
import type { StagedRestore } from '../storage/maintenance.ts'
import type { Cli } from './cli.ts'
import { confirm } from './confirm.ts'
import { refuseDatabase } from './database-option.ts'
import type { Columns } from './output.ts'

interface CountRow {
  what: string
  before: number | null
  after: number
}

const columns: Columns<CountRow> = {
  WHAT: ({ what }) => what,
  NOW: ({ before }) => before,
  'IN THE BACKUP': ({ after }) => after,
}

export function registerRestore(program: Command, cli: Cli): void {
  program
    .command('restore <file>')
    .description('replace the database with a backup; stop the service first')
    .option('--yes', 'skip the confirmation')
    .action((file: string, { yes = false }: { yes?: boolean }) => restore(file, yes, cli))
}

async function restore(name: string, isConfirmed: boolean, cli: Cli): Promise<void> {
  const { dataDir, sqliteBinding, database } = cli.workspaceOptions()
  refuseDatabase(database, 'Restore it with pg_restore (docs/operations.md).')
  const { applyRestore, discardRestore, stageRestore } =
    await import('../storage/sqlite/restore.ts')
  const unlock = lockDataFolder({ dataDir, sqliteBinding, holder: 'restore' })
  try {
    const file = resolve(name)
    const options = { dataDir, sqliteBinding, nowMs: Date.now() }
    const staged = await stageRestore({ ...options, file })
    cli.output.table(toRows(staged), columns)
    if (!isConfirmed) await confirmOr(() => discardRestore(dataDir), cli)
    const { replaced, salvagedRequests } = await applyRestore(options)
    const salvaged =
      salvagedRequests === 0
        ? ''
        : ` ${salvagedRequests} newer requests were read from the damaged database.`
    const kept = replaced === null ? '' : ` The previous database is ${replaced}.`
    cli.output.done(
      { restored: file, replaced, salvagedRequests },
      `Restored ${file}.${salvaged}${kept}`,
    )
  } finally {
    unlock()
  }
}

async function confirmOr(discard: () => void, cli: Cli): Promise<void> {
  try {
    await confirm('Replace the database with the backup?', cli)
  } catch (error) {
    discard()
    throw error
  }
}

function toRows({ before, after }: StagedRestore): CountRow[] {
  const names: readonly (keyof StorageCounts)[] = ['routers', 'keys', 'requests', 'conversations']
  return names.map((what) => ({ what, before: before?.[what] ?? null, after: after[what] }))
}
