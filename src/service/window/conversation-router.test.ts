import { expect, test } from 'vitest'
import { sampleRouter } from '../../../test/storage/samples.ts'
import { routingSettingsSchema } from '../../shared/routers/routing-settings.ts'
import { conversationRouter } from './conversation-router.ts'

const cascade = {
  tiers: [{ models: ['openai:gpt-5.4-nano'], accept: 'valid_json' as const }],
}

test('without a preference and a limit, the router is unchanged', () => {
  const router = sampleRouter()
  expect(conversationRouter(router, { temperature: 1 }, 5)).toBe(router)
})

test('a preference sets how much quality may be lost, and leaves what a router learns from', () => {
  const routing = routingSettingsSchema.parse({ limitEachPrompt: true, cascade })
  const preferring = conversationRouter(
    sampleRouter({ strategy: 'priority', routing }),
    { preference: 'cheapest' },
    0,
  )
  expect(preferring).toMatchObject({
    strategy: 'cost_optimized',
    routing: { qualityTolerance: 0.5, limitEachPrompt: false, cascade: null },
  })
  const adaptive = sampleRouter({ strategy: 'adaptive' })
  expect(conversationRouter(adaptive, { preference: 'best' }, 0)).toMatchObject({
    strategy: 'adaptive',
    routing: { qualityTolerance: 0 },
  })
})

test('an answer may cost what is left of the limit, and no more than the router allows', () => {
  const most = (maxCostUsdPerRequest: number | null, spentUsd: number) => {
    const routing = routingSettingsSchema.parse({ maxCostUsdPerRequest })
    return conversationRouter(sampleRouter({ routing }), { limitUsd: 1 }, spentUsd).routing
      .maxCostUsdPerRequest
  }
  expect(most(null, 0.25)).toBe(0.75)
  expect(most(0.5, 0.25)).toBe(0.5)
  expect(most(0.5, 0.9)).toBeCloseTo(0.1, 9)
  expect(() => most(null, 1)).toThrow(
    'This conversation has cost $1.00, and its limit is $1.00. Raise the limit in its instructions.',
  )
})
