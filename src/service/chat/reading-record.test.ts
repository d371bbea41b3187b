import { expect, test } from 'vitest'
import { readPrompt } from '../routing/prompt/read-prompt.ts'
import { readingRecord } from './reading-record.ts'

test('the record names three kinds and three topics, the likeliest first, to three digits', () => {
  const lastUser =
    'Tom has 12 marbles and gives 5 of them away. How many marbles does he have left?'
  const record = readingRecord(readPrompt({ lastUser, system: '' }))

  expect(record?.domains.map(([name]) => name)[0]).toBe('maths_quant')
  expect(record?.topics.map(([name]) => name)[0]).toBe('word_problems')
  for (const named of [record?.domains, record?.topics]) {
    const probabilities = (named ?? []).map(([, probability]) => probability)
    expect(probabilities).toHaveLength(3)
    expect(probabilities).toEqual(probabilities.toSorted((a, b) => b - a))
    expect(probabilities).toEqual(probabilities.map((one) => Number(one.toFixed(3))))
  }
})
