import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { get } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

/** Repeats for up to a second, the time that a change by another process may take. */
async function becomes(status: number, ask: () => Promise<number>): Promise<number> {
  const giveUpAt = performance.now() + 1_000
  let found = await ask()
  while (found !== status && performance.now() < giveUpAt) {
    await sleep(50)
    found = await ask()
  }
  return found
}

test('answers over HTTPS after it printed its line, and exits 0 on SIGTERM', async () => {
  const { serve } = newModelport()
  const service = await serve()
  expect(service.pid).toBe(service.child.pid)
  expect(await statusOf(service, '/healthz')).toBe(204)
  service.child.kill('SIGTERM')
  const { code, stdout } = await service.exited
  expect(code).toBe(0)
  const lines = stdout.trim().split('\n')
  expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([
    ['url', 'httpUrl', 'caFile', 'pid'],
  ])
})

test.skipIf(process.platform === 'win32')('SIGUSR1 opens no debugger', async () => {
  const { serve } = newModelport()
  const service = await serve()

  service.child.kill('SIGUSR1')

  expect(await statusOf(service, '/healthz')).toBe(204)
  service.child.kill('SIGTERM')
  const { code, stderr } = await service.exited
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('applies changes of another command within a second', { timeout: 30_000 }, async () => {
  const { serve, json } = newModelport()
  const service = await serve()
  const [router] = await json('router', 'list')
  const path = `/api/router/${String(router?.['id'])}/v1/models`
  const [created] = await json('key', 'create', '--name', 'A', '--routers', 'all')
  const ask = () => statusOf(service, path, String(created?.['key']))
  expect(await becomes(200, ask)).toBe(200)
  await json('key', 'revoke', String(created?.['id']))
  expect(await becomes(401, ask)).toBe(401)
})

test('tells a second service which process uses the folder', async () => {
  const { serve, run } = newModelport()
  const service = await serve()
  const { code, stdout, stderr } = await run(['serve', '--port', '0'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`used by “modelport serve” (process ${service.pid})`)
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

test.skipIf(process.platform === 'win32')(
  'creates files that only their owner can read',
  async () => {
    const { serve, dataDir } = newModelport()
    const service = await serve()
    const files = ['modelport.db', 'service.lock', 'service.json', 'logs/modelport.log']
    const open = files.filter((file) => (statSync(join(dataDir, file)).mode & 0o077) !== 0)
    expect(open).toEqual([])
    expect(statSync(service.caFile).mode & 0o022).toBe(0)
  },
)
