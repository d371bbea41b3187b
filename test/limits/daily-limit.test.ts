/** The daily limit under concurrency, exact to the request. */
import { expect, test } from 'vitest'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { amount, tortureTimeoutMs } from '../torture/amounts.ts'

const dayMs = 86_400_000
const runs = Array.from({ length: amount({ quick: 1, full: 20 }) }, (_, index) => index + 1)

test.each(runs)(
  'of 1,000 simultaneous requests at limit 100 exactly 100 are served (run %i)',
  { timeout: tortureTimeoutMs },
  async () => {
    const { post, fake, ledger } = await startTestService({ router: { tier: 'free' } })

    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, async () => {
        const answer = await post('chat/completions', hello)
        const body = (await answer.json()) as { error?: { code: string } }
        return `${answer.status} ${body.error?.code ?? 'served'}`
      }),
    )

    const served = outcomes.filter((outcome) => outcome === '200 served').length
    const limited = outcomes.filter((outcome) => outcome === '429 daily_limit_exceeded').length
    expect({ served, limited }).toEqual({ served: 100, limited: 900 })
    expect(fake.requestCount()).toBe(100)
    expect(await ledger(100)).toHaveLength(100)
  },
)

/** @returns the number of served requests of so many at once */
async function serve({ post }: TestService, count: number): Promise<number> {
  const statuses = Array.from({ length: count }, async () => {
    const answer = await post('chat/completions', hello)
    await answer.text()
    return answer.status
  })
  return (await Promise.all(statuses)).filter((status) => status === 200).length
}

test('a clock that goes back 26 hours gives no further requests, and the next day does', async () => {
  let skipMs = 0
  const startedAtMs = Date.now()
  const now = () => startedAtMs + skipMs
  const running = await startTestService({ router: { tier: 'free' }, service: { now } })

  expect(await serve(running, 150)).toBe(100)
  skipMs = -26 * 3_600_000
  expect(await serve(running, 50)).toBe(0)
  skipMs = 0
  expect(await serve(running, 50)).toBe(0)
  skipMs = dayMs
  expect(await serve(running, 150)).toBe(100)
  // Back on the day whose requests are used up.
  skipMs = 0
  expect(await serve(running, 50)).toBe(0)
})

test('a burst over midnight serves at most the limit of each day, and all of it', async () => {
  let nowMs = Date.now()
  const running = await startTestService({
    router: { tier: 'free' },
    service: { now: () => nowMs },
  })

  const before = serve(running, 300)
  nowMs = (Math.floor(nowMs / dayMs) + 1) * dayMs
  const after = serve(running, 300)
  const served = (await before) + (await after)
  // Whatever the new day has left.
  const total = served + (await serve(running, 200))

  const rows = await running.ledger(total)
  const perDay = Map.groupBy(rows, ({ startedAtMs }) => Math.floor(startedAtMs / dayMs))
  expect(perDay.get(nowMs / dayMs)).toHaveLength(100)
  for (const ofDay of perDay.values()) expect(ofDay.length).toBeLessThanOrEqual(100)
})
