/** What the product learns from some prompts of a pool, and how it then decides on others. */
import { logitOfPoints, sigmoid, unreadDifficulty } from '../../src/shared/models/quality-scale.ts'
import type { RankParameters } from '../../src/shared/requests/detail.ts'
import { topicNames } from '../../src/shared/routers/topics.ts'
import type {
  FeedbackCounts,
  ModelKnowledge,
  PromptReading,
  RoutingContext,
} from '../../src/service/routing/candidate.ts'
import { lnP90Prior } from '../../src/service/routing/expected-output.ts'
import { estimate } from '../../src/service/routing/estimate.ts'
import { latencyPrior } from '../../src/service/routing/knowledge.ts'
import { order } from '../../src/service/routing/order.ts'
import { withJudgement } from '../../src/service/routing/quality.ts'
import type { Contender } from '../../src/service/routing/strategies/strategy.ts'
import { mean } from '../../training/reader/mean.ts'
import { toCandidate, type Pool, type PoolRow } from './pool.ts'

export type Read = (row: PoolRow) => PromptReading | null

/** A prompt with what every model of the pool is expected to make of it. */
export interface Expectation {
  row: PoolRow
  /** Contenders whose positions are places in the row's lists. */
  contenders: readonly Contender[]
}

/** A topic's mean answer weighs as so many answers of all kinds. */
const lengthStrength = 10

/** @param read  null: nothing is read of a prompt, every model goes as it does on average */
export function expectationsFrom(
  pool: Pool,
  taught: readonly PoolRow[],
  { read, asked }: { read: Read; asked: readonly PoolRow[] },
): Expectation[] {
  const readings = taught.map(read)
  const difficulties = readings.map((reading) => reading?.difficulty ?? unreadDifficulty)
  const models = pool.models.map((model, index) => {
    const overall = mean(taught.map(({ scores }) => scores[index] ?? 0))
    const candidate = toCandidate(model, index, pointsFor(overall, difficulties))
    const known: ModelKnowledge = {
      feedback: judgementsOf(taught, readings, index),
      own: null,
      latency: latencyPrior(candidate),
      lnOutputTokens: lengthsOf(taught, readings, index),
      lnP90: lnP90Prior,
      lengthAnswers: taught.length,
      load: 0,
    }
    return { candidate, known }
  })
  return asked.map((row) => {
    const context = contextOf(row, read(row))
    const contenders = models.map(({ candidate, known }) => ({
      model: candidate.modelId,
      position: candidate.position,
      estimate: estimate(candidate, known, context),
    }))
    return { row, contenders }
  })
}

/** Model that the adaptive strategy chooses, as a place in the row's lists. */
export function choose({ contenders }: Expectation, parameters: RankParameters): number {
  return order(contenders, 'adaptive', parameters)[0]?.position ?? 0
}

/** The points of a model whose expected quality over prompts of these difficulties is this, by bisection. */
function pointsFor(overall: number, difficulties: readonly number[]): number {
  let [low, high] = [0, 3_000]
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2
    const logit = logitOfPoints(middle)
    const expected = mean(difficulties.map((difficulty) => sigmoid(logit - difficulty)))
    if (expected < overall) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The overall mean is the prior already: what counts on top of it is by topic. */
function judgementsOf(
  rows: readonly PoolRow[],
  readings: readonly (PromptReading | null)[],
  model: number,
): FeedbackCounts | null {
  let counts: FeedbackCounts | null = null
  for (const [index, row] of rows.entries()) {
    const reading = readings[index]
    if (reading)
      counts = withJudgement(counts, reading, { score: row.scores[model] ?? 0, weight: 1 })
  }
  return counts
}

function lengthsOf(
  rows: readonly PoolRow[],
  readings: readonly (PromptReading | null)[],
  model: number,
): number[] {
  const lengths = rows.map(({ outputTokens }) => Math.log(Math.max(1, outputTokens[model] ?? 0)))
  const overall = mean(lengths)
  return topicNames.map((_, topic) => {
    let sum = lengthStrength * overall
    let weight = lengthStrength
    for (const [index, length] of lengths.entries()) {
      const share = readings[index]?.topics[topic] ?? 0
      sum += share * length
      weight += share
    }
    return sum / weight
  })
}

export function contextOf(row: PoolRow, reading: PromptReading | null): RoutingContext {
  return {
    promptTokens: row.promptTokens,
    maxOutputTokens: null,
    needs: [],
    isStreamed: false,
    effort: null,
    reading,
    lastAnswer: null,
  }
}
