import { expect, test } from 'vitest'
import { gramMarks, msMarks } from './chart-text.ts'
import { linearScale, logScale } from './scales.ts'

test('an axis has one unit, also at zero and below one', () => {
  const seconds = linearScale(1900, 'duration')
  expect(seconds.marks.map(msMarks(seconds))).toEqual(['0 s', '0.5 s', '1 s', '1.5 s', '2 s'])
  const ms = linearScale(80, 'duration')
  expect(ms.marks.map(msMarks(ms))).toEqual(['0 ms', '20 ms', '40 ms', '60 ms', '80 ms'])
  const mg = linearScale(0.1)
  expect(mg.marks.map(gramMarks(mg))).toEqual(['0 mg', '25 mg', '50 mg', '75 mg', '100 mg'])
  const grams = linearScale(2)
  expect(grams.marks.map(gramMarks(grams))).toEqual(['0 g', '0.5 g', '1 g', '1.5 g', '2 g'])
})

test('a logarithmic axis and one of minutes have the unit of each mark', () => {
  const log = logScale(10, 10_000, 'duration')
  expect(msMarks(log)(10)).toBe('10 ms')
  expect(msMarks(log)(10_000)).toBe('10 s')
  expect(msMarks(linearScale(240_000, 'duration'))(120_000)).toBe('2 min')
})
