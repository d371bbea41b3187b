/** Model statistics of a service on its own, and an answer that they learn from. */
import {
  ModelStatistics,
  type AnswerSample,
  type KnowledgeQuery,
} from '../src/service/chat/learning/model-statistics.ts'
import { ModelServers } from '../src/service/providers/model-servers.ts'
import { candidate } from './routing/sample-candidates.ts'

/** Streams of the router that `sampleAnswer` is of. */
export const streams: KnowledgeQuery = { routerId: 'r', isStreamed: true }

export const publishedModel = candidate({ speed: { firstTokenMs: 500, msPerToken: 10 } })

/** A sample as fast as its model's published figures, unless the test sets other times. */
export function sampleAnswer(given: Partial<AnswerSample> = {}): AnswerSample {
  const { firstTokenMs = 500, writtenTokens = 101 } = given
  return {
    candidate: publishedModel,
    routerId: streams.routerId,
    isStreamed: true,
    isCold: false,
    firstTokenMs,
    totalMs: firstTokenMs + 1_000,
    uncachedTokens: 100,
    writtenTokens,
    outputTokens: writtenTokens,
    timings: null,
    isCutOff: false,
    teachesLength: true,
    reading: null,
    ...given,
  }
}

export function openStatistics(now: () => number): ModelStatistics {
  return new ModelStatistics({
    stored: { models: [], routers: [] },
    pendingOf: () => 0,
    ownOf: () => null,
    feedbackOf: () => null,
    loadOf: () => null,
    isCold: () => false,
    servers: new ModelServers({ keepsLoadedMs: () => 300_000, now }),
    now,
  })
}
