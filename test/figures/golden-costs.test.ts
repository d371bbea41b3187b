/**
 * The cost of requests to the nano-dollar, from the provider's usage to the bill: long prompts, caches, reasoning,
 * peak hours, dated names. The figures were calculated independently. @pydantic/genai-prices, which calculates in
 * doubles, must agree to a nano-dollar.
 */
import { calcPrice } from '@pydantic/genai-prices'
import { expect, test } from 'vitest'
import type { ChatUsage } from '../../src/shared/chat/chat.ts'
import { loadCatalog } from '../../src/service/catalog/catalog.ts'
import { costNanoUsd } from '../../src/service/catalog/cost.ts'
import { priceInForce } from '../../src/service/catalog/price-schedule.ts'
import { billedTokens } from '../../src/service/chat/metering/token-classes.ts'
import golden from './golden-costs.json' with { type: 'json' }

const catalog = loadCatalog()

function split(id: string): [type: string, name: string] {
  const colon = id.indexOf(':')
  return [id.slice(0, colon), id.slice(colon + 1)]
}

function scheduleOf(id: string) {
  const [type, name] = split(id)
  const model = catalog
    .modelsOf(type)
    .find((known) => known.id === id || known.aliases.includes(name))
  if (!model) throw new Error(`${id} is not in the catalogue`)
  return model
}

test('there are at least sixty cases, all different', () => {
  const distinct = new Set(golden.cases.map(({ what: _what, ...one }) => JSON.stringify(one)))

  expect(distinct.size).toBe(golden.cases.length)
  expect(distinct.size).toBeGreaterThanOrEqual(60)
})

test.each(golden.cases)('$model: $what', ({ model, at, usage, costNanoUsd: expected }) => {
  const { price } = priceInForce(scheduleOf(model), Date.parse(at))

  expect(costNanoUsd(price, billedTokens(usage))).toBe(expected)
})

test.each(golden.cases.filter(({ model }) => !model.startsWith('local:')))(
  '$model: $what, also by genai-prices',
  ({ model, at, usage, costNanoUsd: expected }) => {
    const [providerId, name] = split(model)
    const found = calcPrice(usageOf(usage), name, { providerId, timestamp: new Date(at) })

    expect(Math.abs((found?.total_price ?? NaN) - expected / 1e9)).toBeLessThanOrEqual(1e-9)
  },
)

/** Usage whose counts contain the cached tokens, as on the wire. */
function usageOf({ prompt_tokens, completion_tokens, prompt_tokens_details }: ChatUsage) {
  return {
    input_tokens: prompt_tokens,
    cache_read_tokens: prompt_tokens_details?.cached_tokens ?? 0,
    cache_write_tokens: prompt_tokens_details?.cache_write_tokens ?? 0,
    output_tokens: completion_tokens,
  }
}
