import { describe, expect, test } from 'vitest'
import { promptCheckSchema, type PromptCheck } from '../../../shared/chat/prompt-check.ts'
import { gradeAnswer, problemOfCheck } from './grade-answer.ts'

async function scoreOf(check: PromptCheck, answer: string): Promise<number> {
  return (await gradeAnswer(check, answer)).score
}

describe('a number', () => {
  test.each([
    ['42', 42],
    ['The answer is **42**.', 42],
    ['1,234.50', 1234.5],
    ['Das Ergebnis ist 1.234,50 Euro.', 1234.5],
    ['3,5', 3.5],
    ['0,125', 0.125],
    ['1,234', 1234],
    ['1,234', 1.234],
    ['1.234', 1234],
    ['1.234', 1.234],
    ['12,34,567', 1_234_567],
    ["1'234'567 CHF", 1_234_567],
    ['1 234 567', 1_234_567],
    ['1\u202f234,5', 1234.5],
    ['1.2e3', 1200],
    ['about 1.2 × 10^3 m', 1200],
    ['1.2 × 10⁻³ s', 0.0012],
    ['$1.2 \\times 10^{3}$', 1200],
    ['2^10', 1024],
    ['3/4', 0.75],
    ['\\frac{3}{4}', 0.75],
    ['1 3/4 cups', 1.75],
    ['2.5 million', 2_500_000],
    ['2.5 million', 2.5],
    ['−5 °C', -5],
    ['-$12.50', -12.5],
    ['.5', 0.5],
    ['5%', 5],
    ['Seven.', 7],
    ['答案是42。', 42],
    ['The area is 12 m^2', 12],
    ['It needs 5 litres of H2O', 5],
    ['\\boxed{17} after 3 steps', 17],
    ['12 + 5 = 17', 17],
    ['The answer is 12 + 5 = 17 (since 12 is even).', 17],
    ['The answer is 17, because 3 of 20 are left out.', 17],
    ['**Answer:**\n\n17\n\nThis uses rule 4.', 17],
    ['It takes **17 minutes** at 90 km/h.', 17],
    ['**Step 1:** 3 × 5 = 15\n**Step 2:** add 2\n1. so it is 17', 17],
    ['Respuesta: 17', 17],
    ['La réponse est 17.', 17],
    ['7-3 is not it; the result is 17.', 17],
  ])('is found in %j', async (answer, expected) => {
    expect(await gradeAnswer({ type: 'number', expected }, answer)).toMatchObject({ score: 1 })
  })

  test.each([
    ['41', 42],
    ['The answer is 42. Wait, the answer is 43.', 42],
    ['I cannot tell.', 42],
    ['-42', 42],
    ['0.42', 42],
    ['3/4', 3],
    ['1.5', 15],
  ])('differs in %j', async (answer, expected) => {
    expect(await scoreOf({ type: 'number', expected }, answer)).toBe(0)
  })

  test('may differ by the tolerance and no more', async () => {
    const absolute: PromptCheck = { type: 'number', expected: 3.14, absoluteTolerance: 0.01 }
    const relative: PromptCheck = { type: 'number', expected: 2000, relativeTolerance: 0.01 }
    expect(await scoreOf(absolute, '3.15')).toBe(1)
    expect(await scoreOf(absolute, '3.16')).toBe(0)
    expect(await scoreOf(relative, '1980')).toBe(1)
    expect(await scoreOf(relative, '1979')).toBe(0)
  })
})

