/** The daily limit under concurrency, exact to the request. */
import { expect, test } from 'vitest'
import { hello, startTestService } from './test-service.ts'

test.each([1, 2, 3, 4, 5])(
  'of 1,000 simultaneous requests at limit 100 exactly 100 are served (run %i)',
  { timeout: 60_000 },
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
