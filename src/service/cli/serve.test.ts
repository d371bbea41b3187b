import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'

interface Served {
  url: string
  caFile: string
}

/** The status of a GET that trusts only the service's own authority. */
async function statusOf({ url, caFile }: Served, path: string, key = ''): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const request = get(`${url}${path}`, { ca: readFileSync(caFile), headers })
  const [response] = await once(request, 'response')
  response.resume()
  return response.statusCode
}

test('answers over HTTPS after it printed its line, opens no debugger, and exits 0 on SIGTERM', async () => {
  const { serve, run, dataDir } = newModelport()
  const service = await serve()
  expect(service.pid).toBe(service.child.pid)
  expect(await statusOf(service, '/healthz')).toBe(204)
  expect(await filesOpenToOthers(dataDir, service)).toEqual([])
  const second = await run(['serve', '--port', '0'])
  expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 1, stdout: '' })
  expect(second.stderr).toContain(`used by “modelport serve” (process ${service.pid})`)

  if (process.platform !== 'win32') service.child.kill('SIGUSR1')
  expect(await statusOf(service, '/healthz')).toBe(204)
  service.child.kill('SIGTERM')
  const { code, stdout, stderr } = await service.exited
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trim().split('\n')
  expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([
    ['url', 'httpUrl', 'caFile', 'pid'],
  ])
})

/** Windows keeps the user's folder from others. */
async function filesOpenToOthers(dataDir: string, { caFile }: Served): Promise<string[]> {
  if (process.platform === 'win32') return []
  const names = ['modelport.db', 'service.lock', 'service.json', 'logs/modelport.log']
  const files = names.map((name) => join(dataDir, name))
  // The log opens its file beside the start.
  await expect.poll(() => files.filter((file) => !existsSync(file))).toEqual([])
  const isOpen = (file: string, bits: number) => (statSync(file).mode & bits) !== 0
  return [
    ...files.filter((file) => isOpen(file, 0o077)),
    ...[caFile].filter((file) => isOpen(file, 0o022)),
  ]
}

test.skipIf(process.platform === 'win32')(
  'sends load balancers away after SIGTERM, and refuses connections only after the delay',
  async () => {
    const service = await newModelport().serve({ env: { MODELPORT_DRAIN_DELAY: '10m' } })
    expect(await statusOf(service, '/readyz')).toBe(204)

    service.child.kill('SIGTERM')

    await expect.poll(() => statusOf(service, '/readyz')).toBe(503)
    expect(await statusOf(service, '/healthz')).toBe(204)
    service.child.kill('SIGTERM')
    expect(await service.exited).toMatchObject({ code: null })
  },
)

test('applies changes of another command while it runs', async () => {
  const { serve, json } = newModelport()
  const service = await serve()
  const [router] = await json('router', 'list')
  const path = `/api/router/${String(router?.['id'])}/v1/models`
  const [created] = await json('key', 'create', '--name', 'A', '--routers', 'all')
  const ask = () => statusOf(service, path, String(created?.['key']))
  await expect.poll(ask).toBe(200)
  await json('key', 'revoke', String(created?.['id']))
  await expect.poll(ask).toBe(401)
})

test('starts again at once after it was killed', async () => {
  const { serve } = newModelport()
  const first = await serve()
  first.child.kill('SIGKILL')
  await first.exited
  const second = await serve()
  expect(await statusOf(second, '/healthz')).toBe(204)
})

test('names a free port when its own is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  // Checked: a TCP server's address is an object.
  const { port } = other.address() as AddressInfo
  const { code, stdout, stderr } = await newModelport().run(['serve', '--port', String(port)])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`Another program uses port ${port}.`)
  expect(stderr).toMatch(/Port \d+ is free: --port \d+/)
})

test('names the option of the plain HTTP port when that one is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  // Checked: a TCP server's address is an object.
  const { port } = other.address() as AddressInfo
  const { code, stderr } = await newModelport().run([
    'serve',
    '--port',
    '0',
    '--http-port',
    `${port}`,
  ])
  expect(code).toBe(1)
  expect(stderr).toContain(`Another program uses port ${port}.`)
  expect(stderr).toMatch(/Port (\d+) is free: --http-port \1/)
})

