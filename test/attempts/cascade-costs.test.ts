/** A router with a cascade: its cost, and whether the budget covers it. */
import { expect, test } from 'vitest'
import {
  alone,
  answers,
  ask,
  asked,
  costOf,
  nanoUsd,
  startCascaded,
  usage,
  type Cascaded,
} from './start-cascaded.ts'
import type { FakeRequest } from '../fake-provider.ts'
import { hello } from '../test-service.ts'

test('emissions are summed like costs', async () => {
  const oneAnswer = async (given: Cascaded) => {
    const upstream = await startCascaded(given)
    await ask(upstream)
    const [row] = await upstream.ledger(1)
    return row?.carbonGrams ?? 0
  }
  const off = { cascade: alone('tool_call_valid') }
  const same = { text: 'Paris', usage: usage(10, 5) }

  const one = await oneAnswer({ ...off, strong: same })
  const two = await oneAnswer({ a: same, b: same })

  expect(one).toBeGreaterThan(0)
  expect(two).toBeCloseTo(2 * one, 12)
})

test('answers received before the caller disconnected are charged, and the prompt of the other model', async () => {
  const upstream = await startCascaded({ b: { ...answers.b, firstByteDelayMs: 60_000 } })
  const controller = new AbortController()
  const init = { signal: controller.signal }
  const gone = upstream.post('chat/completions', hello, init).catch(() => 'gone')
  await expect.poll(() => asked(upstream.fake).length).toBe(2)
  const isAnswered = ({ answeredAtMs }: FakeRequest) => answeredAtMs !== null
  await expect.poll(() => upstream.fake.requests.filter(isAnswered).length).toBe(1)
  // Sent after the answer of `a`, so the service has read that answer when it serves this.
  await upstream.get('v1/models')

  controller.abort()
  await gone

  expect(await upstream.ledger(1)).toMatchObject([
    {
      status: 499,
      modelUsed: null,
      costNanoUsd: costOf('a') + helloTokens * nanoUsd.b[0],
    },
  ])
})

/** The estimate of the program. */
const helloTokens = 6
const tenTokens = { ...hello, max_tokens: 10 }

test('a budget is reserved for the tiers and the final answer, and never overspent', async () => {
  // Per request: at most 10 tokens from each model, and a prompt of about 40 tokens.
  const upstream = await startCascaded({
    a: { text: 'Paris', usage: usage(40, 10) },
    b: { text: 'Lyon', usage: usage(40, 10) },
    strong: { text: 'Paris', usage: usage(40, 10) },
    router: { budgetUsdPerDay: 0.001 },
  })

  const all = await Promise.all(
    Array.from({ length: 20 }, () => upstream.post('chat/completions', tenTokens)),
  )

  const served = all.filter(({ status }) => status === 200).length
  expect(served).toBeGreaterThan(0)
  expect(all.filter(({ status }) => status === 402)).toHaveLength(20 - served)
  const rows = await upstream.ledger(served)
  const spent = rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)
  expect(spent).toBeLessThanOrEqual(1_000_000)
})

test.each([
  ['one nano-dollar less than the maximum cost', -1, 'fake:strong', 'passed_over'],
  ['the maximum cost', 0, 'fake:a', 'accepted'],
])(
  'with %s left, the tier runs only if the budget covers it',
  async (_left, nanoUsdMore, answering, outcome) => {
    const promptTokens = Math.ceil(1.25 * helloTokens) + 32
    const dearest = Object.values(nanoUsd).map(
      ([input, output]) => promptTokens * input + 10 * output,
    )
    const budgetUsdPerDay = (dearest.reduce((sum, one) => sum + one) + nanoUsdMore) / 1e9
    const upstream = await startCascaded({ router: { budgetUsdPerDay } })

    const { model, _meta: meta } = await ask(upstream, tenTokens)

    expect(meta.decision?.promptTokens).toBe(helloTokens)
    expect(model).toBe(answering)
    expect(meta.decision?.cascade).toMatchObject([{ outcome }])
  },
)

test('the sum is an estimate if one provider reports no tokens', async () => {
  const upstream = await startCascaded({ b: { text: 'Paris', usage: 'none' } })

  const { _meta: meta } = await ask(upstream)

  expect(meta.decision?.tokenSource).toBe('estimated')
  const [row] = await upstream.ledger(1)
  expect(row).toMatchObject({ reportedPromptTokens: null, reportedCompletionTokens: null })
  expect(row?.estimatedPromptTokens).toBeGreaterThan(10)
})
