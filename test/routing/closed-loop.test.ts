/** The quick form of `npm run bench loop`: 20 worlds of each kind, with fixed seeds. */
import { expect, test } from 'vitest'
import { learning, type LearningStrategy } from '../../bench/loop/truth.ts'
import type { WorldKind } from '../../bench/loop/world.ts'
import { runWorld } from '../../bench/loop/world-figures.ts'

const worlds = Array.from({ length: 20 }, (_, world) => 1_000 + world)

function figuresOf(strategy: LearningStrategy, kind: WorldKind) {
  const figures = worlds.map((seed) =>
    runWorld({ kind, strategy, seed, requests: 400, alone: 100 }),
  )
  const meanOf = (figureOf: (figure: (typeof figures)[number]) => number) =>
    figures.reduce((sum, figure) => sum + figureOf(figure), 0) / figures.length
  return {
    locked: figures.filter(({ isLocked }) => isLocked).length,
    timesOracle: meanOf(({ timesOracle }) => timesOracle),
    looks: meanOf(({ lookShare }) => lookShare),
  }
}

const cases = learning.flatMap((strategy) =>
  (['equals', 'alike'] as const).map((kind) => [strategy, kind] as const),
)

test.each(cases)('%s does not stay with the worse of equals (%s worlds)', (strategy, kind) => {
  const { locked, timesOracle, looks } = figuresOf(strategy, kind)
  expect(locked).toBe(0)
  // `balanced` gives up some money for time and carbon.
  expect(timesOracle).toBeLessThan(strategy === 'balanced' ? 2 : 1.05)
  expect(looks).toBeLessThan(0.02)
})
