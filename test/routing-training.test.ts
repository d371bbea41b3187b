/** Training of the prompt reader: which data it uses, which it must not use, and that it is reproducible. */
import { expect, test } from 'vitest'
import { readTopics } from '../src/service/routing/prompt/topic-head.ts'
import { topicNames } from '../src/shared/topics.ts'
import type { DataFile, PromptRow } from '../bench/routing/data-file.ts'
import { seeds } from '../bench/routing/seeds.ts'
import { gainSamples, trainGain } from '../bench/routing/train-gain.ts'
import { toTopicSample, trainTopics } from '../bench/routing/train-topics.ts'

/** Four models, the first the best. Only the best one answers long prompts correctly. */
function row(prompt: string, given: Partial<PromptRow> = {}): PromptRow {
  const isHard = prompt.length > 60
  const scores = { best: 1, good: isHard ? 0 : 1, fair: 0, poor: 0, 'Mixtral-8x7B-Instruct': 1 }
  return { prompt, label: 'history', inputTokens: 10, scores, outputTokens: {}, ...given }
}

const long = 'Which of the treaties that were signed in that century ended the longest of its wars?'
const models: DataFile = {
  kind: 'models',
  name: 'models',
  hash: '',
  rows: [
    row('Who won the battle?'),
    row(long),
    row('Who ruled then?\nA. a king\nB. a queen'),
    row('How many eggs are left?', { label: 'gsm8k' }),
  ],
}
const pair: DataFile = {
  kind: 'pair',
  name: 'pair',
  hash: '',
  rows: [{ prompt: 'who ruled, then?\n(A) nobody', label: 'history', weak: 0, strong: 1 }],
}

test('the gain is trained without the pair’s prompts in any form, and without their kinds', () => {
  expect(gainSamples([models, pair]).map(({ gain }) => gain)).toEqual([0, 1])
})

test('the gain is that of the best quarter over the next, without the pair’s models', () => {
  // With the pair's model among the best, the easy prompt would also have a gain.
  const [easy, hard] = gainSamples([models])

  expect(easy?.gain).toBe(0)
  expect(hard?.gain).toBe(1)
})

test('a gain that grows with the length is learned', () => {
  const words = (count: number) => Array.from({ length: count }, (_, nth) => `word${nth}`).join(' ')
  const rows = Array.from({ length: 40 }, (_, index) => row(words(1 + (index % 20))))
  const { coefficients, intercept } = trainGain(gainSamples([{ ...models, rows }]))

  expect(coefficients[0]).toBeGreaterThan(0)
  expect(intercept).toBeGreaterThan(0)
  expect(intercept).toBeLessThan(1)
})

test('a topic is recognized by its words, and the same samples give the same weights', () => {
  const samples = [
    ...['the court and the judge', 'a judge of the court'].map((text) =>
      toTopicSample(text, 'law'),
    ),
    ...['an acid and a base', 'the base of an acid'].map((text) =>
      toTopicSample(text, 'chemistry'),
    ),
  ]
  const head = trainTopics(samples)
  const { topics } = readTopics(head, toTopicSample('judge at court', 'law').features)

  expect(topicNames[topics.indexOf(Math.max(...topics))]).toBe('law')
  expect(trainTopics(samples)).toEqual(head)
})

test('no seed is empty, and no two are equal', () => {
  const texts = seeds.map(({ prompt }) => prompt)

  expect(new Set(texts).size).toBe(texts.length)
  expect(texts.filter((text) => text.trim() === '')).toEqual([])
})
