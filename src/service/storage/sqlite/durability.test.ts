import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextIteration } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { startChild } from '../../../../test/storage/child.ts'
import { rollupsByRows, rollupsStored } from '../../../../test/storage/rollups-by-rows.ts'
import { sampleDetail, sampleRecord, sampleRouter } from '../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { DatabaseFromNewerVersion, StorageUnavailable, type Storage } from '../storage.ts'
import { openStorage } from './open-storage.ts'

async function openIn(dataDir: string): Promise<Storage> {
  const storage = await openStorage({ dataDir })
  onTestFinished(() => storage.close())
  return storage
}

test('grants 4 processes with 250 takes each exactly the limit of 100', async () => {
  const dataDir = temporaryFolder()
  const children = [1, 2, 3, 4].map(() => startChild('take-quota.ts', dataDir, '250', '100'))
  const exits = await Promise.all(children.map(({ exited }) => exited))
  expect(exits).toEqual([0, 0, 0, 0])
  expect(children.reduce((sum, { stdout }) => sum + Number(stdout()), 0)).toBe(100)
})

test('keeps the event loop free while another process holds the lock', async () => {
  const dataDir = temporaryFolder()
  const storage = await openIn(dataDir)
  const holder = startChild('hold-lock.ts', join(dataDir, 'modelport.db'))
  await holder.spoke
  let isStored = false
  const appended = Promise.all(
    Array.from({ length: 200 }, (_, row) =>
      storage.ledger.append(sampleRecord({ id: `${row}` }), sampleDetail()),
    ),
  ).finally(() => (isStored = true))
  // Only this thread ends the holder: if it waited for the lock itself, it would never continue.
  for (let iteration = 0; iteration < 100; iteration += 1) await nextIteration()
  expect(isStored).toBe(false)

  holder.process.kill('SIGKILL')
  await appended

  expect(await storage.ledger.list({ limit: 1000 })).toHaveLength(200)
})

test('loses no acknowledged row, and keeps roll-ups equal to rows, when a writer is killed 20 times', async () => {
  const dataDir = temporaryFolder()
  let acknowledged: string[] = []
  for (let run = 0; run < 20; run += 1) {
    const writer = startChild('write-rows.ts', dataDir, String(run))
    await writer.printedLines(1 + 7 * run)
    writer.process.kill('SIGKILL')
    await writer.exited
    // The last line may have been cut off by the kill.
    acknowledged = acknowledged.concat(writer.stdout().split('\n').slice(0, -1))
  }
  const db = new Sqlite(join(dataDir, 'modelport.db'))
  const kept = new Set(db.prepare<[], string>('SELECT id FROM requests').pluck().all())
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(rollupsStored(db)).toEqual(rollupsByRows(db))
  db.close()
  expect(acknowledged.length).toBeGreaterThan(20)
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
})

test('keeps stored data after a restart', async () => {
  const dataDir = temporaryFolder()
  const first = await openStorage({ dataDir })
  await first.configuration.insertRouter(sampleRouter())
  await first.quota.take({ routerId: 'router_a', day: '2026-11-21', wanted: 3, limit: 5 })
  await first.close()
  const second = await openIn(dataDir)
  expect((await second.configuration.read()).routers).toEqual([sampleRouter()])
  const request = { routerId: 'router_a', day: '2026-11-21', wanted: 3, limit: 5 }
  expect((await second.quota.take(request)).granted).toBe(2)
})

test('stores every row that was appended before it was closed', async () => {
  const dataDir = temporaryFolder()
  const first = await openStorage({ dataDir })
  const appended = Promise.all(
    Array.from({ length: 500 }, (_, row) =>
      first.ledger.append(sampleRecord({ id: `${row}` }), sampleDetail()),
    ),
  )
  await first.close()
  await appended
  const second = await openIn(dataDir)
  expect(await second.ledger.list({ limit: 1000 })).toHaveLength(500)
})

test('shows a change of another process in the version', async () => {
  const dataDir = temporaryFolder()
  const [one, other] = [await openIn(dataDir), await openIn(dataDir)]
  const before = await one.configuration.version()
  await other.configuration.insertRouter(sampleRouter())
  expect(await one.configuration.version()).toBeGreaterThan(before)
  expect((await one.configuration.read()).routers).toHaveLength(1)
})

test('rejects calls after it was closed', async () => {
  const storage = await openStorage({ dataDir: temporaryFolder() })
  await storage.close()
  await expect(storage.configuration.read()).rejects.toBeInstanceOf(StorageUnavailable)
})

test('refuses a database from a newer version and leaves it untouched', async () => {
  const dataDir = temporaryFolder()
  const file = join(dataDir, 'modelport.db')
  const db = new Sqlite(file)
  db.exec('CREATE TABLE things (id INTEGER)')
  db.pragma('user_version = 990')
  db.close()
  const before = readFileSync(file)
  await expect(openStorage({ dataDir })).rejects.toBeInstanceOf(DatabaseFromNewerVersion)
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('refuses a database of 0 bytes in a folder that was used before, and does not change it', async () => {
  const dataDir = temporaryFolder()
  const file = join(dataDir, 'modelport.db')
  mkdirSync(join(dataDir, 'tls'))
  writeFileSync(file, '')
  const opening = openStorage({ dataDir })
  await expect(opening).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(opening).rejects.toThrow(/0 bytes.+tls.+modelport restore FILE.+move the empty file/)
  expect(readdirSync(dataDir)).toEqual(['modelport.db', 'tls'])
  expect(statSync(file).size).toBe(0)
})

test('treats a database of 0 bytes in a new folder as a new one', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'modelport.db'), '')
  expect((await (await openIn(dataDir)).configuration.read()).routers).toEqual([])
})

test('starts empty in a used folder whose database was moved away', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'tls'))
  expect((await (await openIn(dataDir)).configuration.read()).routers).toEqual([])
})

test('explains how to repair a damaged database', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'modelport.db'), Buffer.alloc(8192, 7))
  await expect(openStorage({ dataDir })).rejects.toThrow(/is damaged.+modelport restore FILE/)
})

test('rejects with the cause when the data folder cannot be created', async () => {
  const opening = openStorage({ dataDir: '/dev/null/modelport' })
  await expect(opening).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(opening).rejects.toThrow(/ENOTDIR/)
})

test.skipIf(process.platform === 'win32')('lets only the owner read its files', async () => {
  const dataDir = join(temporaryFolder(), 'new')
  const storage = await openIn(dataDir)
  await storage.configuration.insertRouter(sampleRouter())
  const files = ['modelport.db', 'modelport.db-wal', 'modelport.db-shm']
  expect(permissionsOf(dataDir)).toBe(0o700)
  expect(files.map((name) => permissionsOf(join(dataDir, name)))).toEqual([0o600, 0o600, 0o600])
})

function permissionsOf(path: string): number {
  return statSync(path).mode & 0o777
}
