/** Who is able to answer, and in which order the strategies try them. */
import { describe, expect, test } from 'vitest'
import { strategyNames, type StrategyName } from '../../shared/chat.ts'
import type { Candidate, RoutingContext } from './candidate.ts'
import { rank } from './rank.ts'
import { candidate } from './sample-candidates.ts'
import { strategies } from './strategies/index.ts'

const context = (given: Partial<RoutingContext> = {}): RoutingContext => ({
  promptTokens: 1_000,
  maxOutputTokens: null,
  needs: [],
  ...given,
})

function order(candidates: Candidate[], given: RoutingContext, strategy: StrategyName) {
  return rank(candidates, given, strategy).ranked.map((ranked) => ranked.candidate.modelId)
}

describe('left out is', () => {
  test.each<[string, Partial<Candidate>, Partial<RoutingContext>, string]>([
    [
      'who lacks tools',
      { capabilities: ['json'] },
      { needs: ['json', 'tools'] },
      'does not take tools',
    ],
    [
      'who lacks several things',
      { capabilities: ['json'] },
      { needs: ['tools', 'n', 'logprobs', 'seed', 'files', 'audio'] },
      'does not take tools, several answers at once (n), logprobs, a seed with a promise, files, audio',
    ],
    [
      'who takes JSON but no schema',
      { capabilities: ['json_object'] },
      { needs: ['json'] },
      'does not take a JSON schema',
    ],
    ['who cannot see', { capabilities: [] }, { needs: ['vision'] }, 'does not take images'],
    [
      'who holds less than the messages',
      { contextTokens: 1_000 },
      {},
      'holds 1000 tokens, the messages are about 1000',
    ],
    [
      'who writes less than is asked for',
      { maxOutputTokens: 100 },
      { maxOutputTokens: 101 },
      'answers with 100 tokens at the most, 101 were asked for',
    ],
  ])('%s', (_who, given, needed, reason) => {
    const { ranked, excluded } = rank([candidate(given)], context(needed), 'priority')

    expect(ranked).toEqual([])
    expect(excluded).toMatchObject([{ reason }])
  })

  test.each<[string, Partial<Candidate>, Partial<RoutingContext>]>([
    ['can do all that is needed', { capabilities: ['tools', 'json'] }, { needs: ['tools'] }],
    [
      'takes JSON with a schema, where none is given',
      { capabilities: ['json'] },
      { needs: ['json_object'] },
    ],
    ['holds one token more', { contextTokens: 1_001 }, {}],
    ['writes as much as is asked for', { maxOutputTokens: 100 }, { maxOutputTokens: 100 }],
    [
      'has unknown bounds',
      { contextTokens: null, maxOutputTokens: null },
      { maxOutputTokens: 1e6 },
    ],
  ])('not who %s', (_who, given, needed) => {
    expect(rank([candidate(given)], context(needed), 'priority').excluded).toEqual([])
  })
})

const cheap = candidate({
  modelId: 'p:cheap',
  position: 1,
  price: { inputUsdPerMtok: 0.1, outputUsdPerMtok: 0.4 },
})
const dear = candidate({
  modelId: 'p:dear',
  position: 0,
  price: { inputUsdPerMtok: 3, outputUsdPerMtok: 15 },
})
/** Reads for nothing, writes at a price. */
const reader = candidate({
  modelId: 'p:reader',
  position: 2,
  price: { inputUsdPerMtok: 0, outputUsdPerMtok: 10 },
})

test('priority keeps the order of the router', () => {
  expect(order([cheap, reader, dear], context(), 'priority')).toEqual([
    'p:dear',
    'p:cheap',
    'p:reader',
  ])
})

test.each<[string, Partial<RoutingContext>, string[]]>([
  ['a short question', { promptTokens: 100 }, ['p:cheap', 'p:reader', 'p:dear']],
  [
    'a long document and a word in answer',
    { promptTokens: 7_000, maxOutputTokens: 10 },
    ['p:reader', 'p:cheap', 'p:dear'],
  ],
])('cost_optimized asks the cheapest for %s', (_what, given, expected) => {
  expect(order([dear, cheap, reader], context(given), 'cost_optimized')).toEqual(expected)
})

test('cost_optimized says what it expects', () => {
  const { ranked } = rank([cheap], context(), 'cost_optimized')

  // 1,000 tokens in at 0.1 and an assumed 300 out at 0.4, each per million.
  expect(ranked[0]?.reason).toBe('expected to cost $0.000220')
})

test('cost_optimized keeps the router’s order between equals', () => {
  const first = candidate({ modelId: 'p:first', position: 0 })
  const second = candidate({ modelId: 'p:second', position: 1 })

  expect(order([second, first], context(), 'cost_optimized')).toEqual(['p:first', 'p:second'])
})

/** What every strategy owes, also the next one that is added. */
describe.each(strategyNames)('%s', (name) => {
  const strategy = strategies[name]
  const many = Array.from({ length: 20 }, (_, position) =>
    candidate({
      modelId: `p:${position}`,
      position,
      price: { inputUsdPerMtok: (position * 7) % 5, outputUsdPerMtok: (position * 3) % 4 },
    }),
  )

  test('gives back every candidate once', () => {
    const ids = strategy(many, context()).map((ranked) => ranked.candidate.modelId)

    expect(ids.toSorted()).toEqual(many.map(({ modelId }) => modelId).toSorted())
  })

  test('decides the same whatever order it is given them in', () => {
    const forwards = strategy(many, context())
    const backwards = strategy(many.toReversed(), context())

    expect(backwards).toEqual(forwards)
  })

  test('leaves what it is given as it was', () => {
    const given = structuredClone(many)

    strategy(given, context())

    expect(given).toEqual(many)
  })

  test('gives a reason for each', () => {
    for (const { reason } of strategy(many, context())) expect(reason).toMatch(/\w+/)
    expect(strategy([], context())).toEqual([])
  })
})
