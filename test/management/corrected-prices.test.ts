/** A price from a date on: what is billed is what the lists show, and the user's next own price ends it. */
import { expect, test } from 'vitest'
import { hello, startTestService } from '../test-service.ts'

const modelId = 'fake:fake-model'
const nowMs = Date.parse('2026-12-01T12:00:00Z')
const noCaches = {
  cacheReadUsdPerMtok: null,
  cacheWriteUsdPerMtok: null,
  cacheWrite1hUsdPerMtok: null,
}
const cents = { inputUsdPerMtok: 10_000, outputUsdPerMtok: 20_000 }

async function start() {
  const started = await startTestService({ service: { now: () => nowMs } })
  const { dashboard } = started.service
  const correct = (fromMs: number) =>
    dashboard.correctPrice({ modelId, fromMs, ...cents, ...noCaches })
  const shown = async () => (await dashboard.models()).find(({ id }) => id === modelId)
  const costUsd = async () => {
    const answer = (await (await started.post('chat/completions', hello)).json()) as {
      usage: { prompt_tokens: number; completion_tokens: number }
      _meta: { cost: number }
    }
    const { _meta: meta, usage } = answer
    return { cost: meta.cost, cents: (usage.prompt_tokens + 2 * usage.completion_tokens) / 100 }
  }
  return { ...started, dashboard, correct, shown, costUsd }
}

test('the lists of models show the corrected price that is billed', async () => {
  const { correct, shown, costUsd, get } = await start()
  await correct(nowMs - 1000)

  const { cost, cents: expected } = await costUsd()
  expect(cost).toBeCloseTo(expected, 9)
  expect(await shown()).toMatchObject({ ...cents, timedPrices: [] })
  const { data } = (await (await get('models')).json()) as {
    data: { id: string; pricing?: { prompt: string; completion: string } }[]
  }
  const priced = data.filter(({ id }) => id === modelId || id === 'auto')
  expect(priced).toHaveLength(2)
  for (const { pricing } of priced) {
    expect(pricing).toMatchObject({ prompt: '0.01', completion: '0.02' })
  }
})

test('a new own price replaces a correction that applies, and keeps one of a later date', async () => {
  const { correct, shown, costUsd, dashboard } = await start()
  await correct(nowMs - 1000)
  await correct(nowMs + 1000)
  const own = { id: modelId, inputUsdPerMtok: 0, outputUsdPerMtok: 0 }

  expect(await dashboard.saveModel(own)).toMatchObject(own)

  expect((await costUsd()).cost).toBe(0)
  expect(await dashboard.datedPrices()).toMatchObject([{ fromMs: nowMs + 1000 }])
  expect(await shown()).toMatchObject({ timedPrices: [{ startsAtMs: nowMs + 1000 }] })
})

test('saving other facts with the price that is shown, or with the own one, keeps the correction', async () => {
  const { correct, dashboard } = await start()
  const own = { id: modelId, inputUsdPerMtok: 3, outputUsdPerMtok: 15 }
  await dashboard.saveModel(own)
  await correct(nowMs - 1000)

  await dashboard.saveModel({ ...own, contextTokens: 8000 })
  await dashboard.saveModel({ id: modelId, ...cents, contextTokens: 9000 })

  expect(await dashboard.datedPrices()).toHaveLength(1)
})
