import { expect, test } from 'vitest'
import { topicNames } from '../../src/shared/routers/topics.ts'
import type { JudgedAnswer, JudgedPrompt } from '../../src/shared/tuning/tuning.ts'
import type { Storage } from '../../src/service/storage/storage.ts'

const idOf = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`

function answer(modelId: string, over: Partial<JudgedAnswer> = {}): JudgedAnswer {
  return { modelId, startLogit: 0.5, grade: 1, ...over }
}

function judged(digit: number, over: Partial<JudgedPrompt> = {}): JudgedPrompt {
  return {
    id: idOf(digit),
    atMs: 1_000 * digit,
    topics: topicNames.map((_, place) => (place === 3 ? 0.75 : 0.25 / (topicNames.length - 1))),
    difficulty: -0.7,
    confidence: 0.8,
    form: [1.5, 0, -2],
    kind: 'law',
    errorRate: 0.1,
    answers: [answer('p:a'), answer('p:b', { grade: null })],
    ...over,
  }
}

export function describeJudgedPrompts(storage: () => Storage): void {
  test('are listed as they were added, oldest first, those of all routers', async () => {
    const { judgedPrompts } = storage()
    await judgedPrompts.add('r1', [judged(2), judged(1, { kind: null })])
    await judgedPrompts.add('r2', [judged(3)])
    expect(await judgedPrompts.list()).toEqual([
      { ...judged(1, { kind: null }), routerId: 'r1' },
      { ...judged(2), routerId: 'r1' },
      { ...judged(3), routerId: 'r2' },
    ])
  })

  test('replace the prompt with the same id', async () => {
    const { judgedPrompts } = storage()
    await judgedPrompts.add('r1', [judged(1)])
    const graded = judged(1, { answers: [answer('p:c', { grade: 0.5 })] })
    await judgedPrompts.add('r1', [graded])
    expect(await judgedPrompts.list()).toEqual([{ ...graded, routerId: 'r1' }])
  })

  test('lose a model’s answers when it is forgotten, and the prompts that only it answered', async () => {
    const { judgedPrompts } = storage()
    await judgedPrompts.add('r1', [judged(1), judged(2, { answers: [answer('p:a')] })])
    expect(await judgedPrompts.forgetModel('p:a')).toBe(true)
    const [left, ...others] = await judgedPrompts.list()
    expect(left?.answers.map(({ modelId }) => modelId)).toEqual(['p:b'])
    expect(others).toEqual([])
    expect(await judgedPrompts.forgetModel('p:a')).toBe(false)
  })

  test('are deleted by their ids, and the others stay', async () => {
    const { judgedPrompts } = storage()
    await judgedPrompts.add('r1', [judged(1), judged(2)])
    const [first, second] = await judgedPrompts.list()
    await judgedPrompts.remove([first?.id ?? '', 'unknown'])
    expect(await judgedPrompts.list()).toEqual([second])
  })

  test('have another version after each change, and only then', async () => {
    const { judgedPrompts } = storage()
    const versions = [await judgedPrompts.version()]
    await judgedPrompts.add('r1', [judged(1), judged(2)])
    versions.push(await judgedPrompts.version())
    await judgedPrompts.forgetModel('p:a')
    versions.push(await judgedPrompts.version())
    await judgedPrompts.remove([idOf(1)])
    versions.push(await judgedPrompts.version())
    expect(new Set(versions).size).toBe(4)
    await judgedPrompts.remove([idOf(1)])
    await judgedPrompts.forgetModel('nobody')
    await judgedPrompts.add('r1', [])
    expect(await judgedPrompts.version()).toBe(versions.at(-1))
  })
}
