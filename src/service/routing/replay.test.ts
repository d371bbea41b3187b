/** Recorded requests with another strategy: the model that would have answered, and the figures. */
import { describe, expect, test } from 'vitest'
import { strategyNames } from '../../shared/routers/strategy-names.ts'
import type { DecisionRecord, Estimate, RankParameters } from '../../shared/requests/detail.ts'
import { openedAccount } from './loss-account.ts'
import { order } from './order.ts'
import { Replay, replayRow, type ReplayedRow, type ReplayRule } from './replay.ts'
import { sampleEstimate, sampleParameters } from '../../../test/routing/sample-candidates.ts'

const cheap = sampleEstimate({
  quality: 0.75,
  costNanoUsd: 2_000,
  promptNanoUsd: 1_000,
  latencyMs: 1_000,
  micrograms: 100,
  outputTokens: 200,
})
const dear = sampleEstimate({
  quality: 0.8,
  costNanoUsd: 30_000,
  promptNanoUsd: 10_000,
  latencyMs: 2_000,
  micrograms: 400,
  outputTokens: 100,
})
const cheapest: ReplayRule = { strategy: 'cost_optimized', parameters: sampleParameters }
const best: ReplayRule = { strategy: 'quality_optimized', parameters: sampleParameters }

const tier = { accept: 'valid_json', reason: null } as const

function row(
  models: readonly [string, Estimate][],
  { used = models[0]?.[0] ?? '', ...decision }: Partial<DecisionRecord> & { used?: string } = {},
  record: Partial<ReplayedRow['record']> = {},
): ReplayedRow {
  return {
    record: {
      status: 200,
      modelUsed: used,
      costNanoUsd: 5_000,
      latencyMs: 1_500,
      carbonGrams: 0.5,
      cachedFrom: null,
      ...record,
    },
    detail: {
      tokens: { input: 500, cacheRead: 500, cacheWrite: null, output: 300, reasoning: 100 },
      decision: {
        strategy: 'cost_optimized',
        promptTokens: 1_000,
        maxOutputTokens: null,
        isStreamed: false,
        needs: [],
        parameters: sampleParameters,
        reading: null,
        ranked: models.map(([model, estimate], position) => ({
          model,
          position,
          reason: null,
          estimate,
        })),
        excluded: [],
        kept: null,
        drawnWith: null,
        adjusted: [],
        ...decision,
      },
    },
  }
}

const usual = row([
  ['p:cheap', cheap],
  ['p:dear', dear],
])

describe('an account of allowed loss', () => {
  const account = { choices: 40, qualityPerMeanCost: 0.2, meanCostUsd: 0.00003 }
  const byAccount = (given: Partial<RankParameters> = {}): ReplayRule => ({
    strategy: 'cost_optimized',
    parameters: { ...sampleParameters, account: openedAccount, ...given },
  })
  const recorded = row(
    [
      ['p:cheap', cheap],
      ['p:dear', dear],
    ],
    { parameters: { ...sampleParameters, account } },
  )

  test('the recorded one decides again, and stays as it is', () => {
    expect(replayRow(recorded, byAccount())).toMatchObject({
      chosen: 'p:cheap',
      account: openedAccount,
    })
    // An account that is only opened is careful.
    expect(replayRow(usual, byAccount())).toMatchObject({ chosen: 'p:dear' })
  })

  test('another one is opened for other models, and for a limit that was not in force', () => {
    const models = [cheap, dear, dear].map((estimate, position) => ({
      model: `p:${position}`,
      position,
      estimate,
    }))

    for (const rule of [
      { ...byAccount(), contendersOf: () => models },
      byAccount({ limitEachPrompt: true }),
    ]) {
      expect(replayRow(recorded, rule)).toMatchObject({ account: { choices: 1 } })
    }
  })

  test('an opened one moves with the requests, until it has something to spend', () => {
    const replay = new Replay(byAccount())
    for (let request = 0; request < 200; request += 1) replay.add(usual)
    const chosen = new Map(replay.report().models.map((one) => [one.model, one.expected]))

    expect(chosen.get('p:dear')).toBeGreaterThan(20)
    expect(chosen.get('p:cheap')).toBeGreaterThan(20)
  })
})

