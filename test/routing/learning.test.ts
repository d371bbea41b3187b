/** Learning from answers, over the wire: a router uses the model that is fast now, also after a restart. */
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import type { FakeModelScript } from '../fake-provider.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

/** A text long enough to measure the time per token. */
const text = 'A sentence of some tokens. '.repeat(5)
const quick: FakeModelScript = { firstByteDelayMs: 5, text }
const slow: FakeModelScript = { firstByteDelayMs: 250, text }

/** The model that answers: the named one, or the router's choice. */
async function ask({ post }: TestService, model = 'auto'): Promise<unknown> {
  const answer = await post('chat/completions', { ...hello, stream: true, model })
  expect(answer.status).toBe(200)
  return /"modelUsed":"([^"]+)"/.exec(await answer.text())?.[1]
}

async function askTimes(count: number, upstream: TestService, model?: string): Promise<unknown[]> {
  const models: unknown[] = []
  for (let nth = 0; nth < count; nth += 1) models.push(await ask(upstream, model))
  return models
}

test('a router for low latency uses the faster model, and leaves it when it becomes slow', async () => {
  // Simulated, so that the pauses of a busy machine do not matter.
  let passedMs = 0
  const after = (delayMs: number) => () => {
    passedMs += delayMs
    return { text }
  }
  const upstream = await startTestService({
    models: { first: after(25_000), second: after(500) },
    router: { strategy: 'latency_optimized', routing: { sticky: false } },
    service: { clock: () => performance.now() + passedMs },
  })
  expect(await ask(upstream)).toBe('fake:first')
  await askTimes(5, upstream, 'fake:first')
  await askTimes(6, upstream, 'fake:second')

  expect(await askTimes(3, upstream)).toEqual(Array(3).fill('fake:second'))

  upstream.fake.setModel('first', after(500))
  upstream.fake.setModel('second', after(80_000))
  let asked = 1
  while ((await ask(upstream)) === 'fake:second' && asked < 20) asked += 1
  expect(asked).toBeGreaterThan(1)
  expect(asked).toBeLessThan(20)
})

test('stored statistics contain no word of a prompt or an answer', async () => {
  const upstream = await startTestService({ models: { first: slow } })
  await askTimes(3, upstream)
  await upstream.service.close()

  const storage = await openStorage({ dataDir: upstream.dataDir })
  onTestFinished(() => storage.close())
  const kept = [await storage.modelStatistics.read(), await storage.routerStatistics.read()]

  const stream = { answers: 3, fast: { share: expect.closeTo(0.386, 2) } }
  expect(kept).toMatchObject([
    [{ id: 'fake:first', figures: { latencies: { stream } } }],
    [{ id: upstream.routerId, figures: { answers: 3 } }],
  ])
  expect(JSON.stringify(kept)).not.toMatch(/Hello|sentence/)
})

test('the recorded estimate is based on the earlier answers', async () => {
  const upstream = await startTestService({ models: { first: slow, second: quick } })
  await askTimes(8, upstream)

  const answer = await upstream.post('chat/completions', hello, {
    headers: { 'x-modelport-explain': 'true' },
  })

  expect(await answer.json()).toMatchObject({
    _meta: {
      decision: {
        ranked: [{ estimate: { latencySource: 'assumed' } }, { model: 'fake:second' }],
      },
    },
  })
  const streamed = await upstream.post(
    'chat/completions',
    { ...hello, stream: true },
    { headers: { 'x-modelport-explain': 'true' } },
  )
  expect(await streamed.text()).toContain('"latencySource":"learned"')
})

test('with a paced budget the cost reduces the expected quality, and the record shows by how much', async () => {
  const budgetUsdPerDay = 0.01
  const upstream = await startTestService({
    models: { first: quick, second: quick },
    router: { strategy: 'quality_optimized', budgetUsdPerDay, routing: { pacing: true } },
  })
  const counted = async () => {
    const answer = await upstream.post('chat/completions', { ...hello, max_tokens: 200 }, explained)
    // The form of Modelport's own answer.
    const { _meta } = (await answer.json()) as Explained
    return _meta.decision.parameters.qualityPerUsd
  }

  const first = await counted()
  const second = await counted()

  // A typical answer of 288 tokens to a short prompt costs about $0.0006.
  expect(first).toBeGreaterThan(100)
  expect(first).toBeLessThan(200)
  expect(second).not.toBe(first)
})

const explained = { headers: { 'x-modelport-explain': 'true' } }
interface Explained {
  _meta: { decision: { parameters: { qualityPerUsd: number } } }
}
