import { describe, expect, test } from 'vitest'
import { repeatedName, withMembers } from './json-members.ts'

const text = '{ "model" : "a\\"}",\n  "n": [1.0, {"model": 2}], "s":true , "last": "\\\\" }'

describe('withMembers', () => {
  test('changes the values and keeps every other byte', () => {
    expect(withMembers(text, { model: '"b"', s: 'false' })).toBe(
      '{ "model":"b",\n  "n": [1.0, {"model": 2}], "s":false , "last": "\\\\" }',
    )
    expect(withMembers(text, {})).toBe(text)
  })

  test.each(['model', 'n', 's', 'last'])('removes "%s" and keeps the others', (name) => {
    const changed = withMembers(text, { [name]: null })
    const { [name]: _removed, ...others } = JSON.parse(text) as Record<string, unknown>
    expect(JSON.parse(changed)).toEqual(others)
  })

  test('removes members that follow each other, up to all of them', () => {
    expect(withMembers('{"a":1,"b":2,"c":3}', { b: null, c: null })).toBe('{"a":1}')
    expect(withMembers('{"a":1,"b":2,"c":3}', { a: null, b: null })).toBe('{"c":3}')
    expect(withMembers('{"a":1,"b":2}', { a: null, b: null, c: '3' })).toBe('{"c":3}')
  })

  test('appends members that are not there', () => {
    expect(withMembers('{"a":1 }', { b: '"2"', c: null })).toBe('{"a":1,"b":"2" }')
    expect(withMembers('{}', { b: '2' })).toBe('{"b":2}')
  })

  test('changes each of several members with the same name, however it is escaped', () => {
    expect(withMembers('{"a":1,"\\u0061":2}', { a: '3' })).toBe('{"a":3,"a":3}')
  })
})

test.each([
  ['{"a":1,"b":{"c":1,"c":2},"c":[{"a":2}]}', null],
  ['{"a":1,"b":2,"a":3}', 'a'],
  ['{"max_tokens":1,"max\\u005ftokens":2}', 'max_tokens'],
  ['{}', null],
])('%s repeats the name %s', (repeated, name) => {
  expect(repeatedName(repeated)).toBe(name)
})
