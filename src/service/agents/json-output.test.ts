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
  ['has a regular expression', { items: { pattern: '(a+)+$' } }],
])('a schema that %s is refused', (_what, schema) => {
  expect(() => parseJsonSchema(schema)).toThrow(expect.objectContaining({ name: 'SchemaRefused' }))
})
