import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { sampleRouter } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { lockDataFolder } from '../data-folder/data-folder.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'
import { openBackups } from './backups.ts'

/** A database with one router. */
async function openFolder() {
  const dataDir = temporaryFolder()
  const clock = { ms: Date.UTC(2026, 10, 22, 9) }
  const storage = await openStorage({ dataDir })
  await storage.configuration.insertRouter(sampleRouter())
  await storage.close()
  return { dataDir, clock, backups: openBackups({ dataDir, now: () => clock.ms }) }
}

async function addRouter(dataDir: string): Promise<void> {
  const storage = await openStorage({ dataDir })
  await storage.configuration.insertRouter(sampleRouter({ id: 'router_0000000000000002' }))
  await storage.close()
}

test('a copy is listed with its date, size and counts, and only its owner can read it', async () => {
  const { dataDir, clock, backups } = await openFolder()
  const copy = await backups.create()
  await addRouter(dataDir)

  const { current, copies } = await backups.list()

  const counts = { routers: 1, keys: 0, requests: 0, conversations: 0 }
  const name = 'backups/modelport-20261122T090000000Z.db'
  const { size, mode } = statSync(join(dataDir, name))
  expect(copies).toEqual([
    { name, kind: 'manual', createdAtMs: clock.ms, bytes: size, counts, canRestore: true },
  ])
  expect(copy).toEqual(copies[0])
  expect(current).toEqual({ ...counts, routers: 2 })
  expect(mode & 0o077).toBe(0)
})

test('every kind of copy is listed, the newest first, and no other file', async () => {
  const { dataDir, backups } = await openFolder()
  await backups.create()
  for (const name of [
    'modelport.before-restore-20261121T090000000Z.db',
    'modelport.damaged-20261120T090000000Z.db',
    'modelport.before-restore-20261119T090000000Z.db-wal',
    'notes.db',
    'backups/mine.db',
  ])
    writeFileSync(join(dataDir, name), 'not a database')

  const { copies } = await backups.list()

  expect(copies.map(({ kind, counts }) => [kind, counts?.routers ?? null])).toEqual([
    ['manual', 1],
    ['before_restore', null],
    ['damaged', null],
  ])
})

test('a copy of a newer version is listed with its counts, and cannot be restored', async () => {
  const { dataDir, backups } = await openFolder()
  const { name } = await backups.create()
  const db = new Sqlite(join(dataDir, name))
  db.pragma('user_version = 99999')
  db.close()

  const { copies } = await backups.list()

  expect(copies).toMatchObject([{ counts: { routers: 1 }, canRestore: false }])
  await expect(backups.stage(name)).rejects.toThrow('newer version')
})

test('a restore puts the copy in place and keeps the database, which can be restored again', async () => {
  const { dataDir, clock, backups } = await openFolder()
  const { name } = await backups.create()
  await addRouter(dataDir)

  const staged = await backups.stage(name)
  clock.ms += 1_000
  const restored = await staged.apply()

  const keptAs = 'modelport.before-restore-20261122T090001000Z.db'
  const counts = { routers: 1, keys: 0, requests: 0, conversations: 0 }
  expect(restored).toEqual({
    createdAtMs: Date.UTC(2026, 10, 22, 9),
    counts,
    salvagedRequests: 0,
    keptAs,
  })
  expect((await backups.list()).current).toEqual(counts)
  clock.ms += 1_000
  await (await backups.stage(keptAs)).apply()
  expect((await backups.list()).current).toMatchObject({ routers: 2 })
})

test('a damaged copy is refused before anything changes', async () => {
  const { dataDir, backups } = await openFolder()
  const { name } = await backups.create()
  const bytes = readFileSync(join(dataDir, name))
  writeFileSync(join(dataDir, name), bytes.fill(0xa5, 8_192, 12_288))

  await expect(backups.stage(name)).rejects.toThrow('damaged')

  expect((await backups.list()).current).toMatchObject({ routers: 1 })
  expect(readdirSync(dataDir).filter((file) => file.includes('restor'))).toEqual([])
})

