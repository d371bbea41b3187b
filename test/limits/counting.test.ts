/** Tests which requests count against the day (contract section 6). */
import { expect, test } from 'vitest'
import { errorReply } from '../fake-provider.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

/** The remaining requests of the day after one more request. */
async function remainingOf({ post }: TestService): Promise<number> {
  const { headers } = await post('chat/completions', hello)
  return Number(headers.get('x-ratelimit-remaining-requests'))
}

test.each([
  ['free', 100],
  ['pro', 10_000],
] as const)('tier %s has %i requests a day', async (tier, limit) => {
  const running = await startTestService({ router: { tier } })

  expect(await remainingOf(running)).toBe(limit - 1)
})

test('an enterprise router without a number has no limit and no limit headers', async () => {
  const { post } = await startTestService({ router: { tier: 'enterprise' } })

  const { headers } = await post('chat/completions', hello)

  expect(headers.get('x-ratelimit-limit-requests')).toBeNull()
  expect(headers.get('ratelimit')).toBeNull()
})

test('a refused request does not count', async () => {
  const running = await startTestService()
  const before = await remainingOf(running)

  const refused = [
    await running.post('chat/completions', hello, { headers: { authorization: '' } }),
    await running.post('chat/completions', { messages: [] }),
    await running.post('chat/completions', { ...hello, model: 'fake:nothing' }),
    await running.post('chat/completions', hello, { headers: { origin: 'https://a.example' } }),
  ]

  expect(refused.map(({ status }) => status)).toEqual([401, 400, 404, 403])
  expect(await remainingOf(running)).toBe(before - 1)
})

test('a request counts once, whatever the number of attempts', async () => {
  const broken = { reply: errorReply(500) }
  const models = { first: broken, second: broken, third: { text: 'At last.' } }
  const running = await startTestService({ models })

  expect(await remainingOf(running)).toBe(9_999)
  expect(running.fake.requestCount()).toBe(3)
})
