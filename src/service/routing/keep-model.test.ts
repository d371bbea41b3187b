/** When a conversation stays with its model. */
import { expect, test } from 'vitest'
import type { RoutingContext } from './candidate.ts'
import { keepModel, type Turn } from './keep-model.ts'
import { rank } from './rank.ts'
import { candidate } from './sample-candidates.ts'

const cheap = candidate({ modelId: 'p:cheap', price: { inputUsdPerMtok: 1, outputUsdPerMtok: 1 } })
const cached = candidate({
  modelId: 'p:cached',
  position: 1,
  price: { inputUsdPerMtok: 2, outputUsdPerMtok: 1, cacheReadUsdPerMtok: 0.2 },
})
const long: RoutingContext = { promptTokens: 5_000, maxOutputTokens: null, needs: [] }
const turn: Turn = { modelId: 'p:cached', promptTokens: 4_800, ageMs: 1_000 }

function order(
  given: Partial<Turn> = {},
  request: Partial<Parameters<typeof keepModel>[2]> = {},
  candidates = [cheap, cached],
) {
  const strategy = request.strategy ?? 'cost_optimized'
  const context = request.context ?? long
  const { ranked } = rank(candidates, context, strategy)
  const { ranked: kept, keepsFirst } = keepModel(
    ranked,
    { ...turn, ...given },
    { context, strategy, isToolPending: false, ...request },
  )
  return {
    ids: kept.map((one) => one.candidate.modelId),
    keepsFirst,
    reason: kept[0]?.reason ?? '',
  }
}

test('it stays while the warm prompt cache makes its model the cheaper', () => {
  expect(order()).toEqual({
    ids: ['p:cached', 'p:cheap'],
    keepsFirst: true,
    // 200 tokens at 2, 4,800 at 0.2 and 300 at 1, each per million.
    reason:
      'same model as the conversation so far, expected to cost $0.00166 with its prompt cache',
  })
})

const changed = { ids: ['p:cheap', 'p:cached'], keepsFirst: false }

test.each<[string, Partial<Turn>, Partial<RoutingContext>]>([
  ['the cache has cooled', { ageMs: 300_001 }, {}],
  ['too little of the prompt was there', { promptTokens: 2_000 }, {}],
  ['the prompt is too short to be cached', { promptTokens: 1_023 }, { promptTokens: 1_023 }],
  ['its model is not able any more', { modelId: 'p:gone' }, {}],
])('it changes when %s', (_why, given, context) => {
  expect(order(given, { context: { ...long, ...context } })).toMatchObject(changed)
})

test('deployments of one model at one price: the conversation stays where it was', () => {
  const twin = candidate({ ...cheap, modelId: 'q:cheap', providerId: 'q', position: 1 })

  expect(order({ modelId: 'q:cheap' }, {}, [cheap, twin])).toMatchObject({
    ids: ['q:cheap', 'p:cheap'],
    keepsFirst: true,
  })
})

test('an order that a person gave is kept', () => {
  expect(order({}, { strategy: 'priority' })).toMatchObject(changed)
})

test.each(['priority', 'cost_optimized'] as const)(
  'with %s, the model whose tool was called reads its result, however long ago',
  (strategy) => {
    const given = { ageMs: 3_000_000, promptTokens: 10 }

    expect(order(given, { strategy, isToolPending: true })).toEqual({
      ids: ['p:cached', 'p:cheap'],
      keepsFirst: true,
      reason: 'same model as the conversation so far, whose tool was called',
    })
  },
)