test('a folder in use is not restored', async () => {
  const { dataDir, backups } = await openFolder()
  const staged = await backups.stage((await backups.create()).name)
  const unlock = lockDataFolder({ dataDir, holder: 'serve' })
  await expect(staged.apply()).rejects.toThrow('is used by')
  unlock()
})

test('only copies are deleted or shown, whatever the name', async () => {
  const { dataDir, backups } = await openFolder()
  const { name } = await backups.create()
  for (const other of ['modelport.db', '../modelport.db', 'backups/../modelport.db'])
    await expect(backups.remove(other)).rejects.toThrow('There is no copy')
  await backups.remove(name)
  expect((await backups.list()).copies).toEqual([])
  await expect(backups.pathOf(name)).rejects.toThrow('There is no copy')
  expect(statSync(join(dataDir, 'modelport.db')).size).toBeGreaterThan(0)
})

test('a damaged database is moved aside and keeps its bytes', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(dataDir, { recursive: true })
  const damaged = Buffer.alloc(12_288, 7)
  writeFileSync(join(dataDir, 'modelport.db'), damaged)
  writeFileSync(join(dataDir, 'modelport.db-wal'), damaged)
  const backups = openBackups({ dataDir, now: () => Date.UTC(2026, 10, 22, 9) })

  await backups.setAside()

  const kept = 'modelport.damaged-20261122T090000000Z.db'
  expect(readFileSync(join(dataDir, kept))).toEqual(damaged)
  expect(readFileSync(join(dataDir, `${kept}-wal`))).toEqual(damaged)
  expect(readdirSync(dataDir)).not.toContain('modelport.db')
  expect((await backups.list()).copies).toMatchObject([{ kind: 'damaged', counts: null }])
})

test('the log of a deleted database is moved aside, not applied to the restored one', async () => {
  const { dataDir, backups } = await openFolder()
  const { name } = await backups.create()
  const file = join(dataDir, 'modelport.db')
  const deleted = new Sqlite(file)
  deleted.pragma('journal_mode = WAL')
  // Puts each page into the log.
  deleted.exec('DELETE FROM routers; VACUUM')
  const log = readFileSync(`${file}-wal`)
  deleted.close()
  rmSync(file)
  writeFileSync(`${file}-wal`, log)

  await (await backups.stage(name)).apply()

  expect((await backups.list()).current).toMatchObject({ routers: 1 })
  const kept = 'modelport.damaged-20261122T090000000Z.db-wal'
  expect(readFileSync(join(dataDir, kept))).toEqual(log)
})

test('a staged copy can be discarded', async () => {
  const { dataDir, backups } = await openFolder()
  const { name } = await backups.create()
  const staged = await backups.stage(name)
  expect(readdirSync(dataDir)).toContain('modelport.restoring.db')

  staged.discard()

  expect(readdirSync(dataDir).filter((file) => file.includes('restoring'))).toEqual([])
})

test('a copy that disappears while the copies are listed does not fail the list', async () => {
  const { dataDir, backups } = await openFolder()
  await backups.create()
  // A name without a file, as between reading the folder and the file.
  symlinkSync(join(dataDir, 'nothing'), join(dataDir, 'backups', 'modelport-2026-11-21.db'))

  expect((await backups.list()).copies).toMatchObject([{ kind: 'manual' }])
})

test('a copy is counted again only after it has changed', async () => {
  const { dataDir, backups } = await openFolder()
  const { name } = await backups.create()
  const file = join(dataDir, name)
  const { size } = statSync(file)
  const routers = async () => (await backups.list()).copies.map(({ counts }) => counts?.routers)
  utimesSync(file, 1_000, 1_000)
  expect(await routers()).toEqual([1])
  const db = new Sqlite(file)
  db.exec('DELETE FROM routers')
  db.close()
  expect(statSync(file).size).toBe(size)

  utimesSync(file, 1_000, 1_000)
  expect(await routers()).toEqual([1])
  utimesSync(file, 1_000, 1_001)
  expect(await routers()).toEqual([0])
})
