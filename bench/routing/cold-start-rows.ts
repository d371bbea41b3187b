/** Pools of data files on the first day: public ratings and the prompt, no answer judged. */
import { latencyPrior } from '../../src/service/routing/knowledge.ts'
import { lnOutputPrior, lnP90Prior } from '../../src/service/routing/expected-output.ts'
import { estimate } from '../../src/service/routing/estimate.ts'
import { sigmoid, logitOfPoints } from '../../src/shared/models/quality-scale.ts'
import type { Measurement } from '../measurement.ts'
import { row } from '../row.ts'
import { brierOf, calibrationError, rankCorrelation } from './calibration.ts'
import { coldStart, type ColdStart } from './cold-start.ts'
import { contextOf, type Expectation } from './fold.ts'
import { aiqByPace, figuresOf } from './many-models.ts'
import { mean } from '../../training/reader/mean.ts'
import type { Pool } from './pool.ts'
import type { Readers } from './readers.ts'

interface Goals {
  /** AIQ by the qualities of the version before, as the study measured it. */
  priorAiq: number
  kept: number
  brier: number
  calibrationError: number
  order: number
}

const goalsOf: readonly (readonly [start: string, goals: Goals])[] = [
  ['zeroeval', { priorAiq: 78.1, kept: 95, brier: 0.16, calibrationError: 0.08, order: 0.6 }],
  ['mmlu_pro', { priorAiq: 61.2, kept: 93, brier: 0.235, calibrationError: 0.09, order: 0.33 }],
  ['ulab', { priorAiq: 53.1, kept: 98, brier: 0.25, calibrationError: 0.12, order: 0.28 }],
]

interface Figures {
  name: string
  aiq: number
  /** AIQ of the ratings alone, without reading a prompt. */
  ratedAiq: number
  kept: number
  saved: number
  brier: number
  calibrationError: number
  order: number
  /** Mean absolute error of a model's expected share of good answers. */
  levelError: number
}

export function measureColdStart(pools: readonly Pool[], readers: Readers): Measurement[] {
  const measured = pools.map((pool) => figuresAtFirst(pool, coldStart(pool, readers)))
  if (measured.length === 0) return []
  const gains = measured.map(({ aiq, ratedAiq }) => aiq - ratedAiq)
  return [
    ...measured.flatMap(rowsOf),
    row('cold start: AIQ against ratings alone, mean of the pools', [mean(gains), ''], {
      goal: { atLeast: 0.4 },
    }),
    row(
      'cold start: cost saved by cost_optimized, mean of the pools',
      [mean(measured.map(({ saved }) => saved)), '%'],
      { goal: { atLeast: 45 } },
    ),
    row(
      'cold start: expected share of good answers, mean absolute error over the models',
      [mean(measured.map(({ levelError }) => levelError)), ''],
      { goal: { atMost: 0.04 } },
    ),
  ]
}

function rowsOf(figures: Figures): Measurement[] {
  const { name } = figures
  const [, goals] = goalsOf.find(([start]) => name.startsWith(start)) ?? []
  const atLeast = (bound: number | undefined) =>
    bound === undefined ? {} : { goal: { atLeast: bound } }
  const atMost = (bound: number | undefined) =>
    bound === undefined ? {} : { goal: { atMost: bound } }
  const what = (figure: string) => `${name}, cold start: ${figure}`
  const gain = row(what('AIQ against ratings alone'), [figures.aiq - figures.ratedAiq, ''], {
    goal: { atLeast: 0 },
  })
  const overPrior =
    goals === undefined
      ? []
      : [
          row(
            what('AIQ against the qualities of the version before'),
            [figures.aiq - goals.priorAiq, ''],
            { goal: { atLeast: 4 } },
          ),
        ]
  return [
    row(what('AIQ'), [figures.aiq, '']),
    gain,
    ...overPrior,
    row(
      what('cost_optimized, quality kept'),
      [figures.kept, '% of the best model'],
      atLeast(goals?.kept),
    ),
    row(what('cost_optimized, cost saved'), [figures.saved, '%']),
    row(what('Brier score'), [figures.brier, ''], atMost(goals?.brier)),
    row(what('calibration error'), [figures.calibrationError, ''], atMost(goals?.calibrationError)),
    row(
      what('rank correlation of difficulty and failures'),
      [figures.order, ''],
      atLeast(goals?.order),
    ),
  ]
}

function figuresAtFirst(pool: Pool, cold: ColdStart): Figures {
  const expectations = expectationsAtFirst(pool, cold)
  const { aiq, defaultKept, defaultSaved } = figuresOf(expectations)
  const forecasts = expectations.flatMap(({ row: { scores }, contenders }) =>
    contenders.map(({ estimate: { quality }, position }) => ({
      expected: quality,
      score: scores[position] ?? 0,
    })),
  )
  return {
    name: pool.name,
    aiq,
    ratedAiq: aiqByPace(expectationsAtFirst(pool, { ...cold, read: () => null })),
    kept: defaultKept,
    saved: defaultSaved,
    brier: brierOf(forecasts),
    calibrationError: calibrationError(forecasts),
    order: rankCorrelation(
      pool.rows.map((asked) => [cold.read(asked)?.difficulty ?? 0, 1 - mean(asked.scores)]),
    ),
    levelError: levelErrorOf(pool, cold),
  }
}

function expectationsAtFirst(pool: Pool, { candidates, read }: ColdStart): Expectation[] {
  const known = candidates.map((candidate) => ({
    candidate,
    knowledge: {
      feedback: null,
      own: null,
      latency: latencyPrior(candidate),
      lnOutputTokens: lnOutputPrior,
      lnP90: lnP90Prior,
      lengthAnswers: 0,
      load: 0,
    },
  }))
  return pool.rows.map((asked) => {
    const context = contextOf(asked, read(asked))
    const contenders = known.map(({ candidate, knowledge }) => ({
      model: candidate.modelId,
      position: candidate.position,
      estimate: estimate(candidate, knowledge, context),
    }))
    return { row: asked, contenders }
  })
}

/** The strictness of the file is taken from the other models, so that the error is that of the rating. */
function levelErrorOf(pool: Pool, { candidates, read }: ColdStart): number {
  const difficulty = mean(pool.rows.map((asked) => read(asked)?.difficulty ?? 0))
  const models = candidates.map(({ quality }, position) => ({
    logit: logitOfPoints(quality.points) - difficulty,
    share: mean(pool.rows.map(({ scores }) => scores[position] ?? 0)),
  }))
  return mean(
    models.map(({ logit, share }, position) => {
      const others = models.filter((_, index) => index !== position)
      return Math.abs(sigmoid(logit + strictnessOf(others)) - share)
    }),
  )
}

/** The shift with which the models reach their shares on average, by bisection. */
function strictnessOf(models: readonly { logit: number; share: number }[]): number {
  let [low, high] = [-5, 5]
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2
    const excess = mean(models.map(({ logit, share }) => sigmoid(logit + middle) - share))
    if (excess < 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}
