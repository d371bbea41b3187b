import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { describeBackups } from '../../../../test/storage/describe-maintenance.ts'
import { describeMoney } from '../../../../test/storage/describe-money.ts'
import { describeStorage } from '../../../../test/storage/describe-storage.ts'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { openStorage } from './open-storage.ts'

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'modelport-test-'))
  folders.push(folder)
  return openStorage({ dataDir: folder })
}

describeStorage({ name: 'SQLite in a worker thread', isDurable: true, open })
describeBackups(open)
describeMoney({
  name: 'SQLite',
  async open() {
    const dataDir = temporaryFolder()
    const storage = await openStorage({ dataDir })
    const db = new Sqlite(join(dataDir, 'modelport.db'))
    onTestFinished(() => void db.close())
    return { storage, execute: async (sql) => db.exec(sql) }
  },
})

test('a row that cannot be stored leaves the other rows of its group stored', async () => {
  const storage = await openStorage({ dataDir: temporaryFolder() })
  onTestFinished(() => storage.close())
  // Its column stores the value as unknown, but the sum that includes it cannot.
  const bad = sampleRecord({ id: 'bad', firstTokenMs: Number.NaN })
  const rows = [sampleRecord({ id: 'first' }), bad, sampleRecord({ id: 'last' })]
  const appended = rows.map((row) => storage.ledger.append(row, sampleDetail()))
  const outcomes = await Promise.allSettled(appended)
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { name: 'StorageRejected' } })
  const [usage] = await storage.ledger.usage({ sinceMs: 0, group: 'router' })
  expect(usage?.requests).toBe(2)
})

test('a budget counts what another process of the folder spent', async () => {
  const dataDir = temporaryFolder()
  const [service, command] = [await openStorage({ dataDir }), await openStorage({ dataDir })]
  onTestFinished(() => service.close())
  const owner = { kind: 'router', id: 'router_a', spenderIds: ['router_a'] } as const
  const nowMs = Date.UTC(2026, 10, 21, 12)
  await service.budgets.read(owner, nowMs)
  const row = { routerId: owner.id, costNanoUsd: 7, startedAtMs: nowMs }

  await command.ledger.append(sampleRecord({ ...row, id: 'r' }), sampleDetail())
  await command.close()

  await expect.poll(() => service.budgets.known(owner, nowMs)?.day.spentNanoUsd).toBe(7)
  expect(service.budgets.known(owner, nowMs)?.month.spentNanoUsd).toBe(7)
  expect(await service.budgets.differences(nowMs)).toEqual([])

  const other = await openStorage({ dataDir })
  const nextDayMs = nowMs + 86_400_000
  const next = { ...row, id: 'next', startedAtMs: nextDayMs, costNanoUsd: 5 }
  await other.ledger.append(sampleRecord(next), sampleDetail())
  await other.close()

  // The service was not asked anything on that day.
  await expect.poll(() => service.budgets.known(owner, nextDayMs)?.month.spentNanoUsd).toBe(12)
  expect(service.budgets.known(owner, nextDayMs)?.day.spentNanoUsd).toBe(5)
  expect(await service.budgets.differences(nextDayMs)).toEqual([])
})

test('a write is told to its own process at once, and to others within a second', async () => {
  const dataDir = temporaryFolder()
  const [own, other] = [await openStorage({ dataDir }), await openStorage({ dataDir })]
  onTestFinished(async () => {
    await own.close()
    await other.close()
  })
  const told: Record<'own' | 'other' | 'removed', string[]> = { own: [], other: [], removed: [] }
  const heard = Promise.withResolvers<void>()
  own.onChange((by) => told.own.push(by))
  other.onChange((by) => {
    told.other.push(by)
    heard.resolve()
  })
  other.onChange((by) => told.removed.push(by))()

  const written = own.configuration.setSetting('theme', 'dark')
  expect(told.own).toEqual(['this process'])
  await written
  await heard.promise
  expect(told).toMatchObject({ other: ['another process'], removed: [] })
})