describe('a choice', () => {
  const check: PromptCheck = { type: 'choice', expected: 'B', options: 'ABCD' }

  test.each([
    'B',
    'b',
    '(B)',
    '**B.**',
    'B) Paris',
    'B. Paris is the capital.',
    'The answer is (B).',
    'The correct answer is **B**, because A and C ignore the date.',
    'A is wrong, since it is older. C is too small.\n\nAnswer: B',
    '**Answer:**\nB',
    'Die Antwort ist B.',
    'FENa is 0.4%, therefore B) a prerenal cause.',
    'Option B is correct. Option A ignores the tax.',
    'A: no.\nC: no.\n\\boxed{\\text{B}}',
    '答案是B',
    'A common mistake is to pick the first. **B) 12 months** applies here.',
  ])('is found in %j', async (answer) => {
    expect(await gradeAnswer(check, answer)).toMatchObject({ score: 1 })
  })

  test.each([
    'A',
    'C) Rome',
    'The answer is A or B.',
    'The answer is B. On reflection, the answer is C.',
    'Both (B) and (C) are possible.',
    'I do not know.',
    'A better question would name the year.',
    'E',
  ])('is refused in %j', async (answer) => {
    expect(await scoreOf(check, answer)).toBe(0)
  })
})

test('a choice must expect one of its options', () => {
  const check = { type: 'choice', options: 'ABC' }
  expect(promptCheckSchema.safeParse({ ...check, expected: 'C' }).success).toBe(true)
  expect(promptCheckSchema.safeParse({ ...check, expected: 'D' }).success).toBe(false)
})

describe('JSON', () => {
  const check: PromptCheck = {
    type: 'json_schema',
    schema: {
      type: 'object',
      properties: { name: { type: 'string' }, items: { type: 'array', items: { type: 'number' } } },
      required: ['name', 'items'],
      additionalProperties: false,
    },
    values: { '/name': 'Ann', '/items/1': 2 },
  }

  test.each([
    '{"name":"Ann","items":[1,2]}',
    'Here it is:\n```json\n{ "items": [1, 2], "name": "Ann" }\n```\nLet me know!',
    'Sure [see below]: {"name":"Ann","items":[1,2,3]} is the result.',
  ])('is found in %j', async (answer) => {
    expect(await gradeAnswer(check, answer)).toMatchObject({ score: 1 })
  })

  test.each([
    ['no JSON here', 'The answer contains no JSON.'],
    ['{"name":"Ann"}', "The JSON must have required property 'items'."],
    ['{"name":"Ann","items":["1"]}', "The JSON's /items/0 must be number."],
    ['{"name":"Bob","items":[1,2]}', "The JSON's /name differs from the expected value."],
    ['{"name":"Ann","items":[1,', 'The answer contains no JSON.'],
  ])('is refused in %j', async (answer, reason) => {
    expect(await gradeAnswer(check, answer)).toEqual({ score: 0, reason })
  })

  test('must equal the expected value, whatever the order of its members', async () => {
    const equals: PromptCheck = { type: 'json_schema', schema: {}, equals: { a: 1, b: [1, 2] } }
    expect(await scoreOf(equals, '{"b":[1,2],"a":1}')).toBe(1)
    expect(await scoreOf(equals, '{"b":[2,1],"a":1}')).toBe(0)
  })

  test('does not reach inherited members by a pointer', async () => {
    const values: PromptCheck = { type: 'json_schema', schema: {}, values: { '/length': 2 } }
    expect(await scoreOf(values, '{"x":[1,2]}')).toBe(0)
  })

  test('nested too deeply for a recursive schema is wrong', async () => {
    const recursive: PromptCheck = { type: 'json_schema', schema: { items: { $ref: '#' } } }
    const depth = 40_000
    const { reason } = await gradeAnswer(recursive, '['.repeat(depth) + ']'.repeat(depth))
    expect(reason).toBe('The JSON is nested too deeply.')
  })

  test('cannot be checked against a schema with patterns, or one that cannot be read', () => {
    const problem = (schema: Record<string, never>) =>
      problemOfCheck({ type: 'json_schema', schema })
    expect(problem({})).toBeNull()
    expect(problem({ pattern: '(a+)+$' } as never)).toContain('regular expressions')
    expect(problem({ type: 'text' } as never)).toContain('JSONType')
  })
})

