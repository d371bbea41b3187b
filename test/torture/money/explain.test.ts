/** The mock's own sums: what it bills, what of it can be known, and which differences have a name. */
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { BilledCall } from './billed-call.ts'
import { noTokens } from './call-tokens.ts'
import { explain } from './explain.ts'
import { judge, type Judged } from './judge-call.ts'
import { vendorOf } from './vendors.ts'

const price = { input: 1, cacheRead: 0.1, cacheWrite: 1.25, output: 4 }
const contextTokens = 20_000

/** 1,000 tokens of prompt, and 100 of output in events of 10, of which four were sent at these ticks. */
function callOf(more: Partial<BilledCall>, ticks: readonly number[] = [0, 10, 20, 30]): BilledCall {
  return {
    vendor: vendorOf('openai'),
    model: 'gpt-4o-mini',
    mark: '0.1',
    plan: {
      fault: null,
      faultAfter: 0,
      hidden: 0,
      reasoning: 0,
      text: 100,
      tokensPerEvent: 10,
      cachedShare: 0,
      writtenShare: 0,
      firstByteMs: 0,
      eventMs: 1,
      eventsAfterLeaving: 2,
      searchShare: 0,
    },
    tokens: { ...noTokens, prompt: 1_000, text: 100 },
    form: 'stream',
    socket: new Socket(),
    sent: ticks.map((tick) => ({ tokens: 10, report: null, tick })),
    end: 'left',
    startedMs: 0,
    endedMs: 0,
    ...more,
  }
}

function explained(judged: Judged, recordedNanoUsd: number) {
  const calls = [{ about: 'a call', judged }]
  const { named, unnamedNanoUsd } = explain({
    name: '0.1',
    attempts: 1,
    lostNanoUsd: 0,
    recordedNanoUsd,
    calls,
  })
  return { named: Object.fromEntries(named), unnamedNanoUsd }
}

test('names the output of a stream that was closed, and the rest is what can be known', () => {
  const judged = judge(callOf({}), { price, contextTokens, goneTick: 32 })

  // Three of four events had arrived, and the model made two more before it stopped.
  expect(judged).toMatchObject({ billed: 1_240_000, knowable: 1_120_000 })
  expect(explained(judged, 1_120_000)).toEqual({
    named: {
      'output made after the connection closed': -80_000,
      'output in flight when the connection closed': -40_000,
    },
    unnamedNanoUsd: 0,
  })
})

test('a prompt that is not recorded has no name', () => {
  const judged = judge(callOf({ end: 'broke', plan: { ...callOf({}).plan, fault: 'reset' } }, []), {
    price,
    contextTokens,
    goneTick: 0,
  })

  expect(explained(judged, 0)).toEqual({ named: {}, unnamedNanoUsd: -1_000_000 })
})

test('the whole answer is billed where the vendor makes it to its end', () => {
  const judged = judge(callOf({ vendor: vendorOf('bedrock') }), {
    price,
    contextTokens,
    goneTick: 100,
  })

  expect(judged).toMatchObject({ billed: 1_400_000, knowable: 1_160_000 })
})

test('a refusal that arrived costs nothing, and a record of it has no name', () => {
  const judged = judge(callOf({ end: 'refused' }, [0]), { price, contextTokens, goneTick: 100 })

  expect(judged).toMatchObject({ billed: 0, knowable: 0, most: 0 })
  expect(explained(judged, 5_000)).toEqual({ named: {}, unnamedNanoUsd: 5_000 })
})

test('the vendor’s own count leaves no room for an estimate', () => {
  const sent = [{ tokens: 100, report: { outputTokens: 100 }, tick: 0 }]
  const judged = judge(callOf({ end: 'answered', sent }), {
    price,
    contextTokens,
    goneTick: Infinity,
  })

  expect(explained(judged, 1_400_000)).toEqual({ named: {}, unnamedNanoUsd: 0 })
  expect(explained(judged, 1_450_000).unnamedNanoUsd).toBeGreaterThan(0)
})

test('tokens written to a cache cost more than a prompt whose usage is not known', () => {
  const tokens = { ...callOf({}).tokens, written: 800 }
  const judged = judge(callOf({ tokens }, []), { price, contextTokens, goneTick: Infinity })

  expect(judged.unknown['cache writes that no usage reported']).toBe(200_000)
})

test('what is behind a name, a search and the place of inference are billed, and known once they are reported', () => {
  const tokens = { ...noTokens, prompt: 1_000, named: 600, searches: 2, found: 3_000, text: 100 }
  const report = { outputTokens: 100 }
  const options = { price, contextTokens, goneTick: Infinity }
  const broken = judge(callOf({ tokens }), options)
  const told = judge(
    callOf({ tokens, end: 'answered', sent: [{ tokens: 100, report, tick: 0 }] }),
    options,
  )
  const inUs = judge(callOf({ tokens: { ...tokens, isInUs: true } }), options)

  expect(broken.unknown).toMatchObject({
    'stored or linked text that no usage reported': 600_000,
    'searches that no usage reported': 23_000_000,
  })
  expect(told).toMatchObject({ billed: 24_400_000, knowable: 24_400_000, mostLinked: 0 })
  expect(inUs.billed).toBeCloseTo((broken.billed - 20_000_000) * 1.1 + 20_000_000)
})

test('answers of best_of that are not returned are known from the usage alone', () => {
  const tokens = { ...noTokens, prompt: 1_000, choices: 3, text: 100 }
  const judged = judge(callOf({ tokens, end: 'answered' }), {
    price,
    contextTokens,
    goneTick: Infinity,
  })

  expect(judged).toMatchObject({ billed: 2_200_000 })
  expect(judged.unknown['answers of best_of that no usage reported']).toBe(320_000)
})
