/**
 * The whole service on a full disk: the system's limit on file size, set for this process, makes every write to the
 * database fail. Runs on Linux only, where a running process can get such a limit.
 */
import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import type { FakeModel } from '../fake-provider.ts'
import { openMetrics } from '../figures/open-metrics.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { hello, startTestService } from '../test-service.ts'

function fillDisk(isFull: boolean): void {
  const softLimit = isFull ? '4096' : 'unlimited'
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${softLimit}:`])
}

const refused = { error: { code: 'storage_unavailable', type: 'service_unavailable_error' } }

test.runIf(process.platform === 'linux')(
  'refuses every request while the disk is full, then stores each answered one and recovers',
  async () => {
    const upstream = await startTestService()
    const { service, fake, get, post, ledger } = upstream
    const alarms: string[] = []
    service.on('alarm', ({ message }) => alarms.push(message))
    const ask = (body = {}) => post('chat/completions', { ...hello, ...body })
    const first = await ask()
    expect(first.status).toBe(200)
    await ledger(1)

    fillDisk(true)
    onTestFinished(() => fillDisk(false))
    expect((await ask()).status).toBe(200)
    await expect.poll(() => alarms).toHaveLength(1)
    const askedBefore = fake.requests.length

    const answers = await Promise.all([ask(), ask({ stream: true }), ask({ model: 'auto' })])
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
    for (const answer of answers) {
      expect(await answer.json()).toMatchObject(refused)
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    expect(fake.requests.length).toBe(askedBefore)
    expect(service.storageState().outage).toMatchObject({ canStoreRows: false })
    const found = await get(`v1/requests/${first.headers.get('x-request-id')}`)
    expect(found.status).toBe(200)
    expect((await get('v1/models')).status).toBe(200)
    expect(await service.usage.requests({ limit: 10 })).toHaveLength(1)

    fillDisk(false)
    await expect.poll(async () => (await ask()).status).toBe(200)
    expect(await ledger(3)).toHaveLength(3)
    expect(alarms).toHaveLength(1)
    expect(alarms[0]).toContain('cannot write to its database')
    expect(service.storageState().outage).toBeNull()
  },
)

test.runIf(process.platform === 'linux')(
  'is read-only after any write that failed, and recovers without a request',
  async () => {
    const running = await startTestService()
    const { service, origin, get, post } = running
    const metrics = await openMetrics(running)
    const outage = async () => (await metrics.read()).valueOf('modelport_storage_outage')
    expect(await outage()).toBe(0)
    fillDisk(true)
    onTestFinished(() => fillDisk(false))
    await expect(service.dashboard.setSetting('theme', 'dark')).rejects.toThrow('disk')
    expect(service.storageState().outage).not.toBeNull()
    const chat = await post('chat/completions', hello)
    expect([chat.status, await chat.json()]).toMatchObject([503, refused])
    const ready = await get(`${origin}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([503, refused])
    expect(await outage()).toBe(1)
    expect((await get('v1/models')).status).toBe(200)
    expect((await service.dashboard.routers()).length).toBeGreaterThan(0)

    fillDisk(false)
    await expect.poll(() => service.storageState().outage).toBeNull()
    expect(await outage()).toBe(0)
    expect((await post('chat/completions', hello)).status).toBe(200)
  },
)

test.runIf(process.platform === 'linux')('a probe fails as long as the disk is full', async () => {
  const storage = await openStorage({ dataDir: temporaryFolder() })
  onTestFinished(() => storage.close())
  fillDisk(true)
  onTestFinished(() => fillDisk(false))
  await expect(storage.maintenance.probe()).rejects.toThrow('disk')
  await expect(storage.maintenance.probe()).rejects.toThrow('disk')
  fillDisk(false)
  await storage.maintenance.probe()
})

test.runIf(process.platform === 'linux')(
  'withholds unfinished answers when their rows cannot be stored and durability is strict',
  async () => {
    const answer = Promise.withResolvers<FakeModel>()
    const { service, fake, post, ledger } = await startTestService({
      models: { slow: () => answer.promise },
    })
    await service.dashboard.setSetting('durability', 'strict')
    const asked = [false, true].map((stream) => post('chat/completions', { ...hello, stream }))
    await expect.poll(() => fake.requests).toHaveLength(2)
    fillDisk(true)
    onTestFinished(() => fillDisk(false))
    answer.resolve({})
    const [whole, streamed] = await Promise.all(asked)
    expect(whole?.status).toBe(503)
    expect(whole?.headers.get('x-should-retry')).toBe('false')
    expect(await whole?.json()).toMatchObject(refused)
    const events = (await streamed?.text()) ?? ''
    expect(events).toContain('storage_unavailable')
    expect(events).not.toContain('"_meta"')

    fillDisk(false)
    expect(await ledger(2)).toHaveLength(2)
  },
)