describe('facts', () => {
  const check: PromptCheck = {
    type: 'facts',
    required: [['Zürich', 'Zuerich'], ['1291'], ['federal *', 'confederat*']],
    forbidden: ['Bern'],
  }

  test('are found in any case, without accents and across lines', async () => {
    const answer = 'The **Old\nConfederation** of 1291 grew; ZURICH joined later.'
    expect(await gradeAnswer(check, answer)).toMatchObject({ score: 1 })
  })

  test('that are missing cost their share, and the reason names them', async () => {
    const { score, reason } = await gradeAnswer(check, 'Zürich, in 1291.')
    expect(score).toBeCloseTo(2 / 3)
    expect(reason).toBe('The answer does not state "federal *".')
  })

  test('are whole words', async () => {
    const word: PromptCheck = { type: 'facts', required: [['art']] }
    expect(await scoreOf(word, 'It starts with a party.')).toBe(0)
    expect(await scoreOf(word, 'The art, of course')).toBe(1)
  })

  test('may contain punctuation', async () => {
    const punctuated: PromptCheck = { type: 'facts', required: [['N-acetyl (C++) [x] a|b/c.d']] }
    expect(await scoreOf(punctuated, 'It is n-acetyl (c++) [X] a|b/c.d!')).toBe(1)
    expect(await scoreOf(punctuated, 'It is n-acetyl (c++) [X] a|b/cxd!')).toBe(0)
  })

  test('in Chinese need no word boundaries', async () => {
    const word: PromptCheck = { type: 'facts', required: [['北京']] }
    expect(await scoreOf(word, '中国的首都是北京市。')).toBe(1)
  })

  test('that are forbidden make the answer wrong', async () => {
    const { score, reason } = await gradeAnswer(check, 'Zürich, 1291, confederates of Bern')
    expect({ score, reason }).toEqual({
      score: 0,
      reason: 'The answer states "Bern", which is wrong.',
    })
  })
})

describe('an exact text', () => {
  const check: PromptCheck = { type: 'exact', expected: ['Guten Morgen', 'Moin'] }

  test.each([
    'Guten Morgen',
    ' "guten  Morgen." ',
    '**Guten Morgen**',
    'In German one says:\n\nGuten Morgen',
    'Answer: Moin',
    'The translation is:\n```\nGuten Morgen\n```',
  ])('is found in %j', async (answer) => {
    expect(await gradeAnswer(check, answer)).toMatchObject({ score: 1 })
  })

  test.each(['Guten Abend', 'Guten Morgen, Herr Meier', 'Good morning'])(
    'is not found in %j',
    async (answer) => {
      expect(await scoreOf(check, answer)).toBe(0)
    },
  )

  test('can be case-sensitive', async () => {
    const strict: PromptCheck = { type: 'exact', expected: ['aB'], isCaseSensitive: true }
    expect(await scoreOf(strict, 'aB')).toBe(1)
    expect(await scoreOf(strict, 'AB')).toBe(0)
  })
})

test('reasoning in think tags is not part of the answer', async () => {
  const check: PromptCheck = { type: 'choice', expected: 'B', options: 'AB' }
  expect(await scoreOf(check, '<think>The answer is A? No.</think>\nB')).toBe(1)
  expect(await gradeAnswer(check, '<think>The answer is B')).toEqual({
    score: 0,
    reason: 'The answer is empty.',
  })
})

test('an answer beyond 100,000 characters is not read', async () => {
  const answer = `${' '.repeat(100_000)}42`
  expect(await scoreOf({ type: 'number', expected: 42 }, answer)).toBe(0)
})

test.each(['*', '"', '{', '[', '1,', '1 ', 'answer ', '\\frac{', '\\boxed{', ' ', 'A', '`'])(
  'an answer of only %j takes no more than a second in any check',
  async (piece) => {
    const checks: PromptCheck[] = [
      { type: 'number', expected: 1 },
      { type: 'choice', expected: 'A', options: 'ABCD' },
      { type: 'json_schema', schema: {} },
      { type: 'facts', required: [['a b']] },
      { type: 'exact', expected: ['x'] },
    ]
    const answer = piece.repeat(99_000 / piece.length)
    const start = process.cpuUsage()
    for (const check of checks) await gradeAnswer(check, answer)
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(checks.length)
  },
)
