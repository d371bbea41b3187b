import { expect, test } from 'vitest'
import { GateMeasures } from './gate-measures.ts'

const pair = { key: 'key-1', home: 'p:strong', cheap: 'p:cheap' }

/** Runs of three steps by the dearer model, and of a cheaper one that needs so many for one. */
function measured(stepsForOne: number, runs: number): GateMeasures {
  const gates = new GateMeasures()
  for (let nth = 0; nth < runs; nth += 1) {
    gates.ended({ ...pair, cheap: null, steps: 3 })
    gates.ended({ ...pair, steps: 3 * stepsForOne })
  }
  return gates
}

test('a pair that nobody measured counts as usual', () => {
  expect(new GateMeasures().stepsForOne(pair)).toBeCloseTo(1.3)
})

test('a cheaper model that needs more than 1.5 steps for one is found after some runs, and turned off', () => {
  expect(measured(1.8, 3).stepsForOne(pair)).not.toBeNull()
  expect(measured(1.8, 60).stepsForOne(pair)).toBeNull()
  expect(measured(1.3, 60).stepsForOne(pair)).toBeCloseTo(1.3)
  expect(measured(0.5, 500).stepsForOne(pair)).toBe(1)
})

test('what one key’s sessions need says nothing of another’s, nor of another pair', () => {
  const gates = measured(1.8, 60)
  expect(gates.stepsForOne({ ...pair, key: 'key-2' })).toBeCloseTo(1.3)
  expect(gates.stepsForOne({ ...pair, cheap: 'p:other' })).not.toBeNull()
})

test('some runs go without the gate, so that the dearer model is measured', () => {
  const gates = new GateMeasures()
  const without = Array.from({ length: 240 }, () => gates.isWithout()).filter(Boolean)
  expect(without).toHaveLength(10)
})
