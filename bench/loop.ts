/**
 * The closed loop: `npm run bench loop`. A router that learns only from the models that it chooses can fool itself: it
 * stays with the dearer of two equals because it knows it. Made-up worlds and the product's own decisions and learning
 * show how often, for each strategy.
 */
import { strategyProfiles } from '../src/shared/routers/strategies.ts'
import type { StrategyName } from '../src/shared/routers/strategy-names.ts'
import type { Bound, Measurement } from './measurement.ts'
import { learning, type LearningStrategy } from './loop/truth.ts'
import { worldKinds, type WorldKind } from './loop/world.ts'
import { runWorld, usedAgain, type WorldFigures } from './loop/world-figures.ts'
import { mean } from '../training/reader/mean.ts'

const seeds = [1, 2, 3]
/** Worlds of each seed; with all seeds 120 of each kind. */
const worldsPerSeed = 40
const requests: Readonly<Record<WorldKind, number>> = { mixed: 5_000, equals: 1_500, alike: 1_500 }
const requestsAlone = 100

const atMost = (value: number): Bound => ({ atMost: value })
const mostLocked = atMost(1.5)
const mostTimesOracle = atMost(1.05)
const mostLooks = atMost(0.5)
const mostRegret: Partial<Record<StrategyName, Bound>> = {
  cost_optimized: atMost(4),
  latency_optimized: atMost(4),
}
/** What `timesOracle` is of, where a strategy saves one figure alone among equals. */
const saved: Partial<Record<StrategyName, string>> = {
  cost_optimized: 'cost',
  adaptive: 'cost',
  quality_optimized: 'cost',
  latency_optimized: 'time',
  carbon_optimized: 'emissions',
}

/** Measures all strategies, or those that are named: `npm run bench loop -- cost_optimized`. */
export function run(): Promise<Measurement[]> {
  const named = process.argv.slice(3)
  const strategies = learning.filter((one) => named.length === 0 || named.includes(one))
  const rows = strategies.flatMap((strategy) => [
    ...worldKinds.flatMap((kind) => measureWorlds(strategy, kind)),
    ...measureNext(strategy),
  ])
  return Promise.resolve(rows)
}

function measureWorlds(strategy: LearningStrategy, kind: WorldKind): Measurement[] {
  const bySeed = seeds.map((seed) => worldsOf(strategy, kind, seed))
  const worlds = bySeed.flat()
  const meanOf = (figureOf: (world: WorldFigures) => number) => mean(worlds.map(figureOf))
  const what = (figure: string) => `${strategy}, ${kind} worlds: ${figure}`
  const name = saved[strategy]
  return [
    {
      what: what('worlds that stay with the worse model'),
      unit: '%',
      measured: 100 * meanOf(({ isLocked }) => Number(isLocked)),
      target: mostLocked,
    },
    ...(name === undefined
      ? []
      : [
          {
            what: what(`${name} of 500 requests by that of the best choice`),
            unit: '',
            measured: meanOf(({ timesOracle }) => timesOracle),
            target: kind === 'mixed' ? null : mostTimesOracle,
          },
        ]),
    {
      what: what('regret of 500 requests'),
      unit: 'points',
      measured: meanOf(({ earlyRegret }) => earlyRegret),
      target: null,
    },
    {
      what: what(`regret of ${requests[kind]} requests, mean of ${seeds.length} seeds`),
      unit: 'points',
      measured: mean(bySeed.map((some) => mean(some.map(({ regret }) => regret)))),
      target: kind === 'mixed' ? (mostRegret[strategy] ?? null) : null,
    },
    {
      what: what('the same if only quality had to be believed'),
      unit: 'points',
      measured: meanOf(({ inherentRegret }) => inherentRegret),
      target: null,
    },
    {
      what: what('first looks'),
      unit: '% of requests',
      measured: 100 * meanOf(({ lookShare }) => lookShare),
      target: mostLooks,
    },
  ]
}

function worldsOf(strategy: LearningStrategy, kind: WorldKind, seed: number): WorldFigures[] {
  return Array.from({ length: worldsPerSeed }, (_, world) =>
    runWorld({
      kind,
      strategy,
      seed: 1_000 * seed + world,
      requests: requests[kind],
      alone: requestsAlone,
    }),
  )
}

/** How often the worst of some equals is used again after it alone was used. */
function measureNext(strategy: LearningStrategy): Measurement[] {
  if (strategyProfiles[strategy].usesWeights) return []
  const isTimed = strategy === 'latency_optimized'
  const alone = isTimed ? 6 : 25
  const next = isTimed ? { skipped: 5, counted: 15 } : { skipped: 0, counted: 12 }
  const bound = isTimed ? 2 : 1
  const again = Array.from({ length: seeds.length * worldsPerSeed }, (_, world) =>
    usedAgain({ kind: 'equals', strategy, seed: 9_000 + world, alone }, next),
  )
  const of = `of ${next.counted} requests after ${alone} to the worst of equals alone`
  return [
    {
      what: `${strategy}: requests to it ${of}, mean`,
      unit: '',
      measured: mean(again),
      target: atMost(bound),
    },
    {
      what: `${strategy}: worlds with more than ${bound} ${of}`,
      unit: '%',
      measured: 100 * mean(again.map((times) => Number(times > bound))),
      target: mostLocked,
    },
  ]
}
