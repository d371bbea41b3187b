/** The graded prompts: enough of each sort to train and test the difficulty head, and pairs that hold. */
import { describe, expect, test } from 'vitest'
import { gradedPrompts, pairTypes } from '../../training/graded/graded-prompts.ts'
import type { GradedPrompt, PairType } from '../../training/graded/graded-prompts.ts'
import { topicNames } from '../../src/shared/routers/topics.ts'

const codeTopics: readonly string[] = ['code_writing', 'code_editing', 'computer_science']
const equalTypes: readonly PairType[] = [pairTypes.m, pairTypes.l, pairTypes.f]

interface Pair {
  type: PairType
  sides: GradedPrompt[]
}

const pairs = readPairs()

test('there are at least 420 prompts, and no two say the same', () => {
  const texts = gradedPrompts.map(({ prompt }) => normalised(prompt))

  expect(texts.length).toBeGreaterThanOrEqual(420)
  expect(texts.filter((text, place) => texts.indexOf(text) !== place)).toEqual([])
})

test('every topic and every grade has prompts, and every kind has prompts of at least four grades', () => {
  const kinds = [...new Set(gradedPrompts.map(({ kind }) => kind))]
  const narrow = kinds.filter((name) => {
    const prompts = gradedPrompts.filter(({ kind }) => kind === name)
    return new Set(gradesOf(prompts)).size < 4
  })

  expect(new Set(gradedPrompts.map(({ topic }) => topic))).toEqual(new Set(topicNames))
  expect(kinds.length).toBeGreaterThanOrEqual(14)
  expect(narrow).toEqual([])
  for (const grade of [1, 2, 3, 4, 5])
    expect(count((prompt) => prompt.grade === grade)).toBeGreaterThan(70)
})

test('no prompt contains a mark that was meant to be replaced', () => {
  const marked = gradedPrompts.filter(({ prompt }) => /\{\{[\w ]+\}\}|\\n/.test(prompt))

  expect(marked.map(({ prompt }) => prompt)).toEqual([])
})

describe('what the public exams have too little of', () => {
  test('at least 60 requests for code in one line', () => {
    expect(
      count(({ prompt, topic }) => codeTopics.includes(topic) && isShort(prompt, 40)),
    ).toBeGreaterThanOrEqual(60)
  })

  test('at least 50 prompts in other languages', () => {
    expect(count(({ language }) => language !== 'en')).toBeGreaterThanOrEqual(50)
  })

  test('at least 25 easy prompts with 200 to 700 words', () => {
    expect(
      count(({ prompt, grade }) => grade <= 2 && wordsOf(prompt) >= 200 && wordsOf(prompt) <= 700),
    ).toBeGreaterThanOrEqual(25)
  })

  test('at least 25 hard prompts with three to twelve words', () => {
    expect(
      count(({ prompt, grade }) => grade >= 4 && wordsOf(prompt) >= 3 && isShort(prompt, 12)),
    ).toBeGreaterThanOrEqual(25)
  })
})

describe('pairs', () => {
  test('hold at least 500 prompts, and each has two sides of one kind', () => {
    const broken = pairs.filter(
      ({ sides }) => sides.length !== 2 || new Set(sides.map(({ kind }) => kind)).size !== 1,
    )

    expect(count(({ pair }) => pair !== null)).toBeGreaterThanOrEqual(500)
    expect(broken).toEqual([])
  })

  test('have equal grades where only the form differs', () => {
    expect(
      pairs.filter(({ type, sides }) => equalTypes.includes(type) && spread(sides) !== 0),
    ).toEqual([])
  })

  test('are at least two grades apart where the difficulty differs', () => {
    expect(
      pairs.filter(({ type, sides }) => !equalTypes.includes(type) && spread(sides) < 2),
    ).toEqual([])
  })

  test.each(Object.values(pairTypes))('of the type "%s" exist at least 15 times', (type) => {
    expect(pairs.filter((pair) => pair.type === type).length).toBeGreaterThanOrEqual(15)
  })

  test('of a short hard and a long easy prompt are what they are called', () => {
    const wrong = sidesOf(pairTypes.d).filter(
      ([easy, hard]) => wordsOf(easy?.prompt) < 100 || wordsOf(hard?.prompt) > 14,
    )

    expect(wrong).toEqual([])
  })

  test('of two languages have one English side', () => {
    const wrong = pairs.filter(
      ({ type, sides }) =>
        type === pairTypes.l && sides.filter(({ language }) => language === 'en').length !== 1,
    )

    expect(wrong).toEqual([])
  })
})

function readPairs(): Pair[] {
  const byName = new Map<string, Pair>()
  for (const prompt of gradedPrompts) {
    if (prompt.pair === null) continue
    const { type, id } = prompt.pair
    const pair = byName.get(`${type} ${id}`) ?? { type, sides: [] }
    pair.sides.push(prompt)
    byName.set(`${type} ${id}`, pair)
  }
  return [...byName.values()]
}

/** The easier side first. */
function sidesOf(type: PairType): GradedPrompt[][] {
  return pairs
    .filter((pair) => pair.type === type)
    .map(({ sides }) => sides.toSorted((one, other) => one.grade - other.grade))
}

function spread(sides: readonly GradedPrompt[]): number {
  return Math.max(...gradesOf(sides)) - Math.min(...gradesOf(sides))
}

function gradesOf(prompts: readonly GradedPrompt[]): number[] {
  return prompts.map(({ grade }) => grade)
}

function count(holds: (prompt: GradedPrompt) => boolean): number {
  return gradedPrompts.filter(holds).length
}

function isShort(prompt: string, mostWords: number): boolean {
  return !prompt.includes('\n') && wordsOf(prompt) <= mostWords
}

function wordsOf(text = ''): number {
  return text.trim().split(/\s+/).length
}

/** The text in lower case, with letters and digits only. */
function normalised(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}+*/=]+/gu, ' ')
    .trim()
}
