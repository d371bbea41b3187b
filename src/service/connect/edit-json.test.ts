import { expect, test } from 'vitest'
import { editJson, valueAt } from './edit-json.ts'

test('sets members and keeps comments, order and a trailing comma', () => {
  const before = '// mine\n{\n  "theme": "dark", // at night\n  "env": {\n    "A": "1",\n  },\n}\n'

  const after = editJson(before, [{ path: ['env', 'B'], value: 'two' }])

  expect(after).toBe(
    '// mine\n{\n  "theme": "dark", // at night\n  "env": {\n    "A": "1",\n    "B": "two",\n  },\n}\n',
  )
})

test('replaces a value in its place', () => {
  const before = '{"env": {"A": "1", "B": "2"}}'
  expect(editJson(before, [{ path: ['env', 'A'], value: '3' }])).toBe(
    '{"env": {"A": "3", "B": "2"}}',
  )
})

test('a default does not replace the user’s own value', () => {
  const changes = [
    { path: ['a'], value: 1, isDefault: true },
    { path: ['b'], value: 2, isDefault: true },
  ]
  expect(editJson('{"a": 9}', changes)).toBe('{\n  "a": 9,\n  "b": 2\n}')
})

test.each([
  ['tabs', '{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}\n'],
  [
    'four spaces and CRLF',
    '{\r\n    "a": 1\r\n}\r\n',
    '{\r\n    "a": 1,\r\n    "b": {\r\n        "c": 2\r\n    }\r\n}\r\n',
  ],
])('writes with the file’s own %s', (_name, before, after) => {
  expect(editJson(before, [{ path: ['b', 'c'], value: 2 }])).toBe(after)
})

test.each([null, '', ' \n'])('begins an object when there is none: %j', (before) => {
  expect(editJson(before, [{ path: ['a'], value: 1 }])).toBe('{\n  "a": 1\n}\n')
})

test.each(['{"a": ', '[]', 'yes', '{"a": 1} {"b": 2}'])('refuses %s', (before) => {
  expect(() => editJson(before, [{ path: ['a'], value: 1 }])).toThrow('It is not valid JSON.')
})

test('reads the value at a path', () => {
  expect(valueAt('{"a": {"b": [1]}} // end', ['a', 'b'])).toEqual([1])
  expect(valueAt('{"a": 1}', ['a', 'b'])).toBeUndefined()
  expect(valueAt(null, ['a'])).toBeUndefined()
})
