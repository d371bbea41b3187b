import { expect, test } from 'vitest'
import { listed, model, rated } from '../../../../../test/renderer-harness/model-samples.ts'
import { rowsOf, type RowsWanted, sortDirection } from './model-rows.ts'

const rows = [
  listed(rated(model('openai:gpt-5', [1.25, 10]), 1450), { typeName: 'OpenAI', isOwn: true }),
  listed({ ...model('groq:llama-3.3', [0.6, 0.8]), capabilities: ['tools'] }, { typeName: 'Groq' }),
  listed(model('own:unpriced', null), {
    typeName: 'vLLM',
    isOwn: true,
    energy: { low: 0.1, mid: 1, high: 9, method: 'unknown' },
  }),
]

function idsOf(wanted: Partial<RowsWanted>): string[] {
  const all = { search: '', provider: null, abilities: [], isOwnOnly: false, isReversed: false }
  return rowsOf(rows, { ...all, sort: 'name', ...wanted }).map(({ model: { id } }) => id)
}

test('a search finds words of the name and the vendor, in any order and case', () => {
  expect(idsOf({ search: 'GPT openai' })).toEqual(['openai:gpt-5'])
  expect(idsOf({ search: 'vllm' })).toEqual(['own:unpriced'])
  expect(idsOf({ search: 'gpt groq' })).toEqual([])
})

test('filters of provider, ability and ownership combine', () => {
  expect(idsOf({ provider: 'groq', abilities: ['tools'] })).toEqual(['groq:llama-3.3'])
  expect(idsOf({ provider: 'openai', abilities: ['tools'] })).toEqual([])
  expect(idsOf({ isOwnOnly: true })).toEqual(['openai:gpt-5', 'own:unpriced'])
})

test('sorting puts the best first and the unknown last, in both directions', () => {
  expect(idsOf({ sort: 'price' })).toEqual(['groq:llama-3.3', 'openai:gpt-5', 'own:unpriced'])
  expect(idsOf({ sort: 'price', isReversed: true })).toEqual([
    'openai:gpt-5',
    'groq:llama-3.3',
    'own:unpriced',
  ])
  expect(idsOf({ sort: 'quality' })[0]).toBe('openai:gpt-5')
  expect(idsOf({ sort: 'energy' }).at(-1)).toBe('own:unpriced')
})

test.each([
  ['name', false, 'ascending'],
  ['price', false, 'ascending'],
  ['quality', false, 'descending'],
  ['context', true, 'ascending'],
  ['energy', true, 'descending'],
] as const)('a table by %s, reversed: %s, is %s', (sort, isReversed, direction) => {
  expect(sortDirection({ sort, isReversed })).toBe(direction)
})
