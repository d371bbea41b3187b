import { describe, expect, test } from 'vitest'
import { routingSettingsSchema } from '../../../../shared/routers/routing-settings.ts'
import type { StrategyName } from '../../../../shared/routers/strategies.ts'
import { countSet, isUsed, readRouting, toRoutingTexts } from './routing-fields.ts'

const usual = routingSettingsSchema.parse({})
const own = routingSettingsSchema.parse({
  qualityTolerance: 0.05,
  weights: { cost: 0.2, latency: 0.05, carbon: 0 },
  requires: ['tools'],
  providers: ['openai'],
  regions: ['USA', 'SWE'],
  maxCostUsdPerRequest: 0.02,
  fallback: false,
  sticky: false,
  pacing: true,
  cascade: { tiers: [{ models: ['local:m'], accept: 'valid_json' }] },
  contentDays: 7,
  shadow: { share: 0.05, maxUsdPerDay: 1.5, judge: 'openai:gpt-5.4' },
})

describe('settings go through the form unchanged', () => {
  test('when nothing is set', () => {
    const circumstances = { strategy: 'cost_optimized', hasBudget: false } as const
    expect(readRouting(toRoutingTexts(usual), circumstances)).toEqual(usual)
  })

  test('when everything that the strategy uses is set', () => {
    const { weights: _weights, ...used } = own
    const circumstances = { strategy: 'cost_optimized', hasBudget: true } as const
    expect(readRouting(toRoutingTexts(own), circumstances)).toEqual({ ...used, weights: null })
  })
})

test('settings that the form does not show return to their default', () => {
  const read = readRouting(toRoutingTexts(own), { strategy: 'priority', hasBudget: true })
  expect(read).toMatchObject({ qualityTolerance: null, weights: null, sticky: true, pacing: false })
  expect(read).toMatchObject({ regions: ['USA', 'SWE'], fallback: false })
})

test('a limit for each prompt is offered where a strategy spends an account of allowed loss', () => {
  const limited = routingSettingsSchema.parse({ limitEachPrompt: true })
  const read = (strategy: StrategyName) =>
    readRouting(toRoutingTexts(limited), { strategy, hasBudget: false }).limitEachPrompt

  expect(read('cost_optimized')).toBe(true)
  expect(read('adaptive')).toBe(true)
  expect(read('latency_optimized')).toBe(false)
})

test('pacing is shown only if there is a budget', () => {
  expect(isUsed('pacing', { strategy: 'balanced', hasBudget: true })).toBe(true)
  expect(isUsed('pacing', { strategy: 'balanced', hasBudget: false })).toBe(false)
})

test('an empty weight is the default', () => {
  const texts = { ...toRoutingTexts(usual), weights: { cost: '0.3', latency: '', carbon: ' ' } }
  const { weights } = readRouting(texts, { strategy: 'balanced', hasBudget: false })
  expect(weights).toEqual({ cost: 0.3, latency: 0.05, carbon: 0.03 })
})

test('regions can be separated in any way', () => {
  const texts = { ...toRoutingTexts(usual), regions: ' usa;SWE,  fra' }
  const { regions } = readRouting(texts, { strategy: 'priority', hasBudget: false })
  expect(regions).toEqual(['USA', 'SWE', 'FRA'])
})

test('the service rejects a word where a number belongs', () => {
  const texts = { ...toRoutingTexts(usual), maxCostUsdPerRequest: 'little' }
  const read = readRouting(texts, { strategy: 'priority', hasBudget: false })
  expect(routingSettingsSchema.safeParse(read).error?.issues[0]).toMatchObject({
    path: ['maxCostUsdPerRequest'],
    message: 'Enter a number above 0, up to 1,000',
  })
})

test('a second model that is not chosen yet is not sent', () => {
  const texts = {
    ...toRoutingTexts(usual),
    cascade: [{ models: ['local:m', ''], accept: 'agree' as const }],
  }
  const { cascade } = readRouting(texts, { strategy: 'priority', hasBudget: false })
  expect(cascade?.tiers).toEqual([{ models: ['local:m'], accept: 'agree' }])
})

test('counts the settings that differ from the default', () => {
  expect(countSet(usual, ['fallback', 'regions'])).toBe(0)
  expect(
    countSet({ ...usual, fallback: false, regions: ['SWE'] }, ['fallback', 'regions', 'sticky']),
  ).toBe(2)
})

test('shadow samples that are turned on need a share, a cap and a judge', () => {
  const shadow = { sharePercent: '', maxUsdPerDay: 'little', judge: '' }
  const texts = { ...toRoutingTexts(usual), shadow }
  const read = readRouting(texts, { strategy: 'priority', hasBudget: false })
  const issues = routingSettingsSchema.safeParse(read).error?.issues ?? []
  expect(issues.map(({ path }) => path.join('.'))).toEqual([
    'shadow.share',
    'shadow.maxUsdPerDay',
    'shadow.judge',
  ])
})
