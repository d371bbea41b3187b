/** The efforts of a model compete as candidates do, and one of them is tried. */
import { expect, test } from 'vitest'
import { unreadDifficulty } from '../../shared/models/quality-scale.ts'
import type { Candidate, PromptReading, RoutingContext, RoutingPolicy } from './candidate.ts'
import { readPrompt } from './prompt/read-prompt.ts'
import { oncePerModel, rank } from './rank.ts'
import {
  candidate,
  sampleContext,
  samplePolicy,
  priorKnowledge,
} from '../../../test/routing/sample-candidates.ts'

const rated = (points: number) => ({ points, strength: 25, offsets: null, basis: 'rated' as const })
const thrifty = { inputUsdPerMtok: 0.1, outputUsdPerMtok: 0.4 }

/** Rated at three efforts, of which `none` is the provider's default. */
function withEfforts(given: Partial<Candidate> = {}): Candidate {
  const base = candidate({
    modelId: 'p:thinker',
    price: thrifty,
    quality: rated(1350),
    contextTokens: 400_000,
    maxOutputTokens: 100_000,
    ...given,
  })
  const at = (effort: string, points: number, outputRatio: number) => ({
    ...base,
    effort,
    quality: rated(points),
    outputRatio,
  })
  return { ...base, otherEfforts: [at('medium', 1430, 10), at('high', 1445, 25)] }
}

const plain = candidate({ modelId: 'p:plain', position: 1, quality: rated(1340) })

function reading(difficulty: number): PromptReading {
  return { ...readPrompt({ lastUser: 'Hello', system: '' }), difficulty }
}

function ranked(
  context: Partial<RoutingContext>,
  policy: Partial<RoutingPolicy> = {},
  candidates = [withEfforts(), plain],
) {
  const decision = rank(candidates, {
    knowledgeOf: priorKnowledge,
    context: sampleContext({ promptTokens: 50, ...context }),
    policy: samplePolicy(policy),
  })
  return decision.ranked.map(({ model, effort = 'default' }) => `${model} ${effort}`)
}

test('an easy prompt gets the default effort, and a hard one more reasoning', () => {
  expect(ranked({ reading: reading(-3) })[0]).toBe('p:thinker default')
  expect(ranked({ reading: reading(1) })[0]).toBe('p:thinker medium')
  expect(ranked({ reading: reading(1) }, { strategy: 'quality_optimized' })[0]).toBe(
    'p:thinker high',
  )
})

test('every effort is ranked, and each model is tried once, at its first effort', () => {
  const all = rank([withEfforts(), plain], {
    knowledgeOf: priorKnowledge,
    context: sampleContext({ reading: reading(unreadDifficulty) }),
    policy: samplePolicy(),
  }).ranked

  expect(all.map(({ model }) => model).toSorted()).toEqual([
    'p:plain',
    'p:thinker',
    'p:thinker',
    'p:thinker',
  ])
  expect(oncePerModel(all)).toEqual([all[0], all.find(({ model }) => model !== all[0]?.model)])
})

test.each<[string, Partial<RoutingContext>, Partial<RoutingPolicy>]>([
  ['the router does not choose efforts', {}, { chooseEffort: false }],
  ['the strategy keeps the order of the list', {}, { strategy: 'priority' }],
  ['the request has an effort that no source rates', { effort: 'xhigh' }, {}],
])('the default effort alone competes when %s', (_when, context, policy) => {
  const order = ranked({ reading: reading(1), ...context }, policy)

  expect(order.toSorted()).toEqual(['p:plain default', 'p:thinker default'])
})

test('the request’s own effort is estimated with its own rating', () => {
  expect(ranked({ reading: reading(1), effort: 'high' }).toSorted()).toEqual([
    'p:plain default',
    'p:thinker high',
  ])
})

test('an effort whose reasoning would reach the request’s token limit does not compete', () => {
  const hard = { reading: reading(1) }

  expect(ranked({ ...hard, maxOutputTokens: 500 })).not.toContain('p:thinker medium')
  expect(ranked({ ...hard, maxOutputTokens: 50_000 })).toContain('p:thinker medium')
})

test('a model is excluded only when none of its efforts can answer', () => {
  const capped = { reading: reading(-1), maxOutputTokens: 90_000 }
  const cost = { maxCostUsdPerRequest: 0.004 }
  const decision = rank([withEfforts({ price: { inputUsdPerMtok: 1, outputUsdPerMtok: 2 } })], {
    knowledgeOf: priorKnowledge,
    context: sampleContext(capped),
    policy: samplePolicy(cost),
  })

  expect(decision.ranked.map(({ effort }) => effort)).toEqual([undefined])
  expect(decision.excluded).toEqual([])
})
