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
  ['a property of a schema without a type', scored, { score: 'good', why: '' }, 'score: must be'],
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
  ['anyOf', textOrNull, 7, 'must match a schema in anyOf (must be string)'],
  [
    'keywords beside $ref',
    { $ref: '#/$defs/a', required: ['b'], $defs: { a: { type: 'object' } } },
    {},
    "required property 'b'",
  ],
  ['additional properties', tree, { 'a/b': 1 }, 'additional properties such as "a/b"'],
  [
    'a format',
    { items: { type: 'string', format: 'date' } },
    ['2026-02-30'],
    '0: must match format "date"',
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
  ['has a property without a schema', { properties: { score: 'number' } }],
  ['has a condition', { if: { type: 'string' }, else: { minimum: 2 } }],
  ['refers to another document', { $ref: 'https://schemas.test/other.json' }],
  ['is asynchronous', { $async: true, type: 'object' }],
  ['is larger than 64 Ki characters', { description: 'x'.repeat(70_000) }],
])('a schema that %s is refused', (_what, schema) => {
  expect(() => parseJsonSchema(schema)).toThrow(expect.objectContaining({ name: 'SchemaRefused' }))
})
