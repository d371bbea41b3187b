import { expect, test } from 'vitest'
import { toleranceMeaning } from './tolerance-meaning.ts'

const at005 =
  'At 0.05, routing kept 97–104 % of the best model’s quality and saved 35–42 % of its cost.'
const at008 =
  'At 0.08, routing kept 94–100 % of the best model’s quality and saved 67–71 % of its cost.'

test('a tolerance that was measured says what it kept and saved', () => {
  expect(toleranceMeaning(0.08)).toBe(at008)
})

test('between two measured ones both are told', () => {
  expect(toleranceMeaning(0.06)).toBe(`${at005} ${at008}`)
})

test('beyond what was measured it says so and tells the nearest', () => {
  expect(toleranceMeaning(0.02)).toMatch(
    /^Not measured below 0\.03\. At 0\.03, routing kept 99–105 %/,
  )
  expect(toleranceMeaning(0.2)).toMatch(
    /^Not measured above 0\.15\. At 0\.15, routing kept 86–95 %/,
  )
})
