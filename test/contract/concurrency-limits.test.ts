/** The limits of requests in progress, for the whole service and for each key. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { hello, startTestService, type TestService } from '../test-service.ts'

const streamed = { ...hello, stream: true }
const endless = { text: 'x'.repeat(1_000), chunks: 1_000, chunkDelayMs: 100 }

/** A stream until the end of the test. @returns a function that leaves it earlier */
async function openStream({ post }: TestService, key?: string): Promise<() => void> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const { status } = await post('chat/completions', streamed, { headers, signal: leaving.signal })
  expect(status).toBe(200)
  return () => leaving.abort()
}

async function refusalOf({ post }: TestService) {
  const answer = await post('chat/completions', streamed)
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    body: await answer.json(),
  }
}

test('a key at its limit is refused until a request of its own ends; another key is served', async () => {
  const running = await startTestService({ models: { endless } })
  const { service, fake } = running
  await service.dashboard.setSetting('concurrentRequestsPerKey', 2)
  const { key } = await service.dashboard.createApiKey({ name: 'other', routers: 'all' })
  const leave = await openStream(running)
  await openStream(running)

  expect(await refusalOf(running)).toMatchObject({
    status: 503,
    retryAfter: '2',
    body: {
      error: {
        code: 'overloaded',
        message: 'This API key has reached its limit of 2 requests at once. Try again shortly.',
      },
    },
  })
  await openStream(running, key)
  expect(fake.requestCount()).toBe(3)

  leave()
  await vi.waitFor(() => openStream(running), 60_000)
})

test('the service at its limit refuses every key, and counts none of the refused requests', async () => {
  const running = await startTestService({
    models: { endless },
    router: { tier: 'enterprise', dailyLimit: 3 },
  })
  await running.service.dashboard.setSetting('concurrentRequests', 1)
  const leave = await openStream(running)
  expect(await refusalOf(running)).toMatchObject({
    status: 503,
    body: {
      error: {
        code: 'overloaded',
        message: 'Modelport has reached its limit of 1 request at once. Try again shortly.',
      },
    },
  })
  leave()
  await running.service.dashboard.setSetting('concurrentRequests', 5)
  await openStream(running)
  await openStream(running)
})
