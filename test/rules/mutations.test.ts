/** The list that `npm run mutate` uses must match the program; this checks it without running the mutations. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { mutate, readMutations } from '../../scripts/mutations.ts'
import { isNamedBy, titlesOf } from './test-titles.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const mutations = readMutations(read('test/rules/mutations.md'))

const mutation = {
  title: 'Wrong',
  file: 'a.ts',
  before: 'return 1',
  after: 'return 2',
  testFile: 'a.test.ts',
  testName: 'is 1',
}

test('there are at least ten mutations', () => {
  expect(mutations.length).toBeGreaterThanOrEqual(10)
})

test.each(mutations)('$title: its line occurs once', (listed) => {
  expect(mutate(read(listed.file), listed)).toContain(listed.after)
})

test.each(mutations)('$title: its test exists', ({ testFile, testName }) => {
  expect(titlesOf(read(testFile)).filter((title) => isNamedBy(testName, title))).not.toEqual([])
})

describe('a mutation', () => {
  test('replaces its line and keeps the indentation', () => {
    expect(mutate('f() {\n  return 1\n}', mutation)).toBe('f() {\n  return 2\n}')
  })

  test('of a missing line names the line', () => {
    expect(() => mutate('return 3', mutation)).toThrow('"Wrong": a.ts has no line "return 1"')
  })

  test('of a line that occurs twice reports it', () => {
    expect(() => mutate('return 1\nreturn 1', mutation)).toThrow('a.ts has the line 2 times')
  })

  test('without one of its fields is an error', () => {
    expect(() => readMutations('## Wrong\n\n- file: `a.ts`\n')).toThrow(
      '"Wrong" has no line "- before: `…`"',
    )
  })
})
