/** One model at two providers: how load and failures change each one's share. */
import { describe, expect, test } from 'vitest'
import { addOther, fails, postTimes } from './failing-models.ts'
import { errorReply, type FakeModelScript } from '../fake-provider.ts'
import { startTestService } from '../test-service.ts'

describe('two deployments of one model at the same price', () => {
  /** The random number always draws the first of the list, so only load can send a request to the second. */
  async function startTwo(first: FakeModelScript, strategy: 'cost_optimized' | 'priority') {
    const upstream = await startTestService({
      models: { gpt: first },
      service: { random: () => 0 },
    })
    const { fake, other } = await addOther(upstream, { gpt: { text: 'Other.' } }, ['fake:gpt'])
    const models = ['fake:gpt', 'other:gpt']
    await upstream.service.dashboard.updateRouter(upstream.routerId, {
      name: 'Two',
      strategy,
      models,
    })
    return { upstream, fake, other }
  }

  test('the slower one gets fewer requests', async () => {
    // Slow beside everything that a busy machine delays.
    const slow = { firstByteDelayMs: 3_000 }
    const { upstream, fake, other } = await startTwo(slow, 'cost_optimized')

    await Promise.all(Array.from({ length: 4 }, () => postTimes(upstream, 5)))

    expect(fake.requestCount() + other.requestCount()).toBe(20)
    expect(fake.requestCount()).toBeGreaterThan(0)
    expect(other.requestCount()).toBeGreaterThan(fake.requestCount())
  })

  test('one that fails fast is avoided after its first failure', async () => {
    const { upstream, fake, other } = await startTwo(fails, 'cost_optimized')

    const answers = await postTimes(upstream, 5)

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(fake.requestCount()).toBe(1)
    expect(other.requestCount()).toBe(5)
  })

  test('one that refuses a bad request is not avoided', async () => {
    const refuses = { reply: errorReply(400) }
    const { upstream, fake, other } = await startTwo(refuses, 'cost_optimized')

    const answers = await postTimes(upstream, 3)

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(fake.requestCount()).toBe(3)
    expect(other.requestCount()).toBe(0)
  })

  test('keep the order of the list with the strategy priority', async () => {
    const { upstream, fake, other } = await startTwo({ firstByteDelayMs: 20 }, 'priority')

    await Promise.all(Array.from({ length: 4 }, () => postTimes(upstream, 2)))

    expect(fake.requestCount()).toBe(8)
    expect(other.requestCount()).toBe(0)
  })
})
