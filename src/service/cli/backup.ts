import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { CommandFailed, type Cli } from './cli.ts'
import { refuseDatabase } from './database-option.ts'
import { targetFile } from './target-file.ts'

export function registerBackup(program: Command, cli: Cli): void {
  program
    .command('backup <file>')
    .description('copy the database to one verified file, even while the service runs')
    .option('--force', 'overwrite an existing file')
    .action((file: string, { force = false }: { force?: boolean }) => backup(file, force, cli))
}

/** Copies the database. Provider keys are not in it, so the copy has none. */
async function backup(name: string, replaces: boolean, cli: Cli): Promise<void> {
  const { dataDir, sqliteBinding, database } = cli.workspaceOptions()
  refuseDatabase(database, 'Back it up with pg_dump (docs/operations.md).')
  const file = targetFile(name, dataDir, replaces)
  if (!existsSync(join(dataDir, 'modelport.db')))
    throw new CommandFailed(`There is no database in ${dataDir}.`)
  const { backUpDatabase } = await import('../storage/sqlite/verified-backup.ts')
  await backUpDatabase({ dataDir, sqliteBinding }, { file, replaces })
  cli.output.done({ file }, `Copied the database to ${file} and verified it.`)
  cli.output.note('Provider keys are not included: they stay in the key store.')
}
