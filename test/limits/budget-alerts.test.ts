/** Alerts about budgets: real requests, a real receiver, and restarts. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startService, type Service } from '../../src/service/service.ts'
import { outcomeOf, startBudgeted, tenTokens } from './start-budgeted.ts'

interface Received {
  id: string
  type: string
  level: number
  router: { id: string; name: string } | null
  key: { id: string; name: string } | null
  usedUsd: number
  limitUsd: number
}

/** A receiver on the loopback interface. @param status  of its answers; can be changed */
async function startReceiver(status = 204) {
  const received: Received[] = []
  const receiver = { status, received, url: '' }
  const server = createServer((request, response) => {
    const take = async () => {
      // Checked boundary: the service under test wrote it.
      received.push((await json(request)) as Received)
      response.writeHead(receiver.status).end()
    }
    void take()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // Checked boundary: it listens on a port.
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return receiver
}

function levelsOf({ received }: { received: readonly Received[] }): number[] {
  return received.filter(({ type }) => type === 'budget_alert').map(({ level }) => level)
}

async function restart(dataDir: string): Promise<Service> {
  const service = await startService({
    dataDir,
    cacheDir: join(dataDir, 'cache'),
    allowSessionSecrets: true,
    env: {},
    holder: 'serve',
    port: 0,
  })
  onTestFinished(() => service.close())
  return service
}

test('each level of a budget is posted once per period, also after a restart', async () => {
  const receiver = await startReceiver()
  // Each request costs ten cents.
  const started = await startBudgeted({ router: { budgetUsdPerDay: 0.2 } })
  const { dashboard } = started.service
  await dashboard.setSetting('alertWebhook', receiver.url)

  await outcomeOf(started)
  await expect.poll(() => levelsOf(receiver)).toEqual([50])
  await outcomeOf(started)
  await expect.poll(() => levelsOf(receiver)).toEqual([50, 80, 100])

  const router = { id: started.routerId, name: expect.any(String) }
  expect(receiver.received.at(-1)).toMatchObject({ router, key: null, usedUsd: 0.2, limitUsd: 0.2 })
  await started.service.close()
  const again = await restart(started.dataDir)
  const answer = await again.conversations.send({
    conversationId: null,
    routerId: started.routerId,
    text: 'Hello',
  })
  await answer.finished
  await again.testWebhook()
  expect(receiver.received.at(-1)?.type).toBe('test')
  expect(levelsOf(receiver)).toEqual([50, 80, 100])
})

test('a budget that is nearly spent and refuses a request reaches its last level', async () => {
  const receiver = await startReceiver()
  // Each request costs ten cents, so the budget never reaches its limit.
  const started = await startBudgeted({ router: { budgetUsdPerDay: 0.24 } })
  await started.service.dashboard.setSetting('alertWebhook', receiver.url)
  await outcomeOf(started)
  await outcomeOf(started)
  await expect.poll(() => levelsOf(receiver)).toEqual([50, 80])

  expect(await outcomeOf(started)).toBe('402 budget_exceeded')

  await expect.poll(() => levelsOf(receiver)).toEqual([50, 80, 100])
  expect(receiver.received.at(-1)).toMatchObject({ usedUsd: 0.2, limitUsd: 0.24 })
})

test('a request that is too large for a budget is not an alert', async () => {
  const receiver = await startReceiver()
  // The first request spends half of it.
  const started = await startBudgeted({ router: { budgetUsdPerDay: 0.2 } })
  const { dashboard } = started.service
  await dashboard.setSetting('alertWebhook', receiver.url)
  await outcomeOf(started)

  expect(await outcomeOf(started, { ...tenTokens, max_tokens: 20 })).toBe('402 budget_exceeded')

  await outcomeOf(started)
  await expect.poll(() => levelsOf(receiver)).toContain(100)
  const ofFull = receiver.received.find(({ level }) => level === 100)
  expect(ofFull).toMatchObject({ usedUsd: 0.2 })
})

test('an alert that could not be posted is posted after the next start, with its id', async () => {
  const receiver = await startReceiver(503)
  const started = await startBudgeted({})
  const { dashboard } = started.service
  await dashboard.setSetting('alertWebhook', receiver.url)
  const budget = { name: 'small', routers: 'all', budgetUsdPerMonth: 0.19 } as const
  const { key, apiKey } = await dashboard.createApiKey(budget)
  const headers = { authorization: `Bearer ${key}` }
  const body = { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10 }
  await (await started.post('chat/completions', body, { headers })).text()
  await expect.poll(() => levelsOf(receiver)).toEqual([50])
  await started.service.close()

  receiver.status = 200
  await restart(started.dataDir)

  await expect.poll(() => receiver.received.length).toBeGreaterThan(1)
  const [first, second] = receiver.received
  expect(second).toEqual(first)
  expect(second?.key).toEqual({ id: apiKey.id, name: 'small' })
})

test.each([
  ['http://10.1.2.3/hook', 'use https, so that alerts are not sent unencrypted'],
  ['https://10.1.2.3/hook', /^the address is in a private or reserved network/],
  ['https://169.254.169.254/hook', /^the address is in a private or reserved network/],
])('a webhook at %s is refused', async (url, problem) => {
  const started = await startBudgeted({})
  await started.service.dashboard.setSetting('alertWebhook', url)

  await expect(started.service.testWebhook()).rejects.toThrow(problem)
})
