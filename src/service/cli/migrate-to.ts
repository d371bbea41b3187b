import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { lockDataFolder } from '../data-folder/data-folder.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import type { openDatabase } from '../storage/sqlite/database.ts'
import type { SealedKeys } from '../secrets/sealed-keys.ts'
import type { CopiedTable } from '../storage/postgres/copy/tables.ts'
import { readDatabaseUrl } from './database-option.ts'
import type { Columns } from './output.ts'

const columns: Columns<CopiedTable> = { TABLE: ({ table }) => table, ROWS: ({ rows }) => rows }

const databaseArgument = 'the PostgreSQL database; MODELPORT_DATABASE_URL by default'

export function registerMigrateTo(program: Command, cli: Cli): void {
  program
    .command('migrate-to')
    .argument('[url]', databaseArgument)
    .description(
      'copy the data folder’s database to an empty PostgreSQL database; stop the service first',
    )
    .action((url: string | undefined) => migrateTo(url, cli))
}

export function registerMigrateFrom(program: Command, cli: Cli): void {
  program
    .command('migrate-from')
    .argument('[url]', databaseArgument)
    .description(
      'copy a PostgreSQL database to a data folder without a database; stop all nodes first',
    )
    .action((url: string | undefined) => migrateFrom(url, cli))
}

/** Moves the data to PostgreSQL. The data folder keeps its database. */
async function migrateTo(argument: string | undefined, cli: Cli): Promise<void> {
  const url = urlOf(argument, cli)
  const { vaultId } = await import('../secrets/sealed-keys.ts')
  const { copyFromSqlite } = await import('../storage/postgres/copy/from-sqlite.ts')
  const { readCatalogText } = await import('../data-folder/catalog-file.ts')
  const result = { isCatalogDamaged: false }
  const copied = await inFolder({ cli, isNew: false }, (database, files) =>
    copyFromSqlite(database, url, async ({ keys, catalog }) => {
      // The files' `ids` leave the vault's header out.
      for (const id of new Set([vaultId, ...(await files.ids())])) await copyRecord(id, files, keys)
      const downloaded = await readCatalogText(cli.workspaceOptions().dataDir)
      if (downloaded.text !== null) await catalog.save(downloaded.text)
      result.isCatalogDamaged = downloaded.isDamaged
    }),
  )
  show(copied, cli)
  if (result.isCatalogDamaged)
    cli.output.note('The downloaded catalog cannot be read and was not copied: refresh it.')
  cli.output.note(
    'Keys of a keychain stay on this computer: enter them again, or give them as variables.',
  )
}

/** The database of the nodes stays as it is. */
async function migrateFrom(argument: string | undefined, cli: Cli): Promise<void> {
  const url = urlOf(argument, cli)
  const { copyToSqlite } = await import('../storage/postgres/copy/to-sqlite.ts')
  const { replaceCatalogText } = await import('../data-folder/catalog-file.ts')
  const copied = await inFolder({ cli, isNew: true }, async (database, files) => {
    let downloaded: string | null = null
    const tables = await copyToSqlite(database, url, async ({ keys, catalog }) => {
      for (const id of await keys.ids()) await copyRecord(id, keys, files)
      downloaded = (await catalog.read()).text
    })
    // Last, because a file that was replaced does not come back after a failure.
    await replaceCatalogText(cli.workspaceOptions().dataDir, downloaded)
    return tables
  })
  show(copied, cli)
}

function urlOf(argument: string | undefined, cli: Cli): string {
  const url = argument === undefined ? cli.workspaceOptions().database : readDatabaseUrl(argument)
  if (url === undefined) throw new UsageError('Name the database, or set MODELPORT_DATABASE_URL.')
  return url
}

type Source = ReturnType<typeof openDatabase>
type Records = Pick<SealedKeys, 'ids' | 'read' | 'save'>

async function copyRecord(
  id: string,
  from: Pick<Records, 'read'>,
  to: Pick<Records, 'save'>,
): Promise<void> {
  const text = await from.read(id)
  if (text !== null) await to.save(id, text)
}

/**
 * Holds the lock of the data folder, so that no service changes it meanwhile.
 * @param options  `isNew`: the folder must have no database, and keeps none after a failure
 */
async function inFolder(
  { cli, isNew }: { cli: Cli; isNew: boolean },
  work: (database: Source, files: Records) => Promise<CopiedTable[]>,
): Promise<CopiedTable[]> {
  const { dataDir, sqliteBinding } = cli.workspaceOptions()
  const { openDatabase: open } = await import('../storage/sqlite/database.ts')
  const { openSealedFiles } = await import('../secrets/sealed-keys.ts')
  const unlock = lockDataFolder({
    dataDir,
    sqliteBinding,
    holder: isNew ? 'migrate-from' : 'migrate-to',
  })
  try {
    const file = join(dataDir, 'modelport.db')
    checkFolder(dataDir, existsSync(file), isNew)
    const database = open({ dataDir, sqliteBinding })
    let isDone = false
    try {
      const copied = await work(database, await openSealedFiles(dataDir))
      isDone = true
      return copied
    } finally {
      database.close()
      if (isNew && !isDone) removeDatabase(file)
    }
  } finally {
    unlock()
  }
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

function checkFolder(dataDir: string, hasDatabase: boolean, isNew: boolean): void {
  if (hasDatabase && isNew)
    throw new CommandFailed(`${dataDir} has a database. Choose another folder with --data-dir.`)
  if (!hasDatabase && !isNew) throw new CommandFailed(`There is no database in ${dataDir}.`)
}

function show(copied: readonly CopiedTable[], cli: Cli): void {
  cli.output.table(
    copied.filter(({ rows }) => rows > 0),
    columns,
  )
  cli.output.note('Both databases have the same rows.')
}
