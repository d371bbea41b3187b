import { expect, test } from 'vitest'
import { topicNames } from '../../src/shared/routers/topics.ts'
import type { FeedbackLabel } from '../../src/service/storage/feedback-store.ts'
import type { Storage } from '../../src/service/storage/storage.ts'

const nowMs = Date.UTC(2026, 10, 21)
const weekMs = 7 * 86_400_000
const surely = (index: number) => topicNames.map((_, place) => Number(place === index))
/** These tests need only the first two kinds of prompts. */
const half = topicNames.map((_, place) => (place < 2 ? 0.5 : 0))

function label(over: Partial<FeedbackLabel> = {}): FeedbackLabel {
  return {
    requestId: 'r1',
    modelId: 'p:a',
    atMs: nowMs,
    label: 1,
    weight: 1,
    shares: surely(0),
    difficulty: -1,
    ...over,
  }
}

export function describeFeedback(storage: () => Storage): void {
  const give = (requestId: string, ...labels: Partial<FeedbackLabel>[]) =>
    storage().feedback.give(
      { requestId, aspect: 'thumb' },
      labels.map((one) => label({ requestId, ...one })),
    )
  /** Counts of the first two kinds, rounded to the precision of sums of doubles. */
  const counts = async (modelId = 'p:a', atMs = nowMs) => {
    const all = await storage().feedback.counts(atMs)
    const found = all.find((one) => one.modelId === modelId)
    const firstTwo = (values: number[]) => values.slice(0, 2).map((one) => Number(one.toFixed(9)))
    return found ? { good: firstTwo(found.good), bad: firstTwo(found.bad) } : null
  }
  const difficulties = async () => {
    const [found] = await storage().feedback.counts(nowMs)
    return found?.difficulty.slice(0, 2).map((one) => Number(one.toFixed(9)))
  }

  test('is summed by model and topic, weighted by how good each answer was', async () => {
    await give('r1', {})
    await give('r2', { label: 0 })
    await give('r3', { label: 0.75, weight: 0.4, shares: half })
    await give('r4', { modelId: 'p:b' })
    expect(await counts()).toEqual({ good: [1.15, 0.15], bad: [1.05, 0.05] })
    expect(await counts('p:b')).toEqual({ good: [1, 0], bad: [0, 0] })
  })

  test('adds up the difficulties of its prompts, and takes them back', async () => {
    await give('r1', { difficulty: 2 })
    await give('r2', { difficulty: -3, label: 0, weight: 0.5, shares: half })
    expect(await difficulties()).toEqual([1.25, -0.75])
    await storage().feedback.withdraw({ requestId: 'r1', aspect: 'thumb' })
    expect(await difficulties()).toEqual([-0.75, -0.75])
  })

  test('replaces earlier feedback of the same aspect', async () => {
    await give('r1', {})
    await give('r1', { label: 0 })
    expect(await counts()).toEqual({ good: [0, 0], bad: [1, 0] })
    await storage().feedback.give({ requestId: 'r1', aspect: 'copied' }, [label()])
    expect(await counts()).toEqual({ good: [1, 0], bad: [1, 0] })
  })

  test('is withdrawn completely, however late', async () => {
    await give('r1', { atMs: nowMs - 40 * weekMs }, { requestId: 'r0', modelId: 'p:b', label: 0 })
    await give('r2', { modelId: 'p:b' })
    const place = { requestId: 'r1', aspect: 'thumb' }
    expect(await storage().feedback.withdraw(place)).toBe(true)
    expect(await counts()).toBeNull()
    expect(await counts('p:b')).toEqual({ good: [1, 0], bad: [0, 0] })
    expect(await storage().feedback.withdraw(place)).toBe(false)
  })

  test('is returned for the given requests, for one aspect', async () => {
    await give('r1', {})
    await give('r2', { label: 0 }, { requestId: 'r0', label: 1 })
    await give('r3', {})
    await storage().feedback.give({ requestId: 'r4', aspect: 'copied' }, [label()])
    const given = await storage().feedback.given('thumb', ['r0', 'r1', 'r2', 'r4', 'gone'])
    expect(given).toEqual([
      { requestId: 'r1', label: 1 },
      { requestId: 'r2', label: 0 },
    ])
  })

  test('fades by 2 % a week', async () => {
    await give('r1', {})
    await give('r2', { atMs: nowMs - 10 * weekMs })
    const sum = Number((1 + 0.98 ** 10).toFixed(9))
    expect((await counts())?.good[0]).toBeCloseTo(sum, 8)
    expect((await counts('p:a', nowMs + weekMs))?.good[0]).toBeCloseTo(sum * 0.98, 8)
  })

  test('is deleted for one model at once, and withdrawing it later changes nothing', async () => {
    await give('r1', {})
    await give('r2', { modelId: 'p:b' })
    expect(await storage().feedback.forget('p:a')).toBe(true)
    expect(await storage().feedback.forget('p:a')).toBe(false)
    expect(await storage().feedback.withdraw({ requestId: 'r1', aspect: 'thumb' })).toBe(false)
    expect(await counts()).toBeNull()
    expect(await counts('p:b')).not.toBeNull()
  })

  const signals = (good: number, bad: number, modelId = 'p:a') => ({
    modelId,
    good: surely(0).map((share) => share * good),
    bad: surely(1).map((share) => share * bad),
    difficulty: surely(0).map((share) => share * -good),
  })

  test('includes signals, which fade and are deleted with it', async () => {
    await give('r1', {})
    await storage().feedback.addSignals([signals(0.5, 1), signals(0, 0.3, 'p:b')], nowMs)
    await storage().feedback.addSignals([signals(0.25, 0)], nowMs)
    expect(await counts()).toEqual({ good: [1.75, 0], bad: [0, 1] })
    expect(await difficulties()).toEqual([-1.75, 0])
    expect(await counts('p:b', nowMs + weekMs)).toEqual({ good: [0, 0], bad: [0, 0.294] })
    expect(await storage().feedback.forget('p:b')).toBe(true)
    expect(await counts('p:b')).toBeNull()
    expect(await storage().feedback.forget('p:a')).toBe(true)
    expect(await counts()).toBeNull()
  })

  test('counts all signals of a model as at most five answers, beside its other feedback', async () => {
    await storage().feedback.addSignals([signals(60, 20)], nowMs)
    expect(await counts()).toEqual({ good: [3.75, 0], bad: [0, 1.25] })
    await give('r1', {})
    expect(await counts()).toEqual({ good: [4.75, 0], bad: [0, 1.25] })
    const yearMs = 52 * weekMs
    expect(await counts('p:a', nowMs + yearMs)).toMatchObject({ bad: [0, 1.25] })
  })

  test('is withdrawn without the signals', async () => {
    await give('r1', {})
    await storage().feedback.addSignals([signals(0, 0.3)], nowMs)
    await storage().feedback.withdraw({ requestId: 'r1', aspect: 'thumb' })
    expect(await counts()).toEqual({ good: [0, 0], bad: [0, 0.3] })
  })

  test('has another version after each change, and only then', async () => {
    const { feedback } = storage()
    const versions = [await feedback.version()]
    await give('r1', {})
    versions.push(await feedback.version())
    await feedback.withdraw({ requestId: 'r1', aspect: 'thumb' })
    versions.push(await feedback.version())
    await give('r1', {})
    await feedback.forget('p:a')
    versions.push(await feedback.version())
    await feedback.addSignals([signals(0, 0.3)], nowMs)
    versions.push(await feedback.version())
    expect(new Set(versions).size).toBe(5)
    await feedback.addSignals([], nowMs)
    await feedback.withdraw({ requestId: 'nobody', aspect: 'thumb' })
    await feedback.forget('nobody')
    expect(await feedback.version()).toBe(versions.at(-1))
  })
}
