/** The shipped weights, and how they classify prompts. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import weightsFile from '../../../../resources/routing-weights.json' with { type: 'json' }
import { domainNames } from '../../../shared/app/domains.ts'
import { readPrompt } from './read-prompt.ts'
import { decodeWeights, shippedWeights } from './routing-weights.ts'

function likeliest(lastUser: string): string | undefined {
  const { domains } = readPrompt({ lastUser, system: '' })
  return domainNames[domains.indexOf(Math.max(...domains))]
}

describe('the shipped weights', () => {
  test('match this version, and name their sources', () => {
    expect(() => decodeWeights(weightsFile)).not.toThrow(Error)
    expect(weightsFile.provenance.sources.length).toBeGreaterThan(1)
  })

  test('are the measured ones; retraining changes this hash and docs/benchmarks.md', () => {
    const { topics, gain, difficulty } = weightsFile
    const hash = createHash('sha256').update(JSON.stringify({ topics, gain, difficulty }))
    expect(hash.digest('hex').slice(0, 16)).toBe('4eeaa052ce46e844')
  })

  test('trained the gain without the pair on which it is measured', () => {
    const taught = weightsFile.provenance.sources.filter(({ usedFor }) => usedFor.includes('gain'))
    expect(taught.map(({ name }) => name.split('.')[0])).toEqual([
      'mmlu_pro',
      'zeroeval',
      'ulab_llmrouter',
    ])
  })

  test.each([
    ['topics of another version', { topics: { ...weightsFile.topics, names: ['law'] } }],
    ['truncated weights', { topics: { ...weightsFile.topics, weights: 'AAAA' } }],
    [
      'truncated trees',
      {
        difficulty: {
          ...weightsFile.difficulty,
          trees: { ...weightsFile.difficulty.trees, masks: 'AAAA' },
        },
      },
    ],
    ['a gain of another length', { gain: { ...weightsFile.gain, means: [1] } }],
  ])('are rejected with %s', (_what, broken) => {
    expect(() => decodeWeights({ ...weightsFile, ...broken })).toThrow(Error)
  })

  test('are decoded once', () => {
    expect(shippedWeights()).toBe(shippedWeights())
  })
})

test.each([
  ['chat_writing', 'Write a cheerful poem for the retirement of our postman'],
  ['code', 'Fix the bug in this function:\nfunction add(a, b) {\n  return a - b\n}'],
  [
    'maths_quant',
    'Tom has 12 marbles and gives 5 of them away. How many marbles does he have left?',
  ],
  ['maths_quant', 'Find the integral $\\int_0^1 x^2 \\sqrt{1-x} \\, dx$.'],
  [
    'science_medical',
    'What is the molar mass of the salt that forms when the acid reacts with sodium?',
  ],
  ['law_business', 'May the landlord sue the tenant for breach of contract after the lease ended?'],
  [
    'humanities_social',
    'What did Kant mean by the categorical imperative in his moral philosophy?',
  ],
  ['extraction_transform', 'Translate the following text into Spanish.\n\nThe shop opens at nine.'],
])('a prompt of %s is recognized: %s', (domain, prompt) => {
  expect(likeliest(prompt)).toBe(domain)
})

test('probabilities sum to 1, and confidence and gain are within their limits', () => {
  for (const lastUser of ['', 'x', 'qzx wvk jjq', '['.repeat(9_000), 'Why? '.repeat(3_000)]) {
    const { domains, confidence, gain } = readPrompt({ lastUser, system: '' })
    expect(domains.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1)
    expect(confidence).toBeGreaterThanOrEqual(0)
    expect(confidence).toBeLessThanOrEqual(1)
    expect(Math.abs(gain)).toBeLessThanOrEqual(1)
  }
})

test('unknown words belong to no topic', () => {
  const known = readPrompt({ lastUser: 'Find the derivative of $x^3$ at $x = 2$.', system: '' })
  const unknown = readPrompt({ lastUser: 'qzx wvk jjq', system: '' })

  expect(unknown.confidence).toBeLessThan(0.35)
  expect(known.confidence).toBeGreaterThan(0.65)
})

test('the letters before options change nothing', () => {
  const plain = readPrompt({ lastUser: 'Which one is a metal?\n iron\n sulphur', system: '' })
  const marked = readPrompt({ lastUser: 'Which one is a metal?\nA. iron\nB. sulphur', system: '' })

  expect(marked.domains).toEqual(plain.domains)
})
