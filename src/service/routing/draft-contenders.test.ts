import { lnP90Prior } from './expected-output.ts'
import { expect, test } from 'vitest'
import type { DecisionRecord } from '../../shared/requests/detail.ts'
import type { ModelKnowledge } from './candidate.ts'
import { contendersUnder } from './draft-contenders.ts'
import {
  candidate,
  sampleEstimate,
  sampleParameters,
  samplePolicy,
} from '../../../test/routing/sample-candidates.ts'

const knowledge: ModelKnowledge = {
  feedback: null,
  own: null,
  latency: {
    firstTokenMs: 300,
    msPerPromptToken: 0,
    msPerToken: 10,
    p95Ratio: 2,
    source: 'assumed',
    answers: 0,
    measuredShare: 0,
  },
  lnOutputTokens: [],
  lnP90: lnP90Prior,
  lengthAnswers: 0,
  load: 0.5,
}
const knowledgeOf = () => knowledge
const estimate = sampleEstimate({ latencyMs: 1_234 })

function decision(given: Partial<DecisionRecord> = {}): DecisionRecord {
  return {
    strategy: 'cost_optimized',
    promptTokens: 1_000,
    maxOutputTokens: null,
    isStreamed: false,
    needs: [],
    parameters: sampleParameters,
    reading: null,
    ranked: [{ model: 'p:a', position: 0, reason: null, estimate }],
    excluded: [],
    kept: null,
    drawnWith: null,
    adjusted: [],
    ...given,
  }
}

test('a recorded model keeps its estimate and gets its place in the draft', () => {
  const candidates = [
    candidate({ modelId: 'p:b', position: 0 }),
    candidate({ modelId: 'p:a', position: 1 }),
  ]

  const contenders = contendersUnder(
    { candidates, policy: samplePolicy(), knowledgeOf },
    decision(),
  )

  expect(contenders).toMatchObject([
    { model: 'p:b', position: 0, estimate: { latencySource: 'assumed' } },
    { model: 'p:a', position: 1, estimate: { latencyMs: 1_234 } },
  ])
})

test('the load of this moment does not slow down an estimate of past requests', () => {
  const candidates = [candidate({ modelId: 'p:b' })]
  const under = (load: number) =>
    contendersUnder(
      { candidates, policy: samplePolicy(), knowledgeOf: () => ({ ...knowledge, load }) },
      decision(),
    )

  expect(under(3)).toEqual(under(0))
})

test('the draft’s own rules decide who may answer, not those of the recorded decision', () => {
  const excluded = [
    { model: 'p:b', position: 1, code: 'over_cost_cap', reason: 'may cost more', estimate },
  ]
  const candidates = [
    candidate({ modelId: 'p:a', providerId: 'p' }),
    candidate({ modelId: 'p:b', providerId: 'q' }),
  ]

  const contenders = contendersUnder(
    { candidates, policy: samplePolicy({ providers: ['q'] }), knowledgeOf },
    decision({ excluded }),
  )

  expect(contenders.map(({ model }) => model)).toEqual(['p:b'])
})

test('a model that was compared then fits the request, whatever it would take at most', () => {
  const candidates = ['p:a', 'p:b'].map((modelId) =>
    candidate({ modelId, maxOutputTokens: 500, contextTokens: 900 }),
  )
  const modelsUnder = (maxCostUsdPerRequest: number | null) =>
    contendersUnder(
      { candidates, policy: samplePolicy({ maxCostUsdPerRequest }), knowledgeOf },
      decision({ maxOutputTokens: 600 }),
    ).map(({ model }) => model)

  expect(modelsUnder(null)).toEqual(['p:a'])
  expect(modelsUnder(0.002)).toEqual([])
})

test('without a choice of the reasoning effort only the model’s own effort competes', () => {
  const own = { model: 'p:a', position: 0, reason: null, estimate }
  const ranked = [{ ...own, effort: 'high' }, own]
  const candidates = [candidate({ modelId: 'p:a' })]
  const efforts = (chooseEffort: boolean) =>
    contendersUnder(
      { candidates, policy: samplePolicy({ chooseEffort }), knowledgeOf },
      decision({ ranked }),
    ).map(({ effort }) => effort)

  expect(efforts(true)).toEqual(['high', undefined])
  expect(efforts(false)).toEqual([undefined])
})

test('a new model is not compared where several answers were asked for, whose number is not recorded', () => {
  const candidates = ['p:a', 'p:new'].map((modelId) => candidate({ modelId }))
  const modelsFor = (needs: DecisionRecord['needs']) =>
    contendersUnder({ candidates, policy: samplePolicy(), knowledgeOf }, decision({ needs })).map(
      ({ model }) => model,
    )

  expect(modelsFor([])).toEqual(['p:a', 'p:new'])
  expect(modelsFor(['n'])).not.toContain('p:new')
})
