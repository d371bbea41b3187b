import { describe, expect, test } from 'vitest'
import { matchesSchema, SchemaMatcher } from './json-schema.ts'

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

describe('a matcher', () => {
  const clocked = () => {
    let nowMs = 0
    const matcher = new SchemaMatcher(() => nowMs)
    return { matcher, wait: (ms: number) => void (nowMs += ms) }
  }

  test('checks values against known schemas at any time, and against a new one every 100 ms', () => {
    const { matcher, wait } = clocked()
    expect(matcher.match(place, { city: 'Bonn' })).toBe(true)
    expect(matcher.match({ ...place }, { size: 3 })).toBe(false)
    expect(matcher.match({ type: 'string' }, 'Bonn')).toBeNull()
    wait(100)
    expect(matcher.match({ type: 'string' }, 'Bonn')).toBe(true)
    expect(matcher.match(place, [])).toBe(false)
  })

  test('says nothing about a schema that cannot be read or is too large', () => {
    const { matcher } = clocked()
    expect(matcher.match({ type: 'string', title: 'x'.repeat(70_000) }, 'Bonn')).toBeNull()
    expect(matcher.match(undefined, 'Bonn')).toBeNull()
    expect(matcher.match({ type: 'city' }, 'Bonn')).toBeNull()
  })

  test('remembers the 20 schemas that were used last', () => {
    const { matcher, wait } = clocked()
    const nth = (n: number) => ({ const: n })
    for (let n = 0; n < 20; n += 1) {
      expect(matcher.match(nth(n), n)).toBe(true)
      wait(100)
    }
    expect(matcher.match(nth(0), 0)).toBe(true)
    expect(matcher.match(nth(20), 20)).toBe(true)
    expect(matcher.match(nth(1), 1)).toBeNull()
    expect(matcher.match(nth(0), 0)).toBe(true)
  })
})
