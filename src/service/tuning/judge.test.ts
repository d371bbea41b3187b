import { expect, test } from 'vitest'
import { commonKind, judgeErrorRate, judgeRound, withoutOwnFamily } from './judge.ts'
import { readVerdict, type ComparedAnswers, type Verdict } from './judge-prompt.ts'
import { familyOf } from '../../shared/models/model-family.ts'

const prompt = {
  messages: [{ role: 'user' as const, content: 'Why?' }],
  check: null,
  reference: null,
}
const answers = ['best', 'other'].map((model) => ({ model, text: model, startLogit: 0 }))

function verdict(given: Partial<Verdict>): Verdict {
  return {
    kind: 'trivia',
    first_acceptable: true,
    second_acceptable: true,
    better: 'tie',
    ...given,
  }
}

/** Grades of both answers when the judge always says the same of the same answer. */
async function gradesWith(say: (answer: ComparedAnswers) => Verdict | null) {
  const compare = (_key: string, compared: ComparedAnswers) => Promise.resolve(say(compared))
  const { grades } = await judgeRound(prompt, answers, { compare, round: 0 })
  return Object.fromEntries(grades)
}

test.each([
  ['both acceptable, a tie', () => verdict({}), { best: 1, other: 1 }],
  [
    'both acceptable, one better',
    ({ first }: ComparedAnswers) => verdict({ better: first === 'best' ? 'first' : 'second' }),
    { best: 1, other: 0.75 },
  ],
  [
    'neither acceptable, one better',
    ({ first }: ComparedAnswers) =>
      verdict({
        first_acceptable: false,
        second_acceptable: false,
        better: first === 'best' ? 'first' : 'second',
      }),
    { best: 0.25, other: 0 },
  ],
  [
    'a judge that always prefers the first place',
    () => verdict({ better: 'first' }),
    { best: 0.875, other: 0.875 },
  ],
  [
    'one of two comparisons unreadable',
    ({ first }: ComparedAnswers) => (first === 'best' ? null : verdict({})),
    { best: 1, other: 1 },
  ],
] as const)('grades %s', async (_name, say, grades) => {
  expect(await gradesWith(say)).toEqual(grades)
})

test('compares every answer with the expected best, and leaves out the judge’s family', () => {
  const models = ['openai:gpt-5', 'anthropic:claude-a', 'x:deepseek-v3', 'y:meta/llama-3']
  const found = models.map((model, index) => ({ model, startLogit: index }))
  const { compared, ownFamily } = withoutOwnFamily('openrouter:anthropic/claude-opus', found)
  expect(compared.map(({ model }) => model)).toEqual([
    'y:meta/llama-3',
    'x:deepseek-v3',
    'openai:gpt-5',
  ])
  expect(ownFamily.map(({ model }) => model)).toEqual(['anthropic:claude-a'])
})

test.each([
  ['openai:gpt-5-mini', 'openai'],
  ['openrouter:openai/o3', 'openai'],
  ['groq:openai/gpt-oss-20b', 'openai'],
  ['bedrock:us.anthropic.claude-sonnet-4', 'anthropic'],
  ['google:gemini-2.5-pro', 'google'],
  ['together:meta-llama/Llama-3.3-70B', 'meta'],
  ['local:smollm2-135m-instruct', 'huggingface'],
  ['mine:our-own-model', 'our'],
])('%s belongs to the family %s', (model, family) => {
  expect(familyOf(model)).toBe(family)
})

test('takes the kind that most verdicts name', () => {
  expect(commonKind(['law', 'trivia', 'trivia'])).toBe('trivia')
  expect(commonKind([])).toBeNull()
})

test('computes the share of wrong grades from how often two gradings agree', () => {
  const agreeing = Array.from({ length: 82 }, () => [1, 0.75] as [number, number])
  const disagreeing = Array.from({ length: 18 }, () => [1, 0] as [number, number])
  // A judge that errs in one case of ten agrees with itself in 82 of 100.
  const measured = judgeErrorRate([...agreeing, ...disagreeing])
  expect(measured.errorRate).toBeCloseTo(0.1)
  expect(measured.isMeasured).toBe(true)
  expect(judgeErrorRate(agreeing.slice(0, 9))).toEqual({ errorRate: 0.1, isMeasured: false })
})

test.each([
  ['{"kind":"trivia","first_acceptable":true,"second_acceptable":false,"better":"first"}', true],
  [
    '<think>{"better":"second"}</think>\n{"kind":"trivia","first_acceptable":true,"second_acceptable":false,"better":"first"}',
    true,
  ],
  ['{"kind":"trivia","first_acceptable":true,"second_acceptable":false,"better":"A"}', false],
  [
    '{"kind":"trivia","first_acceptable":true,"second_acceptable":false,"better":"first","grade":9}',
    false,
  ],
  ['The first one.', false],
  ['', false],
])('reads %j as a verdict: %s', (text, isVerdict) => {
  expect(readVerdict(text).ok).toBe(isVerdict)
})
