import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'

type Modelport = ReturnType<typeof newModelport>

/** A folder with the router "Local" and one with the given name; resolves to a backup of it. */
async function backedUp({ json, run }: Modelport, name = 'Old'): Promise<string> {
  const file = join(temporaryFolder(), 'backup.db')
  await createRouter({ json }, name)
  expect((await run(['backup', file])).code).toBe(0)
  return file
}

async function createRouter({ json }: Pick<Modelport, 'json'>, name: string): Promise<void> {
  const models = ['--models', 'local:smollm2-135m-instruct']
  await json('router', 'create', '--name', name, '--strategy', 'priority', ...models)
}

async function routerNames({ json }: Modelport): Promise<unknown[]> {
  return (await json('router', 'list')).map(({ name }) => name)
}

function keptFiles({ dataDir }: Modelport): string[] {
  return readdirSync(dataDir).filter((name) =>
    /^modelport\.before-restore-\d{8}T\d{9}Z\.db$/.test(name),
  )
}

test('restores the backup, shows both counts, and keeps the previous database', async () => {
  const modelport = newModelport()
  const file = await backedUp(modelport)
  await createRouter(modelport, 'New')
  await modelport.json('key', 'create', '--name', 'A', '--routers', 'all')
  const { code, stdout } = await modelport.run(['restore', file, '--yes'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^WHAT +NOW +IN THE BACKUP\nrouters +3 +2\nkeys +1 +0\nrequests +0 +0\n/)
  expect(await routerNames(modelport)).toEqual(['Local', 'Old'])
  const [kept = ''] = keptFiles(modelport)
  expect(await modelport.run(['restore', join(modelport.dataDir, kept), '--yes'])).toMatchObject({
    code: 0,
  })
  expect(await routerNames(modelport)).toEqual(['Local', 'Old', 'New'])
})

test('asks for confirmation, and changes nothing without it', async () => {
  const modelport = newModelport()
  const file = await backedUp(modelport)
  await createRouter(modelport, 'New')
  const asked = await modelport.run(['restore', file], { stdin: 'no\n' })
  expect(asked.code).toBe(1)
  expect(asked.stderr).toContain('Replace the database with the backup? [y/N]')
  expect((await modelport.run(['restore', file])).code).toBe(1)
  expect(await routerNames(modelport)).toEqual(['Local', 'Old', 'New'])
  expect(readdirSync(modelport.dataDir).filter((name) => name.includes('restor'))).toEqual([])
  expect((await modelport.run(['restore', file], { stdin: 'y\n' })).code).toBe(0)
  expect(await routerNames(modelport)).toEqual(['Local', 'Old'])
})

test('refuses while a service uses the folder, and names it', async () => {
  const modelport = newModelport()
  const file = await backedUp(modelport)
  const service = await modelport.serve()
  const { code, stderr } = await modelport.run(['restore', file, '--yes'])
  expect(code).toBe(1)
  expect(stderr).toContain(`used by “modelport serve” (process ${service.pid})`)
  expect(keptFiles(modelport)).toEqual([])
})

test('restores a folder with a damaged database, and keeps the damaged file', async () => {
  const modelport = newModelport()
  const file = await backedUp(modelport)
  const database = join(modelport.dataDir, 'modelport.db')
  const damaged = Buffer.alloc(12_288, 7)
  writeFileSync(database, damaged)
  writeFileSync(`${database}-wal`, damaged)
  const [routers, , , , done] = await modelport.json('restore', file, '--yes')
  expect(routers).toEqual({ what: 'routers', before: null, after: 2 })
  expect(readFileSync(String(done?.['replaced']))).toEqual(damaged)
  expect(await routerNames(modelport)).toEqual(['Local', 'Old'])
})

test('restores into a folder without a database', async () => {
  const file = await backedUp(newModelport())
  const empty = newModelport()
  const ran = await empty.json('restore', file, '--yes')
  expect(ran.at(-1)).toEqual({ restored: file, replaced: null, salvagedRequests: 0 })
  expect(await routerNames(empty)).toEqual(['Local', 'Old'])
  expect(statSync(join(empty.dataDir, 'modelport.db')).mode & 0o077).toBe(0)
})

test('shows a command that uses the database all of the backup or nothing', async () => {
  const modelport = newModelport()
  const file = await backedUp(modelport)
  await createRouter(modelport, 'New')
  const other = new Sqlite(join(modelport.dataDir, 'modelport.db'))
  other.exec('BEGIN')
  const count = other.prepare('SELECT count(*) FROM routers').pluck()
  expect(count.get()).toBe(3)
  expect((await modelport.run(['restore', file, '--yes'])).code).toBe(0)
  expect(count.get()).toBe(3)
  other.exec('COMMIT')
  expect(count.get()).toBe(2)
  other.close()
})

/** Each turns a good backup into a file that must be refused. */
const refused: Record<string, (file: string) => void> = {
  'no database': (file) => writeFileSync(file, 'hello, world, this is not a database at all'),
  'an empty file': (file) => writeFileSync(file, ''),
  'a truncated one': (file) => writeFileSync(file, readFileSync(file).subarray(0, 20_000)),
  'one with a page overwritten': (file) => {
    const bytes = readFileSync(file)
    bytes.fill(0xa5, 8_192, 12_288)
    writeFileSync(file, bytes)
  },
  'a newer version’s': (file) => change(file, 'PRAGMA user_version = 990000'),
  'one of an unknown version': (file) => change(file, 'PRAGMA user_version = 7'),
  'one with another table': (file) => change(file, 'CREATE TABLE more (a TEXT)'),
  'one with a trigger': (file) =>
    change(file, 'CREATE TRIGGER t AFTER INSERT ON routers BEGIN DELETE FROM api_keys; END'),
  'one a service could not read': (file) => change(file, `UPDATE routers SET models = '{}'`),
}

function change(file: string, sql: string): void {
  const db = new Sqlite(file)
  db.exec(sql)
  db.close()
}

test.each(Object.keys(refused))('refuses %s and changes nothing', async (name) => {
  const modelport = newModelport()
  const file = await backedUp(modelport)
  refused[name]?.(file)
  const before = readdirSync(modelport.dataDir)
  const ran = await modelport.run(['restore', file, '--yes'])
  expect(ran).toMatchObject({ code: 1, stdout: '' })
  expect(ran.stderr).toMatch(/^modelport: [^\n]+\n$/)
  expect(await routerNames(modelport)).toEqual(['Local', 'Old'])
  expect(readdirSync(modelport.dataDir).filter((entry) => !before.includes(entry))).toEqual(
    before.includes('service.lock') ? [] : ['service.lock'],
  )
})

test('restores a backup over an emptied database', async () => {
  const modelport = newModelport()
  const file = await backedUp(modelport)
  mkdirSync(join(modelport.dataDir, 'tls'))
  for (const suffix of ['-wal', '-shm'])
    rmSync(join(modelport.dataDir, `modelport.db${suffix}`), { force: true })
  writeFileSync(join(modelport.dataDir, 'modelport.db'), '')
  expect((await modelport.run(['router', 'list'])).stderr).toContain('modelport restore FILE')
  expect((await modelport.run(['restore', file, '--yes'])).code).toBe(0)
  expect(await routerNames(modelport)).toEqual(['Local', 'Old'])
})

test('refuses a missing file and the database itself', async () => {
  const modelport = newModelport()
  await backedUp(modelport)
  const missing = await modelport.run(['restore', '/nowhere/backup.db', '--yes'])
  expect(missing).toMatchObject({
    code: 1,
    stderr: 'modelport: There is no file /nowhere/backup.db.\n',
  })
  const self = join(modelport.dataDir, 'modelport.db')
  expect((await modelport.run(['restore', self, '--yes'])).code).toBe(1)
  expect(existsSync(self)).toBe(true)
})

test('leaves either the old or the new rows when it is killed', { timeout: 240_000 }, async () => {
  const modelport = newModelport()
  const file = await backedUp(modelport)
  await createRouter(modelport, 'New')
  const found: unknown[] = []
  for (let delayMs = 0; delayMs < 20; delayMs += 1) {
    await killWhileReplacing(modelport, file, delayMs)
    found.push(countRouters(modelport))
    for (const kept of keptFiles(modelport)) rmSync(join(modelport.dataDir, kept))
  }
  expect(found.filter((count) => count !== 2 && count !== 3)).toEqual([])
  expect((await modelport.run(['restore', file, '--yes'])).code).toBe(0)
  expect(await routerNames(modelport)).toEqual(['Local', 'Old'])
})

/** Starts a restore and kills it at this time after the copy of the current database appeared. */
async function killWhileReplacing(
  { start, dataDir }: Modelport,
  file: string,
  delayMs: number,
): Promise<void> {
  const { child, exited } = start(['restore', file, '--yes', '--data-dir', dataDir])
  const watcher = watch(dataDir, (_event, name) => {
    if (name?.startsWith('modelport.before-restore'))
      setTimeout(() => child.kill('SIGKILL'), delayMs)
  })
  await exited
  watcher.close()
}

function countRouters({ dataDir }: Modelport): unknown {
  const db = new Sqlite(join(dataDir, 'modelport.db'))
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  const count = db.prepare('SELECT count(*) FROM routers').pluck().get()
  db.close()
  return count
}
