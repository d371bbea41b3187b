import { expect, test } from 'vitest'
import type { DecisionRecord } from '../../../../shared/requests/detail.ts'
import type { Preview } from '../../../../shared/routers/preview.ts'
import { alternativesOf, otherModelOf, runnerUpOf } from './alternatives.ts'

function ranked(models: Record<string, { usd: number; quality: number }>) {
  return Object.entries(models).map(([model, { usd, quality }]) => ({
    model,
    estimate: { costNanoUsd: usd * 1e9, quality: quality / 100 },
    // Only these fields are read.
  })) as DecisionRecord['ranked']
}

const models = ranked({
  'a:nano': { usd: 0.0005, quality: 40 },
  'a:mini': { usd: 0.002, quality: 60 },
  'a:middle': { usd: 0.01, quality: 70 },
  'a:large': { usd: 0.02, quality: 80 },
  'a:huge': { usd: 0.09, quality: 85 },
})

test('the cheaper model is the best of the cheaper ones, the stronger one the cheapest of the better ones', () => {
  expect(alternativesOf(models, 'a:middle')).toEqual({
    cheaper: { model: 'a:mini', change: '−80 %' },
    stronger: { model: 'a:large', change: '+$0.01' },
  })
})

test('nothing is named at an end of the range, for hardly any change, and for an unknown model', () => {
  expect(alternativesOf(models, 'a:nano').cheaper).toBeNull()
  expect(alternativesOf(models, 'a:huge').stronger).toBeNull()
  const alike = ranked({ 'a:x': { usd: 0.01, quality: 70 }, 'a:y': { usd: 0.0095, quality: 71 } })
  expect(alternativesOf(alike, 'a:x')).toEqual({ cheaper: null, stronger: null })
  expect(alternativesOf(models, 'b:gone')).toEqual({ cheaper: null, stronger: null })
})

test('a free model has no cheaper one, and a better model may cost less', () => {
  const free = ranked({ 'a:free': { usd: 0, quality: 20 }, 'a:other': { usd: 0, quality: 10 } })
  expect(alternativesOf(free, 'a:free').cheaper).toBeNull()
  const odd = ranked({ 'a:x': { usd: 0.01, quality: 50 }, 'a:y': { usd: 0.004, quality: 60 } })
  expect(alternativesOf(odd, 'a:x').stronger).toEqual({ model: 'a:y', change: '−$0.006' })
})

/** A decision for `own` among these models, in the router's order. */
function preview(own: string, skipped: string[] = []): Preview {
  const skippedModels = skipped.map((model) => ({ model, reason: 'paused' }))
  // Only these fields are read.
  return { model: own, decision: { ranked: models }, skipped: skippedModels } as unknown as Preview
}

test('the runner-up is the next model that can be asked, with its expected differences', () => {
  expect(runnerUpOf(preview('a:nano'))).toEqual({
    model: 'a:mini',
    costUsd: 0.002,
    changes: '+$0.0015, quality +20',
  })
  expect(runnerUpOf(preview('a:middle', ['a:nano', 'a:mini']))?.model).toBe('a:large')
  expect(otherModelOf(preview('a:huge'), 'a:large')?.changes).toBe('−78 %, quality −5')
  expect(otherModelOf(preview('a:huge'), 'b:gone')).toBeNull()
})
