import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStorage } from '../storage/sqlite/open-storage.ts'
import { backUpOnce, startDailyBackup } from './daily-backup.ts'

const day = (text: string) => Date.parse(`${text}T09:00:00Z`)

async function newDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-daily-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  await writeFile(join(dataDir, 'modelport.db'), 'the database')
  return dataDir
}

async function options({ isOn = true, freeBytes = 1e12 } = {}) {
  const dataDir = await newDataDir()
  const today = { ms: day('2026-11-22') }
  const given = {
    dataDir,
    isOn: () => isOn,
    backup: vi.fn<(file: string) => Promise<void>>((file) => writeFile(file, 'a copy')),
    now: () => today.ms,
    freeBytes: async () => freeBytes,
    onNoRoom: vi.fn<() => void>(),
    onError: vi.fn<(error: unknown) => void>(),
  }
  const copies = () => readdir(join(dataDir, 'backups')).catch(() => [])
  return { given, today, copies }
}

test('there is one copy a day, and seven are kept', async () => {
  const { given, today, copies } = await options()
  for (let count = 0; count < 9; count += 1) {
    await backUpOnce(given)
    await backUpOnce(given)
    today.ms += 86_400_000
  }
  expect(given.backup).toHaveBeenCalledTimes(9)
  expect((await copies()).toSorted((a, b) => a.localeCompare(b))).toEqual(
    [24, 25, 26, 27, 28, 29, 30].map((date) => `modelport-2026-11-${date}.db`),
  )
})

test('only old copies of its own are deleted, and none when a copy fails', async () => {
  const { given, today, copies } = await options()
  await backUpOnce(given)
  const folder = join(given.dataDir, 'backups')
  await writeFile(join(folder, 'before-the-exam.db'), 'mine')
  for (let count = 0; count < 8; count += 1) {
    today.ms += 86_400_000
    await writeFile(join(folder, `modelport-2026-10-0${count + 1}.db`), 'old')
  }
  given.backup.mockRejectedValueOnce(new Error('the disk is full'))
  await expect(backUpOnce(given)).rejects.toThrow('the disk is full')
  expect(await copies()).toHaveLength(10)

  await backUpOnce(given)
  expect(await copies()).toHaveLength(8)
  expect(await copies()).toContain('before-the-exam.db')
})

test('what an interrupted copy left is removed', async () => {
  const { given, copies } = await options()
  await backUpOnce(given)
  given.now = () => day('2026-11-23')
  const interrupted = new Date(day('2026-11-22'))
  for (const name of [
    'backups/modelport-2026-11-22.db.unchecked-4711',
    'backups/modelport-20261122T090000000Z.db.unchecked-4711-journal',
    'modelport.before-restore-20261122T090000000Z.db.unchecked-4711',
  ]) {
    await writeFile(join(given.dataDir, name), 'half')
    await utimes(join(given.dataDir, name), interrupted, interrupted)
  }
  const inProgress = 'modelport-20261123T090000000Z.db.unchecked-4712'
  await writeFile(join(given.dataDir, 'backups', inProgress), 'half')
  const justNow = new Date(given.now())
  await utimes(join(given.dataDir, 'backups', inProgress), justNow, justNow)

  await backUpOnce(given)

  const daily = ['modelport-2026-11-22.db', 'modelport-2026-11-23.db']
  expect(new Set(await copies())).toEqual(new Set([...daily, inProgress]))
  expect(new Set(await readdir(given.dataDir))).toEqual(new Set(['backups', 'modelport.db']))
})

test('nothing is copied while it is switched off', async () => {
  const { given, copies } = await options({ isOn: false })
  await backUpOnce(given)
  expect(await copies()).toEqual([])
})

test('a disk that is almost full gets no copy', async () => {
  const { given, copies } = await options({ freeBytes: 1024 ** 3 })
  await backUpOnce(given)
  expect(given.onNoRoom).toHaveBeenCalledTimes(1)
  expect(await copies()).toEqual([])
})

test('it runs ten minutes after the start, every hour, and reports failures', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { given } = await options()
  given.backup.mockRejectedValueOnce(new Error('the disk is full'))
  const daily = startDailyBackup(given)
  vi.advanceTimersByTime(9 * 60_000)
  expect(given.backup).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => given.onError).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60 * 60_000)
  await expect.poll(() => given.backup).toHaveBeenCalledTimes(2)
  await daily.close()
})

test('the copy of a real database can be opened, and only its owner can read it', async () => {
  const { given } = await options()
  await rm(join(given.dataDir, 'modelport.db'))
  const storage = await openStorage({ dataDir: given.dataDir })
  onTestFinished(() => storage.close())
  await backUpOnce({
    ...given,
    backup: (file) => storage.maintenance.backup({ file, replaces: true }),
  })
  const file = join(given.dataDir, 'backups', 'modelport-2026-11-22.db')
  expect((await stat(file)).mode & 0o077).toBe(0)
  const copy = new Sqlite(file, { readonly: true })
  onTestFinished(() => void copy.close())
  expect(copy.pragma('quick_check', { simple: true })).toBe('ok')
})
