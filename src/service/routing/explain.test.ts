/** The sentences that explain a decision. */
import { describe, expect, test } from 'vitest'
import type { DecisionRecord } from '../../shared/requests/detail.ts'
import { explain } from './explain.ts'
import { sampleEstimate, sampleParameters } from '../../../test/routing/sample-candidates.ts'

const cheap = {
  model: 'p:cheap',
  position: 0,
  reason: null,
  estimate: sampleEstimate({ quality: 0.75, costNanoUsd: 2_000_000 }),
}
const dear = {
  model: 'p:dear',
  position: 1,
  reason: null,
  estimate: sampleEstimate({ quality: 0.8, costNanoUsd: 30_000_000 }),
}

function record(given: Partial<DecisionRecord> = {}): DecisionRecord {
  return {
    strategy: 'cost_optimized',
    promptTokens: 100,
    maxOutputTokens: null,
    isStreamed: false,
    needs: [],
    parameters: sampleParameters,
    reading: {
      domains: [['code', 0.94]],
      topics: [['code_editing', 0.9]],
      confidence: 0.9,
      difficulty: -1,
      difficultyReasons: [],
    },
    ranked: [cheap, dear],
    excluded: [],
    kept: null,
    drawnWith: null,
    adjusted: [],
    ...given,
  }
}

test('states the rule, the kind of prompt, the effect of the second choice, and what would change the choice', () => {
  expect(explain(record())).toEqual({
    why: 'Cheapest of the 2 models within 8 points of the best expected quality. The prompt looks most like code (94 %). The next, p:dear, would have cost 15 times as much for 5 points more expected quality.',
    flip: 'a quality tolerance under 5 points instead of 8 points would choose p:dear',
  })
})

test.each<[string, Partial<DecisionRecord>, string]>([
  ['no model', { ranked: [] }, 'No model could take the request.'],
  ['a model that the request named', { strategy: 'pinned' }, 'The request named this model.'],
  ['the only model', { ranked: [cheap] }, 'The router’s only model.'],
  [
    'the only model that is not excluded',
    {
      ranked: [cheap],
      excluded: [{ ...dear, code: 'lacks_capability', reason: 'does not support tools' }],
    },
    'The only model of the router that can take the request.',
  ],
  [
    'the model whose tool was called',
    { kept: 'tool' },
    'Kept for the conversation: it called the tool whose result is in this request.',
  ],
  [
    'the model of the conversation',
    { kept: 'near' },
    'Kept for the conversation: it is about as good as the first choice.',
  ],
  [
    'a model that was chosen at random',
    { drawnWith: 0.01 },
    'Picked at random from the models that are good enough, to learn how good it is.',
  ],
  [
    'a first look',
    {
      look: {
        insteadOf: 'p:dear',
        answers: 1,
        costNanoUsd: 400_000,
        latencyMs: 1,
        micrograms: 1,
      },
    },
    'A first look: the model has 1 answer so far and may cost $0.000400. The strategy’s own choice is p:dear, expected to cost $0.0300.',
  ],
  [
    'an answer that a cascade accepted',
    {
      cascade: [
        { models: ['p:tiny'], accept: 'valid_json', outcome: 'not_accepted', reason: 'no JSON' },
        { models: ['p:a', 'p:b'], accept: 'agree', outcome: 'accepted', reason: null },
      ],
    },
    'Attempt 2 of the cascade (p:a and p:b) passed its check: both models agree.',
  ],
])('of %s it says so', (_what, given, why) => {
  expect(explain(record(given))).toEqual({ why, flip: null })
})

test.each<[string, Partial<typeof cheap.estimate>, Partial<typeof cheap.estimate>, string]>([
  [
    'costs the same',
    { costNanoUsd: 5 },
    { costNanoUsd: 5 },
    'would have cost the same for 5 points more expected quality.',
  ],
  [
    'costs something, the first nothing',
    { costNanoUsd: 0 },
    { costNanoUsd: 1_234_567 },
    'would have cost $0.00123 instead of nothing for 5 points more expected quality.',
  ],
  [
    'costs less and is worse',
    { costNanoUsd: 100, quality: 0.9 },
    { costNanoUsd: 40 },
    'would have cost 60 % less for 10 points less expected quality.',
  ],
  [
    'is as good',
    { costNanoUsd: 100, quality: 0.8 },
    { costNanoUsd: 200 },
    'would have cost 2 times as much for the same expected quality.',
  ],
  [
    'costs little more',
    { costNanoUsd: 1_000, quality: 0.8 },
    { costNanoUsd: 1_140 },
    'would have cost 14 % more for the same expected quality.',
  ],
  [
    'costs the same to the percent',
    { costNanoUsd: 1_000, quality: 0.8 },
    { costNanoUsd: 1_004 },
    'would have cost the same for the same expected quality.',
  ],
  [
    'costs very much more',
    { costNanoUsd: 10, quality: 0.8 },
    { costNanoUsd: 1_540 },
    'would have cost 150 times as much for the same expected quality.',
  ],
])('the next one %s', (_what, first, second, words) => {
  const ranked = [
    { ...cheap, estimate: { ...cheap.estimate, ...first } },
    { ...dear, estimate: { ...dear.estimate, ...second } },
  ]

  expect(explain(record({ ranked, strategy: 'priority' })).why).toContain(words)
})

