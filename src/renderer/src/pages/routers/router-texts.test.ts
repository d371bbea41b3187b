import { describe, expect, test } from 'vitest'
import { routerInputSchema, type RouterInput } from '../../../../shared/entities.ts'
import {
  changedParts,
  countSet,
  isUsed,
  partOfField,
  readRouterTexts,
  toRouterTexts,
  type RouterTexts,
} from './router-texts.ts'

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
      'routing.fallback': true,
      'routing.contentDays': '',
    }
    expect(changedParts(texts, saved)).toEqual(['models', 'strategy', 'reliability', 'privacy'])
  })

  test('text that is no number is a change', () => {
    const texts = { ...saved, budgetUsdPerDay: 'five' }
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

const plain = toRouterTexts({ name: 'M', strategy: 'cost_optimized', models: ['p:a'] })

/** The settings that the service would get, and what it says about them. */
function read(changed: Partial<RouterTexts>) {
  const router = readRouterTexts({ ...plain, ...changed })
  const { data, error } = routerInputSchema.safeParse(router)
  const issues = error?.issues.map(({ path, message }) => [path.join('.'), message])
  return { router, routing: data?.routing, issues }
}

test('settings that the form does not show return to their default', () => {
  const texts = { ...toRouterTexts(full), strategy: 'priority' } as const
  const { routing } = routerInputSchema.parse(readRouterTexts(texts))
  expect(routing).toMatchObject({ qualityTolerance: null, weights: null, sticky: true })
  expect(routing).toMatchObject({ pacing: false, regions: ['USA'], fallback: false })
})

test.each([
  ['routing.limitEachPrompt', 'cost_optimized', '', true],
  ['routing.limitEachPrompt', 'adaptive', '', true],
  ['routing.limitEachPrompt', 'latency_optimized', '', false],
  ['routing.pacing', 'balanced', '5', true],
  ['routing.pacing', 'balanced', '', false],
] as const)('%s with %s and the budget "%s": used is %s', (path, strategy, budget, used) => {
  expect(isUsed(path, { ...plain, strategy, budgetUsdPerDay: budget })).toBe(used)
})

test('an empty weight is the default', () => {
  const { routing } = read({
    strategy: 'balanced',
    'routing.weights.cost': '0.3',
    'routing.weights.carbon': ' ',
  })
  expect(routing?.weights).toEqual({ cost: 0.3, latency: 0.05, carbon: 0.03 })
})

test('regions can be separated in any way', () => {
  expect(read({ 'routing.regions': ' usa;SWE,  fra' }).routing?.regions).toEqual([
    'USA',
    'SWE',
    'FRA',
  ])
})

test('seconds become milliseconds, and percent a share', () => {
  const { router } = read({
    'timeLimits.totalMs': '4.1',
    'hedge.afterMs': 'auto',
    'routing.shadow.share': '7',
    'routing.shadow.judge': 'r:judge',
    'routing.shadow.maxUsdPerDay': '1',
  })
  expect(router).toMatchObject({ timeLimits: { totalMs: 4_100 }, hedge: { afterMs: 'auto' } })
  expect(router.routing?.shadow).toEqual({ share: 0.07, judge: 'r:judge', maxUsdPerDay: 1 })
})

test('the service rejects a word where a number belongs', () => {
  expect(read({ 'routing.maxCostUsdPerRequest': 'little' }).issues).toEqual([
    ['routing.maxCostUsdPerRequest', 'Enter a number above 0, up to 1,000'],
  ])
})

test('a limit of a hedge without a time is refused at the time', () => {
  expect(read({ 'hedge.maxExtraPercent': '3' }).issues).toEqual([
    ['hedge.afterMs', 'Enter auto, or 0.1 to 600 seconds'],
  ])
})

test('a second model that is not chosen yet is not sent', () => {
  const cascade = { tiers: [{ models: ['p:a', ''], accept: 'agree' as const }] }
  expect(read({ 'routing.cascade': cascade }).router.routing?.cascade?.tiers).toEqual([
    { models: ['p:a'], accept: 'agree' },
  ])
})

test('shadow samples that are turned on need a share, a cap and a judge', () => {
  const { issues = [] } = read({ 'routing.shadow.maxUsdPerDay': 'little' })
  expect(issues.map(([path]) => path)).toEqual([
    'routing.shadow.share',
    'routing.shadow.maxUsdPerDay',
    'routing.shadow.judge',
  ])
})

test('counts the settings that differ from the default', () => {
  const paths = ['routing.fallback', 'routing.regions', 'routing.sticky'] as const
  expect(countSet(plain, paths)).toBe(0)
  expect(countSet({ ...plain, 'routing.fallback': false, 'routing.regions': 'SWE' }, paths)).toBe(2)
})
