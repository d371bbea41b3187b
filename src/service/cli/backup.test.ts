import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { startChild } from '../../../test/storage/child.ts'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

test('copies the database while a service runs and another process writes to it', async () => {
  const { serve, run, dataDir } = newModelport()
  const file = join(temporaryFolder(), 'backup.db')
  const service = await serve()
  const writer = startChild('write-rows.ts', dataDir)
  await writer.spoke
  const ran = await run(['backup', file])
  expect(ran).toMatchObject({
    code: 0,
    stdout: `Copied the database to ${file} and verified it.\n`,
  })
  expect(await statusOf(service)).toBe(204)
  const copy = new Sqlite(file, { readonly: true })
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(copy.prepare('SELECT count(*) FROM requests').pluck().get()).toBeGreaterThan(0)
  copy.close()
  expect(readdirSync(join(file, '..'))).toEqual(['backup.db'])
})

test('lets a service write while the copy is made', async () => {
  const { run, dataDir } = newModelport()
  const storage = await openStorage({ dataDir })
  const rows = Array.from({ length: 20_000 }, (_, row) => sampleRecord({ id: `before-${row}` }))
  await Promise.all(rows.map((row) => storage.ledger.append(row, sampleDetail())))
  const folder = temporaryFolder()
  const backup = run(['backup', join(folder, 'backup.db')])
  const hasEnded = backup.then(() => true)
  const isCopying = () => readdirSync(folder).some((name) => name !== 'backup.db')
  let written = 0
  for (let row = 0; !(await Promise.race([hasEnded, Promise.resolve(false)])); row += 1) {
    const wasCopying = isCopying()
    await storage.ledger.append(sampleRecord({ id: `during-${row}` }), sampleDetail())
    if (wasCopying && isCopying()) written += 1
  }
  expect((await backup).code).toBe(0)
  await storage.close()
  expect(written).toBeGreaterThan(0)
})

test.skipIf(process.platform === 'win32')('makes a file for its owner only', async () => {
  const { run } = await filled()
  const file = join(temporaryFolder(), 'backup.db')
  await run(['backup', file])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('overwrites an existing file only with --force', async () => {
  const { run } = await filled()
  const file = join(temporaryFolder(), 'backup.db')
  writeFileSync(file, 'mine')
  const refused = await run(['backup', file])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('Add --force to overwrite it')
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect((await run(['backup', file, '--force'])).code).toBe(0)
  expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3')
})

test('writes nothing into the data folder, whatever the path', async () => {
  const { run, dataDir } = await filled()
  const link = join(temporaryFolder(), 'link')
  symlinkSync(dataDir, link)
  const files = ['modelport.db', 'modelport.db-wal', 'copy.db']
  const targets = [...files, join('..', dataDir.split('/').at(-1) ?? '', 'x.db')]
  const paths = [...targets.map((name) => join(dataDir, name)), join(link, 'modelport.db')]
  for (const path of paths)
    expect(await run(['backup', path, '--force'])).toMatchObject({ code: 2, stdout: '' })
  expect((await run(['router', 'list', '--json'])).stdout).toContain('"Local"')
})

test('fails without a database and creates nothing', async () => {
  const { run, dataDir } = newModelport()
  const ran = await run(['backup', join(temporaryFolder(), 'backup.db')])
  expect(ran).toMatchObject({ code: 1, stderr: `modelport: There is no database in ${dataDir}.\n` })
  expect(readdirSync(dataDir)).toEqual([])
})

test('refuses to copy a damaged database and leaves no partial file', async () => {
  const { run, dataDir } = await filled()
  writeFileSync(join(dataDir, 'modelport.db'), Buffer.alloc(8192, 7))
  const folder = temporaryFolder()
  const ran = await run(['backup', join(folder, 'backup.db')])
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(readdirSync(folder)).toEqual([])
})

async function filled() {
  const modelport = newModelport()
  await modelport.json('router', 'list')
  return modelport
}

function statusOf({ url, caFile }: { url: string; caFile: string }): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { ca: readFileSync(caFile) }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}
