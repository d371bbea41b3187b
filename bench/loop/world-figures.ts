/** The figures of one strategy in one world: whether it stays with the worse of what it knows, and what that costs. */
import type { Estimate } from '../../src/shared/requests/detail.ts'
import { order } from '../../src/service/routing/order.ts'
import { ClosedLoop, type Choice } from './closed-loop.ts'
import {
  aims,
  truthOfModels,
  worthAmong,
  type LearningStrategy,
  type TrueContender,
} from './truth.ts'
import { createWorld, type WorldKind } from './world.ts'

/** Requests at the end that decide whether a router is locked, and the early ones of the other figures. */
const lastRequests = 1_000
export const earlyRequests = 500
/** A model with as many answers is known well enough to be passed over. */
const knownAnswers = 10
/** Factor in cost or time that is worth a change. */
const worthwhile = 0.8

export interface WorldFigures {
  isLocked: boolean
  /** What the strategy saves, divided by its own choices' with true figures, over the early requests. */
  timesOracle: number
  /** Points of quality less worth than the oracle's choices, means of the early requests and of all. */
  earlyRegret: number
  regret: number
  /** The regret of all requests if only quality had to be believed. */
  inherentRegret: number
  /** Share of all requests that were looks. */
  lookShare: number
}

export interface LoopOptions {
  kind: WorldKind
  strategy: LearningStrategy
  seed: number
  requests: number
  /** Requests to one model before, where the world has one. */
  alone: number
}

export function runWorld({ kind, strategy, seed, requests, alone }: LoopOptions): WorldFigures {
  const world = createWorld(kind, seed)
  const loop = new ClosedLoop(world, strategy, seed)
  const used = kind === 'mixed' ? world.usedAlone : greatestOf(truthOfModels(world), strategy).of
  if (used) loop.useAlone(used, alone)
  const sums = {
    saved: 0,
    oracle: 0,
    earlyRegret: 0,
    regret: 0,
    inherent: 0,
    looks: 0,
    passedOver: 0,
  }
  const { figureOf } = aims[strategy]
  for (const choice of loop.requests(requests)) {
    const worthOf = worthAmong(choice.truth, strategy)
    const regret = worthOf(choice.oracle) - worthOf(choice.chosen)
    sums.regret += regret
    sums.inherent += worthOf(choice.oracle) - worthOf(informedChoice(choice, strategy))
    sums.looks += Number(choice.isLook)
    if (choice.nth < earlyRequests) {
      sums.saved += figureOf(choice.chosen.estimate)
      sums.oracle += figureOf(choice.oracle.estimate)
      sums.earlyRegret += regret
    }
    if (choice.nth >= requests - lastRequests)
      sums.passedOver += Number(passesOver(choice, strategy))
  }
  return {
    isLocked: sums.passedOver >= Math.min(lastRequests, requests) / 2,
    timesOracle: sums.oracle === 0 ? 1 : sums.saved / sums.oracle,
    earlyRegret: sums.earlyRegret / Math.min(earlyRequests, requests),
    regret: sums.regret / requests,
    inherentRegret: sums.inherent / requests,
    lookShare: sums.looks / requests,
  }
}

/** How many of the next requests still go to the model that was used alone. */
export function usedAgain(
  options: Omit<LoopOptions, 'requests'>,
  { skipped, counted }: { skipped: number; counted: number },
): number {
  const world = createWorld(options.kind, options.seed)
  const loop = new ClosedLoop(world, options.strategy, options.seed)
  const used = greatestOf(truthOfModels(world), options.strategy)
  loop.useAlone(used.of, options.alone)
  let again = 0
  for (const { nth, chosen } of loop.requests(skipped + counted)) {
    if (nth >= skipped && chosen.model === used.model) again += 1
  }
  return again
}

function greatestOf(truth: readonly TrueContender[], strategy: LearningStrategy): TrueContender {
  const { figureOf } = aims[strategy]
  return truth.reduce((a, b) => (figureOf(b.estimate) > figureOf(a.estimate) ? b : a))
}

/**
 * Whether the strategy would choose another model if it knew the true costs and times, one that is truly good enough
 * and clearly cheaper (faster), but was hardly asked.
 */
function passesOver(choice: Choice, strategy: LearningStrategy): boolean {
  const { truth, chosen, asked } = choice
  const better = informedChoice(choice, strategy)
  if (better === chosen) return false
  if ((asked.get(better.model) ?? 0) >= knownAnswers) return false
  const { figureOf, tolerance } = aims[strategy]
  const best = Math.max(...truth.map(({ estimate }) => estimate.quality))
  return (
    best - better.estimate.quality <= tolerance &&
    figureOf(better.estimate) <= worthwhile * figureOf(chosen.estimate)
  )
}

/** What the strategy would choose with true costs and times, and quality as believed. */
function informedChoice(
  { believed, truth, chosen, parameters }: Choice,
  strategy: LearningStrategy,
): TrueContender {
  const informed = believed.map((one) => ({ ...one, estimate: withTruth(one, truth) }))
  const [first] = order(informed, strategy, parameters)
  return truth.find(({ model }) => model === first?.model) ?? chosen
}

/** The quality as believed, all else as it is. */
function withTruth(
  { model, estimate }: { model: string; estimate: Estimate },
  truth: readonly TrueContender[],
): Estimate {
  const is = truth.find((one) => one.model === model)?.estimate ?? estimate
  const { quality, qualityHalfWidth, qualitySource } = estimate
  return { ...estimate, ...is, quality, qualityHalfWidth, qualitySource }
}
