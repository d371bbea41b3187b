import { expect, test } from 'vitest'
import { topicNames } from '../../src/shared/routers/topics.ts'
import type { JudgedPrompt } from '../../src/shared/tuning/tuning.ts'
import type { StoredShadowSample } from '../../src/service/storage/shadow-sample-store.ts'
import type { Storage } from '../../src/service/storage/storage.ts'

const account = { routerId: 'r', day: '2026-11-22' }

function idOf(digit: number): string {
  return `00000000-0000-4000-8000-00000000000${digit}`
}

function sample(digit: number, given: Partial<StoredShadowSample> = {}): StoredShadowSample {
  const id = idOf(digit)
  const outcome = '{"repeated":[]}'
  return { id, routerId: 'r', atMs: digit, judge: 'p:j', reading: '{}', outcome, ...given }
}

function judged(digit: number): JudgedPrompt {
  return {
    id: idOf(digit),
    atMs: digit,
    topics: topicNames.map(() => 1 / topicNames.length),
    difficulty: 0,
    confidence: 1,
    form: [],
    kind: null,
    errorRate: 0.1,
    answers: [{ modelId: 'p:a', startLogit: 0, grade: 1 }],
  }
}

export function describeShadowSamples(storage: () => Storage): void {
  test('reserve up to the cap of a day, to the nano-dollar', async () => {
    const { shadowSamples } = storage()
    const reserve = (nanoUsd: number, day = account.day) =>
      shadowSamples.reserve({ ...account, day, nanoUsd, capNanoUsd: 100 })
    expect(await reserve(101)).toBe(false)
    expect(await reserve(60)).toBe(true)
    expect(await reserve(41)).toBe(false)
    expect(await reserve(100, '2026-11-23')).toBe(true)
    expect(await reserve(40)).toBe(true)
    await shadowSamples.settle({ ...account, reservedNanoUsd: 40, costNanoUsd: 3 })
    expect(await shadowSamples.spent(account)).toBe(63)
    expect(await reserve(38)).toBe(false)
    expect(await reserve(37)).toBe(true)
  })

  test('are stored with their judged prompts, and the oldest ones are deleted with theirs', async () => {
    const { shadowSamples, judgedPrompts } = storage()
    await judgedPrompts.add('r', [judged(9)])
    for (const digit of [1, 2, 3]) await shadowSamples.add(sample(digit), judged(digit), 2)
    const stored = await shadowSamples.ofRouter('r')
    expect(stored).toEqual([sample(2), sample(3)])
    const ids = (await judgedPrompts.list()).map(({ id }) => id)
    expect(ids).toEqual([idOf(2), idOf(3), idOf(9)])
  })

  test('are summed up by router', async () => {
    const { shadowSamples } = storage()
    await shadowSamples.reserve({ ...account, nanoUsd: 5, capNanoUsd: 10 })
    await shadowSamples.countUngraded({ ...account, reason: 'dropped', samples: 2 })
    await shadowSamples.countUngraded({
      ...account,
      day: '2026-11-21',
      reason: 'dropped',
      samples: 1,
    })
    await shadowSamples.countUngraded({
      routerId: 'other',
      day: account.day,
      reason: 'failed',
      samples: 1,
    })
    await shadowSamples.add(sample(1), judged(1), 10)
    await shadowSamples.add(sample(2), judged(2), 10)
    const none = { failed: 0, dropped: 0, overCap: 0 }
    expect(await shadowSamples.summaries(account.day)).toEqual([
      {
        ...none,
        routerId: 'other',
        graded: 0,
        firstAtMs: null,
        lastAtMs: null,
        failed: 1,
        spentNanoUsd: 0,
      },
      { ...none, routerId: 'r', graded: 2, firstAtMs: 1, lastAtMs: 2, dropped: 3, spentNanoUsd: 5 },
    ])
  })

  test('are forgotten with what routing learned, and their costs stay', async () => {
    const { shadowSamples, judgedPrompts } = storage()
    await shadowSamples.reserve({ ...account, nanoUsd: 5, capNanoUsd: 10 })
    await shadowSamples.add(sample(1), judged(1), 10)
    await shadowSamples.add(sample(2, { routerId: 'other' }), judged(2), 10)
    await shadowSamples.forget('r')
    expect(await shadowSamples.ofRouter('r')).toEqual([])
    expect((await judgedPrompts.list()).map(({ id }) => id)).toEqual([idOf(2)])
    expect(await shadowSamples.spent(account)).toBe(5)
  })

  test('remember the grades that a judge gave twice', async () => {
    const { shadowSamples } = storage()
    await shadowSamples.add(sample(1, { outcome: '{"repeated":[[1,0.5],[0,0]]}' }), judged(1), 10)
    await shadowSamples.add(sample(2), judged(2), 10)
    const other = { judge: 'p:other', outcome: '{"repeated":[[1,1]]}' }
    await shadowSamples.add(sample(3, other), judged(3), 10)
    expect(await shadowSamples.repeated('r', 'p:j')).toEqual([
      [1, 0.5],
      [0, 0],
    ])
  })
}
