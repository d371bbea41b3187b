import { expect, test } from 'vitest'
import { parseJsonSchema } from './json-output.ts'

const tree = { type: 'object', properties: { child: { $ref: '#' } }, additionalProperties: false }

test('a value that fits is given as it is, also out of a fence', () => {
  const { read } = parseJsonSchema({ type: 'array', items: { type: 'integer' } })

  expect(read('[1, 2]')).toEqual({ ok: true, value: [1, 2] })
  expect(read('```json\n[3]\n```\n')).toEqual({ ok: true, value: [3] })
  expect(read(' ```\n[3]\n  \n```')).toEqual({ ok: true, value: [3] })
  expect(read('```sql\n[3]\n```')).toEqual({ ok: false, problem: 'it is not JSON' })
})

test('a fence that is never closed is read through once', () => {
  const { read } = parseJsonSchema({ type: 'array' })

  expect(read(`\`\`\`\n${'\n'.repeat(200_000)}x`)).toEqual({ ok: false, problem: 'it is not JSON' })
})

test('what is wrong is told with its place', () => {
  const { read } = parseJsonSchema(tree)

  expect(read('Sure! {}')).toEqual({ ok: false, problem: 'it is not JSON' })
  expect(read('{"child": {"child": 7}}')).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/^child\.child: /),
  })
})

test('an answer nested without end is refused, and nothing breaks', () => {
  const deep = `${'{"child":'.repeat(100_000)}{}${'}'.repeat(100_000)}`

  expect(parseJsonSchema(tree).read(deep)).toEqual({ ok: false, problem: 'it is nested too deep' })
})

test.each([
  ['refers to itself without end', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }],
  ['is of no type there is', { type: 'objekt' }],
  ['has an expression of its own', { items: { pattern: '(a+)+$' } }],
])('a schema that %s is refused', (_what, schema) => {
  expect(() => parseJsonSchema(schema)).toThrow(expect.objectContaining({ name: 'SchemaRefused' }))
})
