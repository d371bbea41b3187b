import { expect, test } from 'vitest'
import { matchesSchema } from './json-schema.ts'

const place = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { city: { type: 'string' }, size: { $ref: '#/$defs/count' } },
  required: ['city'],
  additionalProperties: false,
  $defs: { count: { type: ['integer', 'null'], minimum: 0 } },
}

test.each([
  [{ city: 'Bonn', size: 3 }, true],
  [{ city: 'Bonn', size: null }, true],
  [{ city: 'Bonn', size: -1 }, false],
  [{ size: 3 }, false],
  [{ city: 'Bonn', river: 'Rhine' }, false],
  [[], false],
])('%j: %s', (value, isMatch) => {
  expect(matchesSchema(place, value)).toBe(isMatch)
})

test('a pattern that would never finish is not run', () => {
  // Run, it would report no match after minutes.
  expect(matchesSchema({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`)).toBe(true)
})

test.each([
  ['that refers to another document', { $ref: 'https://schemas.test/other.json' }],
  ['with an unknown type', { type: 'city' }],
  ['that is asynchronous', { $async: true, type: 'string' }],
  ['that is larger than 64 Ki characters', { type: 'string', title: 'x'.repeat(70_000) }],
  ['that is a text', 'string'],
])('no value matches a schema %s', (_what, schema) => {
  expect(matchesSchema(schema, 'Bonn')).toBe(false)
})