test('the first start of another version copies the database', async () => {
  const { dataDir, serve, json } = newModelport()
  const first = await serve()
  first.child.kill('SIGTERM')
  await first.exited
  const copies = join(dataDir, 'backups')
  expect(existsSync(copies)).toBe(false)
  const file = join(dataDir, 'updates', 'version.json')
  const { version, ...history } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...history, version: '0.0.9' }))
  const [router] = await json('router', 'list')

  await serve()

  expect(readdirSync(copies)).toEqual([`before-${version}.db`])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    version,
    before: { fromVersion: '0.0.9', file: join(copies, `before-${version}.db`) },
  })
  const db = new Sqlite(join(copies, `before-${version}.db`), { readonly: true })
  onTestFinished(() => void db.close())
  expect(db.prepare('SELECT id FROM routers').pluck().all()).toEqual([router?.['id']])
})

test('--http-port off overrides the setting', async () => {
  const { start, dataDir, run } = newModelport()
  await run(['settings', 'set', 'httpPort', '1'])
  const { child } = start(['serve', '--port', '0', '--http-port', 'off', '--data-dir', dataDir])
  const [line] = await once(child.stdout, 'data')
  expect(JSON.parse(String(line))).toMatchObject({ httpUrl: null })
})

test.each<[options: string[], env: Record<string, string>, named: string]>([
  [['--shared', 'cache:6379'], {}, '--shared'],
  [['--shared', 'http://cache'], {}, '--shared'],
  [[], { MODELPORT_SHARED_URL: 'cache' }, 'MODELPORT_SHARED_URL'],
  [
    ['--shared', 'valkey://cache'],
    { MODELPORT_SHARED_KEY_FILE: '/dev/null' },
    '--shared-key-file: Expected 32 bytes',
  ],
])('serve %j with %j is wrong usage, and says what was expected', async (options, env, named) => {
  const { run } = newModelport()
  const { code, stderr } = await run(['serve', '--port', '0', ...options], { env })
  expect(code).toBe(2)
  expect(stderr).toContain(named)
  expect(stderr).toContain('Expected')
})

test('says at its start that nodes without the shared key share no answers', async () => {
  const { dataDir, serve } = newModelport()
  const keyFile = join(dataDir, 'shared.key')
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString('base64'))
  const notes = async (env: Record<string, string>) => {
    const shared = { MODELPORT_SHARED_URL: 'valkey://127.0.0.1:1' }
    const { child, exited } = await serve({ env: { ...shared, ...env } })
    child.kill('SIGTERM')
    return (await exited).stderr.match(/Without --shared-key-file.*Idempotency-Key.*/g)
  }
  expect(await notes({})).toHaveLength(1)
  expect(await notes({ MODELPORT_SHARED_KEY_FILE: keyFile })).toBeNull()
})

test('starts without the Valkey it is to share, says so in its log, and shows no password', async () => {
  const { dataDir, serve, run } = newModelport()
  const env = { MODELPORT_SHARED_URL: 'valkey://:secret@127.0.0.1:1' }

  const service = await serve({ env })

  expect(await statusOf(service, '/healthz')).toBe(204)
  const logOf = () => readFileSync(join(dataDir, 'logs', 'modelport.log'), 'utf8')
  await expect
    .poll(() => logOf().match(/the shared state cannot be reached.*127\.0\.0\.1:1/g))
    .toHaveLength(1)
  const help = await run(['serve', '--help'], { env })
  expect(help.stdout.replace(/\s+/g, ' ')).toContain(
    '(MODELPORT_SHARED_URL) (default: the variable)',
  )
  const database = await run(['--help'], {
    env: { MODELPORT_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1/d' },
  })
  expect(database.stdout).toContain('MODELPORT_DATABASE_URL')
  expect(database.stdout).not.toContain('hunter2')
  expect(logOf() + help.stdout).not.toContain('secret')
})