test.each<[Partial<DecisionRecord>, Partial<typeof cheap.estimate>, string]>([
  [
    { strategy: 'latency_optimized' },
    { latencyMs: 2_500 },
    'p:dear, would have taken 2.5 s instead of 2 s for',
  ],
  [
    { strategy: 'latency_optimized', parameters: { ...sampleParameters, latencyPercentile: 95 } },
    { latencyP95Ms: 9_000 },
    'p:dear, would have taken 9 s instead of 4 s in 19 of 20 cases for',
  ],
  [
    { strategy: 'latency_optimized' },
    { latencySource: 'learned' },
    'p:dear, would have taken 2 s (measured here) instead of 2 s (from published figures) for',
  ],
  [
    { strategy: 'carbon_optimized' },
    { micrograms: 300_000 },
    'p:dear, would have caused ≈ 0.3 g of CO2e instead of ≈ 40 mg for',
  ],
  [
    { strategy: 'carbon_optimized' },
    { carbonMethod: 'unknown' },
    'p:dear, would have caused, its size being unpublished, ≈ 40 mg of CO2e instead of ≈ 40 mg for',
  ],
])('compares the figure that the strategy saves: %j', (given, second, words) => {
  const ranked = [cheap, { ...dear, estimate: { ...dear.estimate, ...second } }]
  expect(explain(record({ ...given, ranked })).why).toContain(words)
})

test('a strategy that keeps the list’s order says nothing about the prompt', () => {
  expect(explain(record({ strategy: 'priority' })).why).toBe(
    'First in your list. The next, p:dear, would have cost 15 times as much for 5 points more expected quality.',
  )
})

test('while spending is ahead of the budget, the reason counts the cost as the choice did', () => {
  const parameters = { ...sampleParameters, qualityPerUsd: 10 }

  expect(explain(record({ strategy: 'quality_optimized', parameters }))).toEqual({
    why: 'Spending is ahead of the budget: each cent of expected cost counts as 10 points less expected quality. After this deduction: Best expected quality. The prompt looks most like code (94 %). The next, p:dear, would have cost 15 times as much for 5 points more expected quality.',
    flip: null,
  })
  expect(explain(record({ parameters })).why).toContain(
    ' After this deduction: Only model within 8 points of the best expected quality. ',
  )
  expect(explain(record({ strategy: 'priority', parameters })).why).toMatch(/^First in your list\./)
})

describe('the difficulty of the prompt', () => {
  const looks = (difficulty: number, difficultyReasons: string[] = []) => {
    const { reading } = record()
    return explain(record({ reading: reading && { ...reading, difficulty, difficultyReasons } }))
      .why
  }

  test('is explained with its reasons and the expected quality of the choice and of the best model', () => {
    expect(looks(0.4, ['proof', 'formal maths'])).toContain(
      ' It looks hard: proof, formal maths; expected quality 75 of p:cheap, 80 of p:dear. ',
    )
    expect(looks(-2.5)).toContain(' It looks easy; expected quality 75 of p:cheap, 80 of p:dear. ')
  })

  test('is not mentioned when it is usual', () => {
    expect(looks(-1, ['proof'])).not.toContain('looks hard')
  })

  test('compares the chosen model with the cheapest one', () => {
    const { reading } = record()
    const hard = reading && { ...reading, difficulty: 1 }
    const { why } = explain(
      record({ strategy: 'quality_optimized', ranked: [dear, cheap], reading: hard }),
    )
    expect(why).toContain('It looks hard; expected quality 75 of p:cheap, 80 of p:dear.')
  })
})

test('names the effort that the router chose', () => {
  const atEffort = { ...dear, model: cheap.model, effort: 'medium' }

  expect(explain(record({ ranked: [cheap, atEffort] })).why).toContain(
    'Cheapest of the 2 models and efforts within 8 points of the best expected quality.',
  )
  expect(explain(record({ ranked: [cheap, atEffort] })).flip).toContain(
    `would choose ${cheap.model} at medium effort`,
  )
})

describe('A conversation whose prompt is in a cache', () => {
  const warmCache = { model: 'p:cheap', tokens: 21_000, worthNanoUsd: 56_700_000 }

  test('that stays says what a change of model would have thrown away', () => {
    expect(explain(record({ kept: 'near', warmCache })).why).toBe(
      'Kept for the conversation: it is about as good as the first choice. About 21,000 tokens of the conversation are in its prompt cache; a change of model would have thrown away $0.0567.',
    )
  })

  test('that changes its model says what that throws away', () => {
    expect(explain(record({ ranked: [dear, cheap], warmCache })).why).toMatch(
      / About 21,000 tokens of the conversation are in the prompt cache of p:cheap; this change of model throws away \$0\.0567\.$/,
    )
  })

  test('has nothing to say about the only model', () => {
    expect(explain(record({ ranked: [cheap], warmCache })).why).toBe('The router’s only model.')
  })
})
