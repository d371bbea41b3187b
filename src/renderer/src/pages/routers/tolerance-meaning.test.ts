import { expect, test } from 'vitest'
import { toleranceMeaning } from './tolerance-meaning.ts'

const at005 = 'At 5 points: 97–104 % of the best model’s quality and 35–42 % lower cost.'
const at008 = 'At 8 points: 94–100 % of the best model’s quality and 67–71 % lower cost.'

test('a measured tolerance has its quality and savings', () => {
  expect(toleranceMeaning(0.08)).toBe(at008)
})

test('a tolerance between two measured ones has the figures of both', () => {
  expect(toleranceMeaning(0.06)).toBe(`${at005} ${at008}`)
})

test('a tolerance outside the measured range has a note and the nearest figures', () => {
  expect(toleranceMeaning(0.02)).toMatch(/^Not measured below 3 points\. At 3 points: 99–105 %/)
  expect(toleranceMeaning(0.2)).toMatch(/^Not measured above 15 points\. At 15 points: 86–95 %/)
})
