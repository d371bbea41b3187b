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

async function createRun(
  { tuningRuns }: Storage,
  { id, prompts }: { id: string; prompts: readonly number[] },
): Promise<void> {
  const run = { id, routerId: 'r1', createdAtMs: 1, setup: '{}', capNanoUsd: 100 }
  const stored = prompts.map((digit, position) => ({
    position,
    text: '{}',
    reading: JSON.stringify({ id: idOf(digit) }),
  }))
  await tuningRuns.create(
    { ...run, prompts: stored },
    { holder: 'process-1', nowMs: 1, expiresAtMs: 1 },
  )
}

export function describeJudgedPrompts(storage: () => Storage): void {
  test('are listed as they were added, oldest first, those of all routers', async () => {
    const { judgedPrompts } = storage()
    await judgedPrompts.add('r1', [judged(2), judged(1, { kind: null })])
    await judgedPrompts.add('r2', [judged(3)])
    expect(await judgedPrompts.list()).toEqual([
      { ...judged(1, { kind: null }), routerId: 'r1', appliesTo: 'all' },
      { ...judged(2), routerId: 'r1', appliesTo: 'all' },
      { ...judged(3), routerId: 'r2', appliesTo: 'all' },
    ])
  })

  test('replace the prompt with the same id', async () => {
    const { judgedPrompts } = storage()
    await judgedPrompts.add('r1', [judged(1)])
    const graded = judged(1, { answers: [answer('p:c', { grade: 0.5 })] })
    await judgedPrompts.add('r1', [graded])
    expect(await judgedPrompts.list()).toEqual([{ ...graded, routerId: 'r1', appliesTo: 'all' }])
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

  test('apply to the routers that were chosen for their run, now and when it is resumed', async () => {
    const { judgedPrompts, tuningRuns } = storage()
    await createRun(storage(), { id: 'run-1', prompts: [1, 2] })
    await judgedPrompts.add('r1', [judged(1), judged(3)])
    const choices = async () => {
      const listed = await judgedPrompts.list()
      return listed.map(({ appliesTo }) => appliesTo)
    }
    await judgedPrompts.apply('run-1', 'router')
    expect(await choices()).toEqual(['router', 'all'])
    await judgedPrompts.apply('run-1', 'none')
    await judgedPrompts.add('r1', [judged(1, { kind: null }), judged(2)])
    expect(await choices()).toEqual(['none', 'none', 'all'])
    expect(await judgedPrompts.applied()).toEqual(new Map([['run-1', 'none']]))
    await judgedPrompts.apply('run-1', 'all')
    expect(await choices()).toEqual(['all', 'all', 'all'])

    await judgedPrompts.apply('run-1', 'none')
    await tuningRuns.remove('run-1')
    expect(await judgedPrompts.applied()).toEqual(new Map())
  })

  test('of shadow samples apply to the routers that were chosen for their router, later ones too', async () => {
    const { judgedPrompts, shadowSamples } = storage()
    const add = async (digit: number, routerId: string) => {
      const sample = { id: idOf(digit), routerId, atMs: digit, judge: 'p:j' }
      const stored = { ...sample, reading: '{}', outcome: '{"repeated":[]}' }
      await shadowSamples.add(stored, judged(digit), 10)
    }
    await add(1, 'r1')
    await judgedPrompts.apply('shadow-r1', 'router')
    await add(2, 'r1')
    await add(3, 'r2')
    const listed = await judgedPrompts.list()
    expect(listed.map(({ appliesTo }) => appliesTo)).toEqual(['router', 'router', 'all'])
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
    await judgedPrompts.apply('run-1', 'none')
    versions.push(await judgedPrompts.version())
    expect(new Set(versions).size).toBe(5)
    await judgedPrompts.remove([idOf(1)])
    await judgedPrompts.forgetModel('nobody')
    await judgedPrompts.add('r1', [])
    expect(await judgedPrompts.version()).toBe(versions.at(-1))
  })
}
