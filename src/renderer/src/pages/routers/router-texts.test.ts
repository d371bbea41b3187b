import { describe, expect, test } from 'vitest'
import { routerInputSchema, type RouterInput } from '../../../../shared/entities.ts'
import { changedParts, partOfField, readRouterTexts, toRouterTexts } from './router-texts.ts'

const full: RouterInput = {
  name: 'Web shop',
  strategy: 'balanced',
  models: ['p:a', 'q:b'],
  tier: 'enterprise',
  dailyLimit: 500,
  cacheTtlSeconds: 60,
  timeLimits: { firstTokenMs: 9_000 },
  hedge: { afterMs: 'auto', maxExtraPercent: 3 },
  requestsPerMinute: 30,
  budgetUsdPerDay: 5,
  budgetUsdPerMonth: 60,
  routing: {
    weights: { cost: 0.2, latency: 0.1, carbon: 0 },
    regions: ['USA'],
    providers: ['p'],
    requires: ['tools'],
    maxCostUsdPerRequest: 0.1,
    fallback: false,
    pacing: true,
    contentDays: 7,
    cascade: { tiers: [{ models: ['p:a'], accept: 'valid_json' }] },
    shadow: { share: 0.05, maxUsdPerDay: 1, judge: 'r:judge' },
  },
}

test.each([
  ['with every setting', full],
  [
    'with only a strategy and a model',
    { name: 'M', strategy: 'priority', models: ['p:a'] } as const,
  ],
])('a router %s is the same after its form', (_name, router) => {
  const saved = routerInputSchema.parse(router)
  expect(routerInputSchema.parse(readRouterTexts(toRouterTexts(saved)))).toEqual(saved)
})

describe('changed parts', () => {
  const saved = toRouterTexts(full)

  test('an unchanged form has none', () => {
    expect(changedParts(toRouterTexts(structuredClone(full)), saved)).toEqual([])
  })

  test('are named in the order of the page', () => {
    const texts = {
      ...saved,
      strategy: 'priority' as const,
      models: ['q:b', 'p:a'],
      routing: { ...saved.routing, fallback: true, contentDays: '' },
    }
    expect(changedParts(texts, saved)).toEqual(['models', 'strategy', 'reliability', 'privacy'])
  })

  test('text that is no number is a change', () => {
    const texts = { ...saved, limits: { ...saved.limits, budgetUsdPerDay: 'five' } }
    expect(changedParts(texts, saved)).toEqual(['limits'])
  })
})

test.each([
  ['router.routing.maxCostUsdPerRequest', 'limits'],
  ['router.routing.cascade.tiers.0.models', 'strategy'],
  ['router.budgetUsdPerDay', 'limits'],
  ['models', 'models'],
  ['router.hedge.afterMs', 'reliability'],
  ['id', null],
  [null, null],
])('an error of %s belongs to the part %s', (field, part) => {
  expect(partOfField(field)).toBe(part)
})
