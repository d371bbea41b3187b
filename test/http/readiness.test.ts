/** What load balancers see of a service, from its start to its stop. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { FakeModel } from '../fake-provider.ts'
import { openMetrics } from '../figures/open-metrics.ts'
import { chatRequest, dial } from './raw-client.ts'
import { startChild } from '../storage/child.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { hello, startTestService } from '../test-service.ts'

const ways = [
  { way: 'the fast lane', fastLane: true },
  { way: 'the general way', fastLane: false },
]

test('/readyz is 204 without a key, and 503 while the service is paused', async () => {
  const { service, origin, get } = await startTestService()
  const ready = async () => {
    const answer = await get(`${origin}/readyz`, { headers: { authorization: '' } })
    return [answer.status, await answer.text()]
  }

  expect(await ready()).toEqual([204, ''])
  service.setPaused(true)
  expect(await ready()).toEqual([503, expect.stringContaining('"code":"overloaded"')])
  service.setPaused(false)
  expect(await ready()).toEqual([204, ''])
})

test.each(ways)(
  'a service that stops sends load balancers away first, and still answers on $way',
  async ({ fastLane }) => {
    const delay = Promise.withResolvers<void>()
    const running = await startTestService({ service: { stop: { delay: () => delay.promise } } })
    const { service, origin, get } = running
    await service.dashboard.setSetting('fastLane', fastLane)
    const metrics = await openMetrics(running)
    const idle = await dial(running)

    const closed = service.close()
    const ready = await get(`${origin}/readyz`)
    const alive = await get(`${origin}/healthz`)
    const { valueOf } = await metrics.read()
    idle.write(chatRequest(running, JSON.stringify(hello)))
    const answer = await text(idle)

    expect([ready.status, alive.status]).toEqual([503, 204])
    expect(valueOf('modelport_stopping')).toBe(1)
    // The connection ended, so that the next request of its client goes to another node.
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n.*connection: close\r\n.*"finish_reason":"stop"/s)
    delay.resolve()
    await closed
    const late = connect(Number(new URL(origin).port), '127.0.0.1')
    await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  },
)

test.each(ways)(
  'what a client sends after the last request of its connection is not asked of a model, on $way',
  async ({ fastLane }) => {
    const delay = Promise.withResolvers<void>()
    const running = await startTestService({ service: { stop: { delay: () => delay.promise } } })
    const { service, fake } = running
    await service.dashboard.setSetting('fastLane', fastLane)
    const connection = await dial(running)
    const closed = service.close()
    connection.write(chatRequest(running, JSON.stringify(hello)).repeat(3))
    const answers = await text(connection)
    delay.resolve()
    await closed

    expect(answers.match(/^HTTP\/1\.1 .*$/gm)).toEqual(['HTTP/1.1 200 OK'])
    expect(fake.requestCount()).toBe(1)
  },
)

test.each(ways)(
  '/healthz does not wait while another process locks the database, on $way',
  async ({ fastLane }) => {
    const dataDir = temporaryFolder()
    const { service, post, get, origin } = await startTestService({ service: { dataDir } })
    await service.dashboard.setSetting('fastLane', fastLane)
    const other = startChild('hold-lock.ts', join(dataDir, 'modelport.db'))
    await other.spoke
    const waiting = Array.from({ length: 10 }, () => post('chat/completions', hello))
    // If each waited for two seconds, they would take longer than this test may.
    for (let asked = 0; asked < 20; asked += 1) {
      const alive = await get(`${origin}/healthz`, { headers: { authorization: '' } })
      expect([alive.status, other.process.exitCode]).toEqual([204, null])
    }
    other.process.kill('SIGKILL')
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200))
  },
)

test('a stream that is open when the service stops ends within the limit for it', async () => {
  const endless: FakeModel = { text: 'x'.repeat(1_000), chunks: 1_000, chunkDelayMs: 100 }
  const { service, post, fake } = await startTestService({
    models: { endless },
    service: { stop: { limitMs: 50 } },
  })
  const stream = await post('chat/completions', { ...hello, stream: true })
  await expect.poll(() => fake.requestCount()).toBe(1)

  await service.close()

  expect(await stream.text()).toContain('"code":"overloaded"')
})
