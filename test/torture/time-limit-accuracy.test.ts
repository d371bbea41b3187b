/** How late the time limits of an attempt take effect. */
import { expect, test } from 'vitest'
import { row } from '../../bench/row.ts'
import { works } from '../attempts/failing-models.ts'
import type { FakeModel } from '../fake-provider.ts'
import { hello, startTestService } from '../test-service.ts'
import { amount, expectMeasured, isTorture, tortureTimeoutMs } from './amounts.ts'

/** Time limit; it also applies to the model that answers, which a busy machine must not exceed. */
const limitMs = isTorture ? 300 : 2_000
const times = amount({ quick: 1, full: 20 })
/** A loaded test run says nothing about lateness, so it has only the figure. */
const target = isTorture ? { target: { atMost: 50 } } : {}

const limits = {
  firstTokenMs: { fault: { kind: 'hang', afterEvents: 0 } },
  betweenChunksMs: { text: 'abcd', chunks: 4, fault: { kind: 'hang', afterEvents: 3 } },
} as const satisfies Record<string, FakeModel>

test.each(Object.entries(limits))(
  'the time limit %s is never early, and late by a short time only',
  { timeout: tortureTimeoutMs },
  async (name, first) => {
    const { post, fake } = await startTestService({
      models: { first, second: works },
      router: { tier: 'enterprise' },
      service: { timeLimits: { [name]: limitMs } },
    })
    // Connections and code are ready before the first measured time.
    fake.setModel('first', works)
    await (await post('chat/completions', { ...hello, stream: true })).text()
    const lateMs: number[] = []
    for (let time = 0; time < times; time += 1) {
      fake.setModel('first', first)
      const startedAt = performance.now()
      const answer = await post('chat/completions', { ...hello, stream: true })
      const body = await answer.text()
      lateMs.push(performance.now() - startedAt - limitMs)
      expect(body).toContain(name === 'firstTokenMs' ? 'fake:second' : 'all_models_unavailable')
      // An answer in between, so that no breaker hides the next one.
      fake.setModel('first', works)
      await (await post('chat/completions', hello)).text()
    }
    // Timers may be a millisecond early against this clock.
    expect(Math.min(...lateMs)).toBeGreaterThan(-5)
    expectMeasured([row(`${name}: latest after its limit`, [Math.max(...lateMs), 'ms'], target)])
  },
)
