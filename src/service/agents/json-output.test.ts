import { expect, test } from 'vitest'
import { parseJsonSchema } from './json-output.ts'

const tree = { type: 'object', properties: { child: { $ref: '#' } }, additionalProperties: false }

test('a matching value is returned, with or without a code fence', () => {
  const { read } = parseJsonSchema({ type: 'array', items: { type: 'integer' } })

  expect(read('[1, 2]')).toEqual({ ok: true, value: [1, 2] })
  expect(read('```json\n[3]\n```\n')).toEqual({ ok: true, value: [3] })
  expect(read(' ```\n[3]\n  \n```')).toEqual({ ok: true, value: [3] })
  expect(read('```sql\n[3]\n```')).toEqual({ ok: false, problem: 'it is not JSON' })
})

test('a fence that is never closed is read in linear time', () => {
  const { read } = parseJsonSchema({ type: 'array' })

  expect(read(`\`\`\`\n${'\n'.repeat(200_000)}x`)).toEqual({ ok: false, problem: 'it is not JSON' })
})

test('an error names its place', () => {
  const { read } = parseJsonSchema(tree)

  expect(read('Sure! {}')).toEqual({ ok: false, problem: 'it is not JSON' })
  expect(read('{"child": {"child": 7}}')).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/^child\.child: /),
  })
})

const scored = { properties: { score: { type: 'number' } }, required: ['score', 'why'] }
const textOrNull = { anyOf: [{ type: 'string' }, { type: 'null' }], maxLength: 2 }

test.each([
  [
    'a property of a schema without a type',
    scored,
    { score: 'good', why: '' },
    'score: must be number',
  ],
  [
    'a name in "required" that is no property',
    scored,
    { score: 1 },
    "why: must have required property 'why'",
  ],
  [
    'a required name that every object inherits',
    { type: 'object', required: ['constructor'] },
    {},
    "required property 'constructor'",
  ],
  ['keywords beside anyOf', textOrNull, 'long', 'must NOT have more than 2 characters'],
  ['anyOf', textOrNull, 7, 'Invalid input'],
  [
    'keywords beside $ref',
    { $ref: '#/$defs/a', required: ['b'], $defs: { a: { type: 'object' } } },
    {},
    "required property 'b'",
  ],
  ['additional properties', tree, { 'a/b': 1 }, 'Unrecognized key: "a/b"'],
  ['allowed values', { enum: ['good', 'bad'] }, 'fine', 'expected one of "good"|"bad"'],
  [
    'equal items',
    { items: {}, uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    'equal items',
  ],
  [
    'a format',
    { type: 'array', items: { type: 'string', format: 'date' } },
    ['2026-02-30'],
    '0: Invalid ISO date',
  ],
])('the schema checks %s', (_what, schema, value, problem) => {
  expect(parseJsonSchema(schema).read(JSON.stringify(value))).toEqual({
    ok: false,
    problem: expect.stringContaining(problem),
  })
})

test('properties may have names that every object inherits', () => {
  const { read } = parseJsonSchema({ properties: { constructor: { type: 'string' } } })

  expect(read('{}')).toEqual({ ok: true, value: {} })
})

test('an extremely nested answer is refused', () => {
  const deep = `${'{"child":'.repeat(100_000)}{}${'}'.repeat(100_000)}`

  expect(parseJsonSchema(tree).read(deep)).toEqual({
    ok: false,
    problem: 'it is nested too deeply',
  })
})

test.each([
  ['refers to itself endlessly', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }],
  ['has an unknown type', { type: 'objekt' }],
  ['refers to itself endlessly for numbers', { type: 'number', $ref: '#' }],
  ['has a regular expression', { items: { pattern: '(a+)+$' } }],
  ['has a condition', { if: { type: 'string' }, else: { minimum: 2 } }],
  ['refers to another document', { $ref: 'https://schemas.test/other.json' }],
])('a schema that %s is refused', (_what, schema) => {
  expect(() => parseJsonSchema(schema)).toThrow(expect.objectContaining({ name: 'SchemaRefused' }))
})

test.each([
  ['of an older draft', { type: 'array', items: [{ type: 'number' }] }, [1], ['x']],
  ['that is very long', { type: 'number', description: 'x'.repeat(70_000) }, 1, 'x'],
  ['with cents', { multipleOf: 0.01 }, 19.99, 19.995],
  ['with examples', { type: 'string', examples: [{ pattern: 'x', properties: { a: 1 } }] }, '', 1],
])('a schema %s is checked', (_what, schema, good, wrong) => {
  const { read } = parseJsonSchema(schema)

  expect(read(JSON.stringify(good))).toEqual({ ok: true, value: good })
  expect(read(JSON.stringify(wrong)).ok).toBe(false)
})

test('many items are compared in linear time', () => {
  const items = Array.from({ length: 20_000 }, (_, index) => ({ index }))
  const { read } = parseJsonSchema({ type: 'array', items: { type: 'object' }, uniqueItems: true })

  expect(read(JSON.stringify(items))).toMatchObject({ ok: true })
})