describe('one request', () => {
  test('keeps its figures when the strategy keeps its model', () => {
    expect(replayRow(usual, cheapest)).toEqual({
      used: 'p:cheap',
      chosen: 'p:cheap',
      actual: { costUsd: 5e-6, latencyMs: 1_500, carbonGrams: 0.5, quality: 0.75 },
      expected: { costUsd: 5e-6, latencyMs: 1_500, carbonGrams: 0.5, quality: 0.75 },
      account: null,
    })
  })

  test('uses the other model’s price for the actual prompt, and scales the answer length by the same factor', () => {
    // The prompt was as long as expected; the answer, 400 tokens, twice as long.
    expect(replayRow(usual, best)).toMatchObject({
      chosen: 'p:dear',
      expected: {
        costUsd: (10_000 + 2 * 20_000) / 1e9,
        latencyMs: 3_000,
        carbonGrams: 2,
        quality: 0.8,
      },
    })
  })

  test('never goes to a model that failed or was skipped', () => {
    const fallen = row(
      [
        ['p:dear', dear],
        ['p:cheap', cheap],
      ],
      { used: 'p:cheap' },
    )

    expect(replayRow(fallen, best)).toMatchObject({ chosen: 'p:cheap' })
  })

  test('stays with its conversation while a tool result is pending, whatever the strategy', () => {
    const pending = row(
      [
        ['p:cheap', cheap],
        ['p:dear', dear],
      ],
      { kept: 'tool' },
    )

    expect(replayRow(pending, best)).toMatchObject({ chosen: 'p:cheap' })
  })

  test('goes to the model that was looked at under the same strategy only', () => {
    const look = { insteadOf: 'p:cheap', answers: 0, costNanoUsd: 1, latencyMs: 1, micrograms: 1 }
    const looked = row(
      [
        ['p:dear', dear],
        ['p:cheap', cheap],
      ],
      { look },
    )

    expect(replayRow(looked, cheapest)).toMatchObject({ chosen: 'p:dear' })
    const fastest = { strategy: 'balanced', parameters: sampleParameters } as const
    expect(replayRow(looked, fastest)).toMatchObject({ chosen: 'p:cheap' })
  })

  test('stays with a conversation kept for a near model only if the model is near by this strategy', () => {
    const near = row(
      [
        ['p:dear', dear],
        ['p:cheap', { ...cheap, costNanoUsd: 28_000 }],
      ],
      { kept: 'near' },
    )

    expect(replayRow(near, cheapest)).toMatchObject({ chosen: 'p:dear' })
    expect(replayRow(near, { strategy: 'priority', parameters: sampleParameters })).toMatchObject({
      chosen: 'p:dear',
    })
    const far = row(
      [
        ['p:dear', dear],
        ['p:cheap', cheap],
      ],
      { kept: 'near' },
    )
    expect(replayRow(far, cheapest)).toMatchObject({ chosen: 'p:cheap' })
  })

  test.each<[string, ReplayedRow]>([
    ['failed', row([['p:cheap', cheap]], {}, { status: 503, modelUsed: null })],
    ['from_cache', row([['p:cheap', cheap]], {}, { cachedFrom: 'another' })],
    ['pinned', row([['p:cheap', cheap]], { strategy: 'pinned', parameters: null })],
    [
      'cascade',
      row([['p:cheap', cheap]], {
        cascade: [{ ...tier, models: ['p:cheap'], outcome: 'accepted' }],
      }),
    ],
    [
      'cascade',
      row([['p:cheap', cheap]], {
        cascade: [{ ...tier, models: ['p:cheap'], outcome: 'not_accepted' }],
      }),
    ],
    ['embeddings', row([['p:cheap', cheap]], { needs: ['embeddings'] })],
    ['not_recorded', row([], { used: 'p:gone' })],
  ])('is left out as %s', (reason, given) => {
    expect(replayRow(given, cheapest)).toBe(reason)
  })

  test('is replayed when no tier of the cascade was tried', () => {
    const given = row([['p:cheap', cheap]], {
      cascade: [{ ...tier, models: ['p:cheap'], outcome: 'passed_over' }],
    })

    expect(replayRow(given, cheapest)).toMatchObject({ chosen: 'p:cheap' })
  })
})

