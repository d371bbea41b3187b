/** Tests that every strategy must pass, including new ones; the rules of each are in its own test. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { strategyProfiles } from '../../../shared/routers/strategies.ts'
import { strategyNames } from '../../../shared/routers/strategy-names.ts'
import { sampleEstimate, sampleParameters } from '../../../../test/routing/sample-candidates.ts'
import { strategies } from './index.ts'
import type { Contender } from './strategy.ts'

/** Twenty models whose figures repeat, so that there are ties of every kind. */
const many: Contender[] = Array.from({ length: 20 }, (_, position) => ({
  model: `p:${position}`,
  position,
  estimate: sampleEstimate({
    quality: 0.6 + ((position * 7) % 5) / 20,
    costNanoUsd: ((position * 3) % 4) * 1_000,
    latencyMs: 500 + ((position * 5) % 3) * 700,
    micrograms: ((position * 11) % 6) * 900,
    carbonMethod: position % 3 === 0 ? 'unknown' : 'modelled',
    latencySource: position % 4 === 0 ? 'assumed' : 'prior',
  }),
}))

const page = readFileSync(new URL('../../../../docs/routing.md', import.meta.url), 'utf8')

describe.each(strategyNames)('%s', (name) => {
  const { rank, why, flip } = strategies[name]

  test('has a paragraph in docs/routing.md that gives its default tolerance', () => {
    const { qualityTolerance } = strategyProfiles[name]
    const [heading = ''] = page.match(new RegExp(`^\\*\\*\`${name}\`\\*\\*.*$`, 'm')) ?? []

    expect(heading).not.toBe('')
    expect(heading.match(/tolerance 0\.\d+/)?.[0] ?? null).toBe(
      qualityTolerance === null ? null : `tolerance ${qualityTolerance.toFixed(2)}`,
    )
  })

  test('returns every contender exactly once', () => {
    const models = rank(many, sampleParameters).map(({ model }) => model)

    expect(models.toSorted()).toEqual(many.map(({ model }) => model).toSorted())
  })

  test('chooses the same model in any order of contenders', () => {
    expect(rank(many.toReversed(), sampleParameters)).toEqual(rank(many, sampleParameters))
  })

  test('does not change its input', () => {
    const given = structuredClone(many)

    rank(given, sampleParameters)

    expect(given).toEqual(many)
  })

  test('accepts one contender, and none', () => {
    expect(rank(many.slice(0, 1), sampleParameters)).toEqual(many.slice(0, 1))
    expect(rank([], sampleParameters)).toEqual([])
  })

  test('explains the choice, and what would change it', () => {
    const ranked = rank(many, sampleParameters)

    expect(why(ranked, sampleParameters)).toMatch(/\w+/)
    expect(why(ranked.slice(0, 1), sampleParameters)).toMatch(/\w+/)
    expect(flip(ranked, sampleParameters) ?? 'nothing').not.toMatch(/NaN|undefined|Infinity/)
    expect(flip(ranked.slice(0, 1), sampleParameters)).toBeNull()
  })
})
