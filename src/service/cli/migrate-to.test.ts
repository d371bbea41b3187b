import { sampleConversation, sampleMessage } from '../../../test/sample-conversations.ts'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { postgresDatabase } from '../../../test/storage/postgres-database.ts'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { openPostgresStorage } from '../storage/postgres/open-postgres-storage.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'
import type { Storage } from '../storage/storage.ts'

const dayMs = 86_400_000

async function fill({ ledger, conversations, quota }: Storage): Promise<void> {
  for (let row = 0; row < 1_200; row += 1)
    void ledger.append(
      sampleRecord({ id: `request-${row}`, startedAtMs: (row * dayMs) / 500, latencyMs: row / 3 }),
      sampleDetail(),
    )
  await conversations.save(sampleConversation())
  await conversations.saveMessage('c', sampleMessage({ text: 'one\0two' }))
  await quota.take({ routerId: 'r', day: '2026-11-22', wanted: 3, limit: 5 })
}

const catalogText = `${JSON.stringify({ formatVersion: 1, asOf: '2099-01-01', models: [] })}\n`

/** The content that is read from several tables. */
async function contentOf({ configuration, ledger, conversations }: Storage) {
  return {
    configuration: await configuration.read(),
    rows: await ledger.list({ limit: 2_000 }),
    usage: await ledger.usage({ sinceMs: 0, group: 'day' }),
    conversations: await conversations.list(),
  }
}

test('moves a data folder to PostgreSQL, where everything continues', async () => {
  const { run, json, dataDir } = newModelport()
  await json('router', 'list')
  const source = await openStorage({ dataDir })
  await fill(source)
  const before = await contentOf(source)
  await source.close()
  writeFileSync(join(dataDir, 'catalog.json'), catalogText)
  const url = await postgresDatabase()

  const copied = await json('migrate-to', url)

  expect(copied).toContainEqual({ table: 'requests', rows: 1_200 })
  const copy = await openPostgresStorage({ url })
  expect(await contentOf(copy)).toEqual(before)
  expect(await copy.conversations.messages('c')).toEqual([sampleMessage({ text: 'one␀two' })])
  const take = { routerId: 'r', day: '2026-11-22', wanted: 3, limit: 5 }
  expect(await copy.quota.take(take)).toEqual({ granted: 2, used: 5 })
  await copy.conversations.saveMessage('c', sampleMessage({ id: 'next' }))
  expect((await copy.maintenance.check('full')).daysThatDiffer).toEqual([])
  expect((await copy.downloadedCatalog.read()).text).toBe(catalogText)
  await copy.close()

  const back = newModelport()
  expect(await back.json('migrate-from', url)).toContainEqual({ table: 'requests', rows: 1_200 })
  expect(readFileSync(join(back.dataDir, 'catalog.json'), 'utf8')).toBe(catalogText)
  const returned = await openStorage({ dataDir: back.dataDir })
  expect(await contentOf(returned)).toEqual(before)
  expect((await returned.maintenance.check('full')).daysThatDiffer).toEqual([])
  await returned.close()
  expect((await back.run(['migrate-from', url])).stderr).toContain('has a database')
  const unreachable = newModelport()
  const failed = await unreachable.run(['migrate-from', 'postgres://a@127.0.0.1:1/b'])
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('127.0.0.1:1/b') })
  expect(readdirSync(unreachable.dataDir)).not.toContain('modelport.db')

  const again = await run(['migrate-to'], { env: { MODELPORT_DATABASE_URL: url } })
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
})

test('a damaged catalog is left out, and the included one replaces that of a folder', async () => {
  const { run, json, dataDir } = newModelport()
  await json('router', 'list')
  writeFileSync(join(dataDir, 'catalog.json'), '{"formatVersion":1')
  const url = await postgresDatabase()

  const { code, stderr } = await run(['migrate-to', url])

  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('The downloaded catalog cannot be read'),
  })
  const back = newModelport()
  writeFileSync(join(back.dataDir, 'catalog.json'), catalogText)
  await back.json('migrate-from', url)
  expect(existsSync(join(back.dataDir, 'catalog.json'))).toBe(false)
})
