import { expect, test } from 'vitest'
import { topicNames } from '../../src/shared/routers/topics.ts'
import type { ModelFigures, RouterFigures } from '../../src/service/storage/model-statistics.ts'
import type { Learned, Storage, Stored } from '../../src/service/storage/storage.ts'

const times = { lnFirstToken: 0.214_608_098_422_191, lnPerToken: 2.5, share: 0.85 }
const latency = {
  atMs: 1_763_683_200_123.5,
  fast: times,
  greatestShare: 0.9,
  slow: times,
  deviation: 0.3,
  answers: 7,
}

function sampleStatistics(over: Partial<ModelFigures> = {}): Stored<ModelFigures> {
  const figures = {
    latencies: { stream: latency, whole_cold: { ...latency, answers: 1 } },
    prompts: { weight: 2, tokens: 1_000, firstTokenMs: 900, squaredTokens: 1e6, tokensByMs: 9e5 },
    verbosity: { lnSum: 1 / 3, answers: 1 },
    ...over,
  }
  return { id: 'openai:gpt-5', figures }
}

function routerAfter(answers: number): Stored<RouterFigures> {
  const topics = {
    lnLonger: topicNames.map((_, index) => index / 3),
    answers: topicNames.map(() => answers),
  }
  return { id: 'router_a', figures: { answers, lnLonger: 0.5, topics, looks: 1 } }
}

function from<Figures>(learned: Stored<Figures>, base?: Stored<Figures>): Learned<Figures> {
  return { ...learned, base: base?.figures ?? null }
}

export function describeStatistics(storage: () => Storage): void {
  const learnt = sampleStatistics()
  const none = { latencies: {}, prompts: null, verbosity: null }
  const bare = { ...sampleStatistics(none), id: 'p:a' }

  test('are stored without rounding', async () => {
    const { modelStatistics, routerStatistics } = storage()
    expect(await modelStatistics.save([from(learnt), from(bare)])).toEqual([learnt, bare])
    expect(await modelStatistics.read()).toEqual([learnt, bare])
    await routerStatistics.save([from(routerAfter(3))])
    expect(await routerStatistics.read()).toEqual([routerAfter(3)])
  })

  test('replace those they were learned from, and no others', async () => {
    const { modelStatistics } = storage()
    await modelStatistics.save([from(learnt), from(bare)])
    const later = sampleStatistics({ latencies: { stream: { ...latency, atMs: 2 } } })
    await modelStatistics.save([from(later, learnt)])
    expect(await modelStatistics.read()).toEqual([later, bare])
  })

  test('of two writers are merged: 20 writers at once lose no answer', async () => {
    const { modelStatistics, routerStatistics } = storage()
    await modelStatistics.save([from(learnt)])
    await routerStatistics.save([from(routerAfter(1))])
    const one = sampleStatistics({ verbosity: { lnSum: 1, answers: 2 } })
    const save = () =>
      Promise.all([
        modelStatistics.save([from(one, learnt)]),
        routerStatistics.save([from(routerAfter(2), routerAfter(1))]),
      ])
    await Promise.all(Array.from({ length: 20 }, save))
    const [[model], [router]] = await Promise.all([modelStatistics.read(), routerStatistics.read()])
    expect(model?.figures.verbosity?.answers).toBe(21)
    expect(router?.figures).toMatchObject({ answers: 21, looks: 1 })
    expect(router?.figures.topics.answers).toEqual(topicNames.map(() => 21))
  })

  test('are empty at first', async () => {
    expect(await storage().modelStatistics.read()).toEqual([])
    expect(await storage().routerStatistics.read()).toEqual([])
  })
}
