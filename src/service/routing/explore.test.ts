/** How a share of requests tries another model, the same in every replay. */
import { expect, test } from 'vitest'
import { explore } from './explore.ts'
import { contender, sampleParameters } from '../../../test/routing/sample-candidates.ts'

const first = contender('first', { quality: 0.8 })
const second = contender('second', { quality: 0.75 })
const third = contender('third', { quality: 0.85 })
const weak = contender('weak', { quality: 0.5 })
const ranked = [first, second, third, weak]
const parameters = { ...sampleParameters, qualityTolerance: 0.1 }
const drawn = (index: number, share: number) =>
  explore(ranked, { share, parameters, requestId: `019c-${index}` })

test('never explores unless it is switched on', () => {
  expect(drawn(1, 0)).toEqual({ ranked, drawnWith: null })
})

test('explores with 2 % of requests, each good model equally often, and records the probability', () => {
  const counts = new Map<string, number>()
  for (let index = 0; index < 20_000; index += 1) {
    const result = drawn(index, 0.02)
    const model = result.ranked[0]?.model ?? ''
    counts.set(model, (counts.get(model) ?? 0) + 1)
    expect(result.ranked).toHaveLength(4)
    expect(result.drawnWith).toBe(model === 'p:first' ? 0.98 : 0.01)
  }

  expect([...counts.keys()].toSorted()).toEqual(['p:first', 'p:second', 'p:third'])
  for (const model of ['p:second', 'p:third']) {
    // 200 expected; four standard deviations.
    expect(Math.abs((counts.get(model) ?? 0) - 200)).toBeLessThan(57)
  }
})

test('the same request gets the same choice', () => {
  for (let index = 0; index < 200; index += 1) expect(drawn(index, 0.5)).toEqual(drawn(index, 0.5))
})

test('does not explore when no other model is good enough', () => {
  const alone = [first, weak]

  expect(explore(alone, { share: 0.02, parameters, requestId: 'a' })).toEqual({
    ranked: alone,
    drawnWith: null,
  })
})

test('does not explore what is too dear for the pace of the budget', () => {
  const dear = contender('dear', { quality: 0.85, costNanoUsd: 20_000_000 })
  const behind = { ...parameters, qualityPerUsd: 10 }
  const among = [first, second, dear]

  for (let index = 0; index < 200; index += 1) {
    const { ranked: drawnRanked, drawnWith } = explore(among, {
      share: 0.5,
      parameters: behind,
      requestId: `019c-${index}`,
    })
    expect(drawnWith).toBe(0.5)
    expect(drawnRanked[0]).not.toBe(dear)
  }
})
