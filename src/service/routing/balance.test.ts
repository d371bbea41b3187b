import { expect, test } from 'vitest'
import { balance } from './balance.ts'
import type { Candidate } from './candidate.ts'
import { candidate } from '../../../test/routing/sample-candidates.ts'

function priced(modelId: string, inputUsdPerMtok = 1): Candidate {
  return candidate({ modelId, price: { inputUsdPerMtok, outputUsdPerMtok: 2 } })
}

interface Situation {
  candidates: Candidate[]
  loads?: Record<string, number>
  /** The random values, in order. */
  draws?: number[]
}

function order({ candidates, loads = {}, draws = [] }: Situation): string[] {
  const drawn = [...draws]
  const ordered = balance(candidates, {
    loadOf: (modelId) => loads[modelId] ?? 1_000,
    random: () => drawn.shift() ?? 0,
  })
  return ordered.map(({ modelId }) => modelId)
}

const openai = priced('openai:gpt')
const azure = priced('azure:gpt')
const west = priced('west:gpt')

test('the less loaded of two deployments of a model goes first', () => {
  const loads = { 'openai:gpt': 800, 'azure:gpt': 300 }

  expect(order({ candidates: [openai, azure], loads })).toEqual(['azure:gpt', 'openai:gpt'])
})

test('two deployments with equal load alternate at random', () => {
  expect(order({ candidates: [openai, azure], draws: [0] })).toEqual(['openai:gpt', 'azure:gpt'])
  expect(order({ candidates: [openai, azure], draws: [0.9] })).toEqual(['azure:gpt', 'openai:gpt'])
})

test('of three deployments, two are picked at random, so that the idlest is not overloaded', () => {
  const loads = { 'openai:gpt': 500, 'azure:gpt': 700, 'west:gpt': 1 }

  expect(order({ candidates: [openai, azure, west], loads, draws: [0, 0] })).toEqual([
    'openai:gpt',
    'azure:gpt',
    'west:gpt',
  ])
})

test('other models keep their positions', () => {
  const best = priced('a:best')
  const last = priced('b:last')
  const loads = { 'openai:gpt': 800, 'azure:gpt': 300, 'a:best': 9_000, 'b:last': 1 }

  expect(order({ candidates: [best, openai, azure, last], loads })).toEqual([
    'a:best',
    'azure:gpt',
    'openai:gpt',
    'b:last',
  ])
})

test('a deployment that costs more stays behind, however idle it is', () => {
  const dear = priced('dear:gpt', 3)
  const loads = { 'openai:gpt': 9_000, 'dear:gpt': 1 }

  expect(order({ candidates: [openai, dear], loads })).toEqual(['openai:gpt', 'dear:gpt'])
})

test('deployments that are not adjacent in the ranking stay apart', () => {
  const other = priced('a:other')
  const loads = { 'openai:gpt': 9_000, 'azure:gpt': 1 }

  expect(order({ candidates: [openai, other, azure], loads })).toEqual([
    'openai:gpt',
    'a:other',
    'azure:gpt',
  ])
})

test('slashes and colons in a model’s name belong to the name', () => {
  const candidates = [priced('a:meta/llama:8b'), priced('b:meta/llama:70b')]
  const loads = { 'a:meta/llama:8b': 9_000, 'b:meta/llama:70b': 1 }

  expect(order({ candidates, loads })).toEqual(['a:meta/llama:8b', 'b:meta/llama:70b'])
})

test('an empty list stays empty', () => {
  expect(order({ candidates: [] })).toEqual([])
})
