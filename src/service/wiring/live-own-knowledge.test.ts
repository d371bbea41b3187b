import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { topicNames } from '../../shared/routers/topics.ts'
import type { StoredJudgedPrompt } from '../storage/judged-prompt-store.ts'
import type { ChangeListener } from '../storage/storage.ts'
import type { QualityPrior } from '../routing/candidate.ts'
import { denseFeatureNames } from '../routing/prompt/dense-feature-names.ts'
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

function prompts(
  count: number,
  grade: number,
  over: Partial<StoredJudgedPrompt> = {},
): StoredJudgedPrompt[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${at}`,
    routerId: 'r1',
    appliesTo: 'all',
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
    ...over,
  }))
}

/** A store whose rows and version the test sets. */
async function open(now = Date.now) {
  const stored = { version: 1, rows: prompts(100, 1), points: 1300 }
  const errors: unknown[] = []
  let tell: ChangeListener = () => undefined
  const store = {
    version: () => Promise.resolve(stored.version),
    list: () => Promise.resolve(stored.rows),
  }
  const own = await openLiveOwnKnowledge({
    store,
    onChange: (listener) => {
      tell = listener
      return () => undefined
    },
    priorsNow: () => new Map([['p:a', rated(stored.points)]]),
    now,
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => own.close())
  const constant = (routerId = 'r1') => fitOf(own.of(routerId), 'p:a')?.coefficients[0] ?? 0
  const change = () => tell('another process')
  return { own, stored, store, errors, constant, change }
}

test('learns from the stored rows at the start', async () => {
  const { constant } = await open()

  expect(constant()).toBeGreaterThan(0.2)
})

test('learns again within a second after rows change', async () => {
  const { stored, constant, change } = await open()

  stored.rows = prompts(100, 0)
  change()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(constant()).toBeGreaterThan(0.2)
  stored.version = 2
  change()
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

test('counts rows less as they age, within a minute', async () => {
  const { constant } = await open()
  const before = constant()

  vi.setSystemTime(Date.now() + 100 * weekMs)
  await vi.advanceTimersByTimeAsync(61_000)

  expect(constant()).toBeLessThan(before / 2)
  expect(constant()).toBeGreaterThan(0)
})

test('keeps what it learnt while the store cannot be read', async () => {
  const { store, errors, constant, change } = await open()
  const before = constant()

  store.version = () => Promise.reject(new Error('planted'))
  change()
  await vi.advanceTimersByTimeAsync(2_000)

  expect(errors).toHaveLength(2)
  expect(constant()).toBe(before)
})

test('a router learns alone from prompts that apply to it alone, and the others do not', async () => {
  // At one moment, so that prompts have the same age each time.
  const startMs = Date.now()
  const { own, stored, constant, change } = await open(() => startMs)
  const shared = own.of('r1')
  const add = async (over: Partial<StoredJudgedPrompt>) => {
    stored.rows = [...prompts(100, 1), ...prompts(400, 0, over)]
    stored.version += 1
    change()
    await vi.advanceTimersByTimeAsync(1_000)
  }

  await add({ appliesTo: 'router' })
  // The fits of single routers follow in iterations of their own.
  await vi.waitFor(() => expect(constant('r1')).toBeLessThan(0), 60_000)
  expect(own.of('r2')).toEqual(shared)

  await add({ appliesTo: 'all' })
  expect(constant('r2')).toBeLessThan(0)
  expect(own.of('r1')).toBe(own.of('r2'))

  await add({ appliesTo: 'none' })
  expect(own.of('r1')).toEqual(shared)
  expect(own.of('r2')).toEqual(shared)
  expect(own.prompts()).toHaveLength(500)
})

test('a router has its own kinds of prompts from prompts that apply to it alone', async () => {
  const { own, stored, change } = await open()
  const form = denseFeatureNames.map(() => 0)
  stored.rows = prompts(100, 1, { kind: 'law', form, appliesTo: 'router' })
  stored.version += 1
  change()
  await vi.advanceTimersByTimeAsync(1_000)
  await vi.waitFor(() => expect(own.of('r1').kinds).not.toBeNull(), 60_000)
  expect(own.of('r2').kinds).toBeNull()
})
