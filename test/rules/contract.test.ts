/** The list of promises, test/rules/contract.md: each promise has a test, and each test exists under its title. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readListedTests } from './listed-tests.ts'
import { titlesOf } from './test-titles.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const promises = readListedTests(read('test/rules/contract.md'))
const tests = promises.flatMap((promise) => promise.tests)

test('the list has more than fifty promises', () => {
  expect(promises.length).toBeGreaterThan(50)
})

test.each(promises)('"$heading" has a test', ({ tests: listed, otherLines }) => {
  expect(listed).not.toEqual([])
  expect(otherLines).toEqual([])
})

test.each(tests)('$file: $title', ({ file, title }) => {
  expect(titlesOf(read(file))).toContain(title)
})
