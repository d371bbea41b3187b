/** Tests which parts of a prompt are read, and which are not. */
import { describe, expect, test } from 'vitest'
import { denseFeatureNames } from './dense-feature-names.ts'
import { bucketCount } from './bucket-counts.ts'
import { readFeatures } from './prompt-features.ts'

function read(lastUser: string, system = '') {
  const { buckets, weights, dense } = readFeatures({ lastUser, system })
  const byBucket = [...buckets].map((bucket, place): [number, number] => [
    bucket,
    Math.round((weights[place] ?? 0) * 1e5),
  ])
  return { words: new Map(byBucket.toSorted(([a], [b]) => a - b)), dense }
}

function feature(lastUser: string, name: (typeof denseFeatureNames)[number]): number {
  return readFeatures({ lastUser, system: '' }).dense[denseFeatureNames.indexOf(name)] ?? NaN
}

test('a prompt has the same features, whatever was read before it', () => {
  const alone = read('How high is the tower?')
  read('something else entirely, with 12 numbers and {brackets}')

  expect(read('How high is the tower?')).toEqual(alone)
})

test('words count without regard to case and order', () => {
  expect(read('The RED door').words).toEqual(read('the red DOOR').words)
  expect(read('a dog bites the man').words).not.toEqual(read('the man bites a dog').words)
})

test('the word vector has length 1, and a repeated word counts as 1 + ln of its frequency', () => {
  const { weights } = readFeatures({ lastUser: 'one two two two two', system: '' })
  const squares = [...weights].reduce((sum, weight) => sum + weight * weight, 0)
  const [one = 0, , , two = 0] = weights

  expect(squares).toBeCloseTo(1)
  expect(two / one).toBeGreaterThan(1)
})

test('buckets are within the head, and each appears once', () => {
  const { buckets } = readFeatures({ lastUser: 'a b c d e f a b c d e f '.repeat(40), system: '' })

  expect(new Set(buckets).size).toBe(buckets.length)
  expect(Math.max(...buckets)).toBeLessThan(bucketCount)
})

describe('signs of a benchmark are ignored:', () => {
  test('the letters before options', () => {
    const plain = 'Which is a mammal?\n whale\n shark'
    expect(read('Which is a mammal?\nA. whale\nB. shark').words).toEqual(read(plain).words)
    expect(read('Which is a mammal?\n(A) whale\n(B) shark').words.size).toBe(
      read('Which is a mammal?\n() whale\n() shark').words.size,
    )
  })

  test('"Question:" and "Answer:" at the start of a line', () => {
    expect(read('Question: How deep is it?\nAnswer:').words).toEqual(
      read(': How deep is it?\n:').words,
    )
  })

  test('the number of the question', () => {
    expect(read('add 3 and 4').words).toEqual(read('add 3117 and 9').words)
  })
})

describe('of a long prompt', () => {
  const beginning = 'b'.repeat(3_999)
  const end = 'e'.repeat(1_999)

  test('only the first 4,000 and the last 2,000 characters are read, and the full length counts', () => {
    const long = `${beginning} ${'middle '.repeat(20_000)} ${end}`
    const other = `${beginning} ${'centre '.repeat(20_000)} ${end}`

    expect(read(long)).toEqual(read(other))
    expect(feature(long, 'lnChars')).toBeCloseTo(Math.log1p(long.length))
  })

  test('a prompt at the limit is read completely', () => {
    const around = (word: string) => `${'b '.repeat(2_010)}${word} ${'e '.repeat(980)}`
    expect(read(around('middle')).words).not.toEqual(read(around('centre')).words)
  })
})

test('the system prompt adds the words of its first 500 characters, but no difficulty', () => {
  const without = read('Hello')
  const withSystem = read('Hello', 'You translate to French.')

  expect(withSystem.words.size).toBeGreaterThan(without.words.size)
  expect(withSystem.dense).toEqual(without.dense)
  expect(read('Hello', `${'a '.repeat(250)}b`).words).toEqual(read('Hello', 'a '.repeat(250)).words)
})

test('each character of a script without spaces is a word', () => {
  expect(feature('今天天气怎么样', 'lnWords')).toBeCloseTo(Math.log1p(7))
})

test.each<[(typeof denseFeatureNames)[number], string, string]>([
  ['lnQuestionMarks', 'Is it? Or not?', 'It is. Or not.'],
  ['digitShare', 'add 12 and 15', 'add twelve and fifteen'],
  ['lnDollars', 'solve $x$', 'solve x'],
  ['codeShare', 'x = {a; b}', 'x is a and b'],
  ['lnAsksWhyOrHow', 'Why is it so?', 'When was it so?'],
  ['lnNegations', 'This is not true', 'This is also true'],
  ['nameShare', 'I met Ada and Bob', 'I met people and dogs'],
  ['lnLines', 'one\ntwo\nthree', 'one two three'],
])('%s is more in "%s" than in "%s"', (name, more, less) => {
  expect(feature(more, name)).toBeGreaterThan(feature(less, name))
})

test('an empty prompt has no words and finite features', () => {
  const { buckets, dense } = readFeatures({ lastUser: '', system: '' })

  expect(buckets).toHaveLength(0)
  expect(dense).toHaveLength(denseFeatureNames.length)
  expect([...dense].every(Number.isFinite)).toBe(true)
})
