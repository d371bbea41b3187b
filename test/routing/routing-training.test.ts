/** Training of the prompt reader: which data it uses, which it must not use, and that it is reproducible. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import weightsFile from '../../resources/routing-weights.json' with { type: 'json' }
import { readPrompt } from '../../src/service/routing/prompt/read-prompt.ts'
import { shippedWeights } from '../../src/service/routing/prompt/routing-weights.ts'
import { readTopics } from '../../src/service/routing/prompt/topic-head.ts'
import { topicNames } from '../../src/shared/routers/topics.ts'
import { brierOf, calibrationError, rankCorrelation } from '../../bench/routing/calibration.ts'
import { difficultyFeatures } from '../../training/reader/difficulty-samples.ts'
import { gradedPrompts } from '../../training/graded/graded-prompts.ts'
import { trainDifficulty } from '../../training/reader/train-difficulty.ts'
import type { DataFile, PromptRow } from '../../training/reader/data-file.ts'
import { seeds } from '../../training/seeds.ts'
import { gainSamples, trainGain } from '../../training/reader/train-gain.ts'
import { toTopicSample, trainTopics } from '../../training/reader/train-topics.ts'
import { trainTrees, type TreeRow } from '../../training/reader/train-trees.ts'
import { readTrees } from '../../src/service/routing/prompt/difficulty-trees.ts'

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

/** A prompt that models of 1100, 1300 and 1500 points answered, or not. */
function scoredPrompt(prompt: string, scores: readonly number[]) {
  const features = difficultyFeatures(prompt, shippedWeights().topics)
  return { ...features, file: 'pool', logits: [-1.9, 0, 1.9], scores, chance: 0 }
}

test('the difficulty learns from answers and from grades, and the same samples give the same weights', () => {
  const scored = [
    ...Array.from({ length: 20 }, (_, nth) => scoredPrompt(`Prove the theorem ${nth}.`, [0, 0, 1])),
    ...Array.from({ length: 20 }, (_, nth) => scoredPrompt(`What is a cat, ${nth}?`, [1, 1, 1])),
  ]
  const graded = [1, 5].flatMap((grade) =>
    Array.from({ length: 20 }, (_, nth) => ({
      ...difficultyFeatures(
        `${grade === 5 ? 'Design a scheduler' : 'hi'} ${nth}`,
        shippedWeights().topics,
      ),
      difficulty: grade === 5 ? 1 : -3.2,
    })),
  )
  const head = trainDifficulty({ scored, graded })
  const read = (lastUser: string) =>
    readPrompt({ lastUser, system: '' }, { ...shippedWeights(), difficulty: head }).difficulty

  expect(read('Prove the theorem of Gauss.')).toBeGreaterThan(read('What is a dog?') + 1)
  expect(read('Design a scheduler for us')).toBeGreaterThan(read('hi you') + 0.5)
  expect(trainDifficulty({ scored, graded })).toEqual(head)
})

function treeRow(value: number, difficulty: number): TreeRow {
  return {
    values: Float64Array.of(value),
    weight: 1,
    slopeAt: (read) => ({ slope: 2 * (read - difficulty), curvature: 2 }),
  }
}

test('the trees learn a middle that is harder than both ends, and the same rows give the same trees', () => {
  const rows = Array.from({ length: 400 }, (_, nth) => treeRow(nth % 4, nth % 4 === 2 ? 1 : -3))
  const trees = trainTrees(rows, 0)
  const read = [0, 1, 2, 3].map((value) => readTrees(trees, Float64Array.of(value)))

  for (const [value, difficulty] of [-3, -3, 1, -3].entries()) {
    expect(read[value]).toBeCloseTo(difficulty, 0)
  }
  expect(trainTrees(rows, 0)).toEqual(trees)
})

test('the trees learn nothing from prompts of which there are few', () => {
  const rows = Array.from({ length: 100 }, (_, nth) => (nth < 30 ? treeRow(1, 2) : treeRow(0, -2)))
  const trees = trainTrees(rows, 0)

  expect(readTrees(trees, Float64Array.of(1))).toBe(readTrees(trees, Float64Array.of(0)))
})

test('the shipped weights were trained on the present seeds and graded prompts', () => {
  const hashOf = (prompts: unknown) =>
    createHash('sha256').update(JSON.stringify(prompts)).digest('hex')
  const hashes = weightsFile.provenance.sources.map(({ hash }) => hash)

  expect(hashes).toContain(hashOf(seeds))
  expect(hashes).toContain(hashOf(gradedPrompts))
})

test('ranks agree, disagree, and share ties', () => {
  const orders = (other: number[]) => rankCorrelation(other.map((value, at) => [at, value]))
  expect(orders([1, 2, 30])).toBeCloseTo(1)
  expect(orders([9, 5, 1])).toBeCloseTo(-1)
  expect(orders([1, 1, 2, 2])).toBeCloseTo(2 / Math.sqrt(5))
})

test('a calibrated forecast has no error, and a sure one that is wrong half the time one half', () => {
  const half = [
    { expected: 0.55, score: 0.1 },
    { expected: 0.55, score: 1 },
  ]
  expect(calibrationError(half)).toBeCloseTo(0)
  expect(
    calibrationError([
      { expected: 1, score: 1 },
      { expected: 1, score: 0 },
    ]),
  ).toBeCloseTo(0.5)
  expect(
    brierOf([
      { expected: 0.5, score: 1 },
      { expected: 1, score: 1 },
    ]),
  ).toBeCloseTo(0.125)
})
