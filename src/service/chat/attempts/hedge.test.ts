/** Tests when a second model may be asked beside the first, and which of the two answers. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { candidate } from '../../../../test/routing/sample-candidates.ts'
import { Hedging, race, type Contender, type Hedge } from './hedge.ts'

const priced = (modelId: string, usd: number) =>
  candidate({ modelId, price: { inputUsdPerMtok: usd, outputUsdPerMtok: usd } })
const first = priced('p:first', 1)
const second = priced('p:second', 1)
/** The expected cost of one of them. */
const requestNanoUsd = 1_300_000

let nowMs = 0
let hedging: Hedging
const request = (given: { afterMs?: number | 'auto'; routerId?: string } = {}): Hedge =>
  hedging.request({
    routerId: given.routerId ?? 'router_a',
    setting: { afterMs: given.afterMs ?? 500, maxExtraPercent: 5 },
    costNanoUsdOf: ({ price }) => price.outputUsdPerMtok * requestNanoUsd,
    isStreamed: true,
  })

beforeEach(() => {
  nowMs = 0
  hedging = new Hedging(() => nowMs)
})

describe('hedging money', () => {
  const spend = (requests: number) => request().finished(requests * requestNanoUsd, 0)

  test('a router without spending does not hedge with a model that costs money', () => {
    expect(request().allows(first, second)).toBe(false)
  })

  test('free models are hedged without limit', () => {
    expect(request().allows(priced('p:a', 0), priced('p:b', 0))).toBe(true)
  })

  test('one of twenty requests may be sent twice, and not a second one', () => {
    spend(19)
    expect(request().allows(first, second)).toBe(false)
    spend(1)
    expect(request().allows(first, second)).toBe(true)
    expect(request().allows(first, second)).toBe(false)
  })

  test('money that was reserved and not spent is released', () => {
    spend(20)
    const hedge = request()
    hedge.allows(first, second)
    hedge.finished(0, 0)

    expect(request().allows(first, second)).toBe(true)
  })

  test('the cost of the cancelled attempt counts', () => {
    spend(20)
    const hedge = request()
    hedge.allows(first, second)
    hedge.finished(requestNanoUsd, requestNanoUsd / 2)

    expect(request().allows(first, second)).toBe(false)
    spend(10)
    expect(request().allows(first, second)).toBe(true)
  })

  test('each router has its own money, which expires after a day', () => {
    spend(20)
    expect(request({ routerId: 'router_b' }).allows(first, second)).toBe(false)
    nowMs += 23 * 3_600_000
    expect(request().allows(first, second)).toBe(true)
    nowMs += 2 * 3_600_000
    expect(request().allows(first, second)).toBe(false)
  })

  test('a model more than three times as expensive is never asked', () => {
    spend(1_000)

    expect(request().allows(first, priced('p:dear', 3))).toBe(true)
    expect(request().allows(first, priced('p:dearer', 3.01))).toBe(false)
    expect(request().allows(priced('p:free', 0), second)).toBe(false)
  })
})

describe('the wait', () => {
  const learn = (times: number[]) => {
    for (const ms of times) request().shown(first, ms)
  }

  test('is the router’s setting', () => {
    expect(request({ afterMs: 700 }).delayMs(first)).toBe(700)
  })

  test('auto is the model’s own 95th percentile, after twenty answers', () => {
    learn(Array.from({ length: 19 }, () => 4_000))
    expect(request({ afterMs: 'auto' }).delayMs(first)).toBeNull()
    learn([9_000])
    expect(request({ afterMs: 'auto' }).delayMs(first)).toBe(4_000)
    learn([9_000])
    expect(request({ afterMs: 'auto' }).delayMs(first)).toBe(9_000)
    expect(request({ afterMs: 'auto' }).delayMs(second)).toBeNull()
  })

  test('auto is at least 3 s', () => {
    learn(Array.from({ length: 20 }, () => 200))
    expect(request({ afterMs: 'auto' }).delayMs(first)).toBe(3_000)
  })

  test('only the last hundred answers count', () => {
    learn(Array.from({ length: 100 }, () => 60_000))
    learn(Array.from({ length: 100 }, () => 5_000))
    expect(request({ afterMs: 'auto' }).delayMs(first)).toBe(5_000)
  })
})

/** Sends its name as output after a delay, or fails. */
function contender(name: string, ms: number, failure?: Error): Contender<string> {
  const shown = new Promise<string>((resolve, reject) => {
    setTimeout(() => (failure ? reject(failure) : resolve(name)), ms)
  })
  return { shown }
}

describe('the race', () => {
  const down = new Error('down')

  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  async function run(one: Contender<string>, other: Contender<string> | null) {
    let launched = 0
    const failures: unknown[] = []
    const racing = race<string, Contender<string>>(one, {
      afterMs: 20,
      launch: () => {
        launched += 1
        return Promise.resolve(other)
      },
      failed: (_contender, cause) => failures.push(cause),
    })
    await vi.runAllTimersAsync()
    const result = await racing
    return { shown: result?.shown ?? null, loser: result?.loser ?? null, launched, failures }
  }

  test('a model that is fast enough runs alone', async () => {
    expect(await run(contender('one', 1), contender('two', 1))).toMatchObject({
      shown: 'one',
      loser: null,
      launched: 0,
    })
  })

  test.each([
    ['one', 60, 200],
    ['two', 400, 10],
  ])('%s sends output first and the other is cancelled', async (shown, oneMs, twoMs) => {
    const one = contender('one', oneMs)
    const two = contender('two', twoMs)

    const result = await run(one, two)

    expect(result).toMatchObject({ shown, launched: 1, failures: [] })
    expect(result.loser).toBe(shown === 'one' ? two : one)
  })

  test('without a permitted second model the race waits for the first', async () => {
    expect(await run(contender('one', 60), null)).toMatchObject({ shown: 'one', loser: null })
  })

  test('when one fails the race waits for the other', async () => {
    expect(await run(contender('one', 40, down), contender('two', 60))).toMatchObject({
      shown: 'two',
      loser: null,
      failures: [down],
    })
  })

  test('an early failure of the first is an ordinary failure', async () => {
    expect(await run(contender('one', 1, down), contender('two', 1))).toMatchObject({
      shown: null,
      launched: 0,
      failures: [down],
    })
  })

  test('when both fail there is no winner', async () => {
    expect(await run(contender('one', 40, down), contender('two', 30, down))).toMatchObject({
      shown: null,
      failures: [down, down],
    })
  })

  test('without a wait the first runs alone', async () => {
    const launch = () => {
      throw new Error('asked')
    }
    const options = { afterMs: null, launch, failed: () => {} }

    const racing = race(contender('one', 50), options)
    await vi.runAllTimersAsync()
    expect((await racing)?.shown).toBe('one')
  })
})
