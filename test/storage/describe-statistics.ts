import { expect, test } from 'vitest'
import { topicNames } from '../../src/shared/topics.ts'
import type { Storage, StoredStatistics } from '../../src/service/storage/storage.ts'

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
    lengths: {
      lnTokens: topicNames.map((_, index) => index / 3),
      answers: topicNames.map(() => 1),
    },
    ...over,
  }
}

export function describeStatistics(storage: () => Storage): void {
  const learnt = sampleStatistics()
  const bare = sampleStatistics({ modelId: 'p:a', latencies: {}, prompts: null, lengths: null })

  test('are stored without rounding', async () => {
    await storage().statistics.save([learnt, bare])
    expect(await storage().statistics.read()).toEqual([learnt, bare])
  })

  test('replace those of the same model, and no others', async () => {
    await storage().statistics.save([learnt, bare])
    const later = sampleStatistics({ latencies: { stream: { ...latency, atMs: 2 } } })
    await storage().statistics.save([later])
    expect(await storage().statistics.read()).toEqual([later, bare])
  })

  test('are empty at first', async () => {
    expect(await storage().statistics.read()).toEqual([])
  })
}