test('replaying any strategy on its own log reproduces the models and the cost', () => {
  for (const strategy of strategyNames) {
    const replay = new Replay({ strategy, parameters: sampleParameters })
    let costNanoUsd = 0
    for (let index = 0; index < 200; index += 1) {
      const models = Array.from({ length: 5 }, (_, at): [string, Estimate] => [
        `p:${at}`,
        sampleEstimate({
          quality: 0.6 + ((index * 7 + at * 13) % 40) / 100,
          costNanoUsd: 1_000 * (1 + ((index * 3 + at * 5) % 17)),
          latencyMs: 500 + ((index * 11 + at * 7) % 19) * 100,
          micrograms: 10 * (1 + ((index + at * 3) % 23)),
        }),
      ])
      const contenders = models.map(([model, estimate], position) => ({
        model,
        position,
        estimate,
      }))
      const ranked = order(contenders, strategy, sampleParameters)
      costNanoUsd += index
      replay.add(
        row(
          ranked.map(({ model, estimate }) => [model, estimate]),
          {
            strategy,
            ranked: ranked.map((one) => ({ ...one, reason: null })),
          },
          { costNanoUsd: index },
        ),
      )
    }
    const report = replay.report()

    expect(report).toMatchObject({ requests: 200, replayed: 200, changed: 0 })
    expect(report.actual.costUsd).toBeCloseTo(costNanoUsd / 1e9, 12)
    expect(report.expected.costUsd.mid).toBeCloseTo(costNanoUsd / 1e9, 12)
  }
})

test('a report sums cost and carbon, averages the rest, and gives a range for the estimates', () => {
  const replay = new Replay(best)
  for (let index = 0; index < 100; index += 1) {
    replay.add({ ...usual, record: { ...usual.record, latencyMs: 1_000 + index * 10 } })
  }
  replay.add(row([], { used: 'p:gone' }))
  const report = replay.report()

  expect(report).toMatchObject({
    requests: 101,
    replayed: 100,
    changed: 100,
    skipped: { failed: 0, pinned: 0, from_cache: 0, cascade: 0, embeddings: 0, not_recorded: 1 },
    models: [
      { model: 'p:dear', actual: 0, expected: 100 },
      { model: 'p:cheap', actual: 100, expected: 0 },
    ],
  })
  expect(report.actual.costUsd).toBeCloseTo(100 * 5e-6, 12)
  expect(report.actual.latencyMs).toBeCloseTo(1_495, 6)
  const { low, mid, high } = report.expected.latencyMs
  expect(mid).toBeCloseTo(2 * 1_495, 6)
  // The mean of 100 values spread evenly over 1,980 ms: 1.28 standard errors are 73.
  expect(mid - low).toBeGreaterThan(40)
  expect(mid - low).toBeLessThan(110)
  expect(high - mid).toBeGreaterThan(40)
  expect(high - mid).toBeLessThan(110)
})

test('the same rows give the same report in every run', () => {
  const reportOf = () => {
    const replay = new Replay(best)
    for (let index = 0; index < 20; index += 1) {
      replay.add({ ...usual, record: { ...usual.record, latencyMs: index ** 2 } })
    }
    return replay.report()
  }

  expect(reportOf()).toEqual(reportOf())
})

test('a report of no requests is empty', () => {
  const none = { low: 0, mid: 0, high: 0 }

  expect(new Replay(best).report()).toMatchObject({
    requests: 0,
    actual: { costUsd: 0, quality: 0 },
    expected: { costUsd: none, latencyMs: none, carbonGrams: none, quality: none },
    models: [],
  })
})

test('another effort of a model is another choice, and a model that failed is none at any effort', () => {
  const name = 'p:cheap'
  const easy = sampleEstimate({ costNanoUsd: 1_000, quality: 0.6 })
  const hard = sampleEstimate({ costNanoUsd: 9_000, quality: 0.9 })
  const ranked = [
    { model: name, position: 0, reason: null, estimate: easy },
    { model: 'p:other', position: 1, reason: null, estimate: { ...easy, costNanoUsd: 2_000 } },
    { model: name, effort: 'high', position: 0, reason: null, estimate: hard },
  ]
  const under = (used: string) => replayRow(row([], { ranked, used }), best)

  expect(under(name)).toMatchObject({ chosen: name, expected: { quality: 0.9 } })
  expect(under('p:other')).toMatchObject({ chosen: 'p:other' })
})
