/** Tests what a choice takes away, and how the account's price follows. */
import { describe, expect, test } from 'vitest'
import { afterChoice, afterDecision, openedAccount, spendingAmong } from './loss-account.ts'
import { contender, sampleParameters } from '../../../test/routing/sample-candidates.ts'
import type { Contender } from './strategies/strategy.ts'

const best = contender('best', { quality: 0.8, qualityHalfWidth: 0.0711, costNanoUsd: 2_000_000 })
const other = contender('other', { quality: 0.7, qualityHalfWidth: 0.0933, costNanoUsd: 500_000 })
const lossOf = (one: Contender, among = [other, best]) =>
  spendingAmong(among, sampleParameters).lossOf(one)

describe('the loss of a model', () => {
  test('is what it is expected to be worse, and 0.6 of what the difference is uncertain by', () => {
    // Both half-widths are 1.645 · 0.27 · q · (1 − q).
    const doubt = Math.sqrt(0.8 * 0.2 * 0.7 * 0.3) * Math.sqrt(2) * 0.27

    expect(lossOf(best)).toBe(0)
    expect(lossOf(other)).toBeCloseTo(0.1 + 0.6 * doubt, 4)
  })

  test('is never a gain, and of models that are about best the cheapest is the best', () => {
    const cheaper = contender('cheaper', { quality: 0.796, costNanoUsd: 100, qualityHalfWidth: 0 })
    const certain = contender('certain', { quality: 0.8, qualityHalfWidth: 0 })

    expect(spendingAmong([certain, cheaper], sampleParameters).best).toBe(cheaper)
    expect(lossOf(certain, [certain, cheaper])).toBe(0)
  })

  test('is what ratings alone say for their share, while few answers were judged', () => {
    const lucky = (share: number) =>
      contender('lucky', {
        quality: 0.8,
        qualityHalfWidth: 0,
        costNanoUsd: 100,
        rated: { quality: 0.5, qualityHalfWidth: 0, share },
      })
    const sure = contender('sure', { quality: 0.8, qualityHalfWidth: 0, costNanoUsd: 200 })

    expect(lossOf(lucky(0.5), [sure, lucky(0.5)])).toBeCloseTo(0.15)
    expect(lossOf(lucky(0.9), [sure, lucky(0.9)])).toBeCloseTo(0.27)
  })

  test('counts less by ratings that know nothing of an unlucky start', () => {
    const rated = { quality: 0.8, qualityHalfWidth: 0, share: 0.5 }
    const unlucky = contender('unlucky', { quality: 0.6, qualityHalfWidth: 0, rated })
    const sure = contender('sure', { quality: 0.8, qualityHalfWidth: 0, costNanoUsd: 200 })

    expect(lossOf(unlucky, [sure, unlucky])).toBeCloseTo(0.1)
  })
})

describe('the price', () => {
  const choose = (chosen: Contender, given = openedAccount, paced = 0) =>
    afterChoice(given, { among: [other, best], chosen, paced })

  test('rises by 2.5 % for a choice that loses nothing', () => {
    const after = choose(best)

    expect(after.qualityPerMeanCost).toBeCloseTo(0.02 * Math.exp(0.025), 5)
    expect(after).toMatchObject({ choices: 1, meanCostUsd: 0.002 })
  })

  test('falls for one that loses more than 5 % of the best quality, five times as fast at most', () => {
    expect(choose(other).qualityPerMeanCost).toBeCloseTo(
      0.02 * Math.exp(0.025 * (1 - lossOf(other) / 0.04)),
      5,
    )
    const worst = contender('worst', { quality: 0.1 })
    const { qualityPerMeanCost } = afterChoice(openedAccount, {
      among: [worst, best],
      chosen: worst,
      paced: 0,
    })
    expect(qualityPerMeanCost).toBeCloseTo(0.02 * Math.exp(-0.125), 5)
  })

  test('stays within bounds, so that it returns soon', () => {
    let rich = openedAccount
    let poor = openedAccount
    for (let request = 0; request < 1_000; request += 1) {
      rich = choose(best, rich)
      poor = choose(other, poor)
    }

    expect(rich.qualityPerMeanCost).toBe(10)
    expect(poor.qualityPerMeanCost).toBe(0.0001)
  })

  test('stays where there was no choice, and where a budget’s price decided', () => {
    const alone = afterChoice(openedAccount, { among: [best], chosen: best, paced: 0 })

    expect(alone).toBe(openedAccount)
    expect(choose(other, openedAccount, 1_000).qualityPerMeanCost).toBe(0.02)
  })

  test('follows the mean cost of the best models, over the last requests', () => {
    let account = choose(best)
    const dear = contender('dear', { quality: 0.9, costNanoUsd: 4_000_000 })
    account = afterChoice(account, { among: [other, dear], chosen: dear, paced: 0 })
    expect(account.meanCostUsd).toBeCloseTo(0.003)

    const long = { ...account, choices: 5_000 }
    const later = afterChoice(long, { among: [other, dear], chosen: dear, paced: 0 })
    expect(later.meanCostUsd).toBeCloseTo(0.003 + 0.001 / 200)
  })

  test('counts the cost of the request itself, so that one after short ones is no bargain', () => {
    const after = { choices: 1, qualityPerMeanCost: 0.02, meanCostUsd: 0.000002 }
    const { qualityPerUsd } = spendingAmong([best, other], { account: after, qualityPerUsd: 0 })

    expect(qualityPerUsd).toBeCloseTo(0.02 / 0.001001)
  })

  test('is none while the best models are free', () => {
    const free = contender('free', { quality: 0.9, costNanoUsd: 0 })

    expect(
      spendingAmong([free, other], { account: openedAccount, qualityPerUsd: 0 }),
    ).toMatchObject({ best: free, qualityPerUsd: 0 })
    expect(choose(best, { ...openedAccount, meanCostUsd: 0, choices: 1 }).meanCostUsd).toBe(0.001)
  })
})

test('of requests whose easy half loses little, it spends 5 % on the mean and saves on those', () => {
  let account = openedAccount
  const lost: number[] = []
  for (let request = 0; request < 4_000; request += 1) {
    const small = contender('small', {
      quality: request % 2 === 0 ? 0.72 : 0.4,
      qualityHalfWidth: 0,
      costNanoUsd: 100_000 * (1 + (request % 7)),
    })
    const large = contender('large', { quality: 0.8, qualityHalfWidth: 0, costNanoUsd: 2_000_000 })
    const among = [small, large]
    const { totalOf, lossOf: lossIn } = spendingAmong(among, { account, qualityPerUsd: 0 })
    const chosen = totalOf(small) <= totalOf(large) ? small : large
    account = afterChoice(account, { among, chosen, paced: 0 })
    if (request >= 1_000) lost.push(lossIn(chosen))
  }
  const mean = lost.reduce((sum, loss) => sum + loss, 0) / lost.length

  expect(mean).toBeGreaterThan(0.036)
  expect(mean).toBeLessThan(0.044)
})

test('a recorded decision moves it as the decision itself did', () => {
  const ranked = [other, best].map((one) => ({ ...one, reason: null }))
  const parameters = { ...sampleParameters, account: openedAccount }

  expect(afterDecision(openedAccount, { ranked, parameters })).toEqual(
    afterChoice(openedAccount, { among: [other, best], chosen: other, paced: 0 }),
  )
})
