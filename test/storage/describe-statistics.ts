import { expect, test } from 'vitest'
import { topicNames } from '../../src/shared/topics.ts'
import type { ModelFigures } from '../../src/service/storage/model-statistics.ts'
import type {
  LearnedStatistics,
  Storage,
  StoredStatistics,
} from '../../src/service/storage/storage.ts'

const latency = {
  atMs: 1_763_683_200_123.5,
  lnFirstTokenMs: 6.214_608_098_422_191,
  lnMsPerToken: 2.5,
  deviation: 0.3,
  share: 0.85,
}

function sampleStatistics(over: Partial<StoredStatistics> = {}): StoredStatistics {
  return {
    modelId: 'openai:gpt-5',
    latencies: { stream: latency, whole_cold: { ...latency, share: 1 } },
    prompts: { weight: 2, tokens: 1_000, firstTokenMs: 900, squaredTokens: 1e6, tokensByMs: 9e5 },
    lengths: lengthsAfter(1),
    ...over,
  }
}

function lengthsAfter(answers: number): StoredStatistics['lengths'] {
  return {
    lnTokens: topicNames.map((_, index) => index / 3),
    answers: topicNames.map(() => answers),
  }
}

function figuresOf({ modelId: _id, ...figures }: StoredStatistics): ModelFigures {
  return figures
}

function from(learned: StoredStatistics, base: StoredStatistics | null = null): LearnedStatistics {
  return {
    modelId: learned.modelId,
    figures: figuresOf(learned),
    base: base && figuresOf(base),
  }
}

export function describeStatistics(storage: () => Storage): void {
  const learnt = sampleStatistics()
  const bare = sampleStatistics({ modelId: 'p:a', latencies: {}, prompts: null, lengths: null })

  test('are stored without rounding', async () => {
    const { statistics } = storage()
    expect(await statistics.save([from(learnt), from(bare)])).toEqual([learnt, bare])
    expect(await statistics.read()).toEqual([learnt, bare])
  })

  test('replace those they were learned from, and no others', async () => {
    const { statistics } = storage()
    await statistics.save([from(learnt), from(bare)])
    const later = sampleStatistics({ latencies: { stream: { ...latency, atMs: 2 } } })
    await statistics.save([from(later, learnt)])
    expect(await statistics.read()).toEqual([later, bare])
  })

  test('of two writers are merged: 20 writers at once lose no answer', async () => {
    const { statistics } = storage()
    await statistics.save([from(learnt)])
    const one = sampleStatistics({ lengths: lengthsAfter(2) })
    await Promise.all(Array.from({ length: 20 }, () => statistics.save([from(one, learnt)])))
    const [stored] = await statistics.read()
    expect(stored?.lengths?.answers).toEqual(topicNames.map(() => 21))
  })

  test('are empty at first', async () => {
    expect(await storage().statistics.read()).toEqual([])
  })
}
