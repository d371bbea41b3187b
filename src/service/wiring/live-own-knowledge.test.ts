import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { topicNames } from '../../shared/routers/topics.ts'
import type { StoredJudgedPrompt } from '../storage/judged-prompt-store.ts'
import type { QualityPrior } from '../routing/candidate.ts'
import { fitOf } from '../routing/own-knowledge.ts'
import { openLiveOwnKnowledge } from './live-own-knowledge.ts'

const weekMs = 7 * 86_400_000
const law = topicNames.indexOf('law')
const rated = (points: number): QualityPrior => ({
  points,
  strength: 25,
  offsets: null,
  basis: 'rated',
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function prompts(count: number, grade: number): StoredJudgedPrompt[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${at}`,
    routerId: 'r1',
    atMs: Date.now(),
    topics: topicNames.map((__, topic) => (topic === law ? 1 : 0)),
    difficulty: 0,
    confidence: 0,
    form: [],
    kind: null,
    errorRate: 0,
    answers: [
      { modelId: 'p:a', startLogit: 0, grade },
      { modelId: 'p:b', startLogit: 0, grade: 1 - grade },
    ],
  }))
}

/** A store whose rows and version the test sets. */
async function open() {
  const stored = { version: 1, rows: prompts(100, 1), points: 1300 }
  const errors: unknown[] = []
  const store = {
    version: () => Promise.resolve(stored.version),
    list: () => Promise.resolve(stored.rows),
  }
  const own = await openLiveOwnKnowledge({
    store,
    priorsNow: () => new Map([['p:a', rated(stored.points)]]),
    now: Date.now,
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => own.close())
  const constant = () => fitOf(own.current(), 'p:a')?.coefficients[0] ?? 0
  return { own, stored, store, errors, constant }
}

test('learns from the stored rows at the start', async () => {
  const { constant } = await open()

  expect(constant()).toBeGreaterThan(0.2)
})

test('learns again within a second after rows change', async () => {
  const { stored, constant } = await open()

  stored.rows = prompts(100, 0)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(constant()).toBeGreaterThan(0.2)
  stored.version = 2
  await vi.advanceTimersByTimeAsync(1_000)
  expect(constant()).toBeLessThan(-0.2)
})

test('compares with new ratings once they have changed', async () => {
  const { own, stored, constant } = await open()
  const before = constant()

  stored.points = 1700
  own.ratingsChanged()
  await vi.advanceTimersByTimeAsync(1_000)

  expect(constant()).toBeLessThan(before / 2)
})

test('counts rows less as they age', async () => {
  const { constant } = await open()
  const before = constant()

  vi.setSystemTime(Date.now() + 100 * weekMs)
  await vi.advanceTimersByTimeAsync(1_000)

  expect(constant()).toBeLessThan(before / 2)
  expect(constant()).toBeGreaterThan(0)
})

test('keeps what it learnt while the store cannot be read', async () => {
  const { store, errors, constant } = await open()
  const before = constant()

  store.version = () => Promise.reject(new Error('planted'))
  await vi.advanceTimersByTimeAsync(2_000)

  expect(errors).toHaveLength(2)
  expect(constant()).toBe(before)
})
