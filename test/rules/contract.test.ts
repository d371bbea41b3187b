/**
 * The lists of promises and of the files on which they hang: each has tests, and each test file exists. Titles are not
 * listed: `npm run mutate` shows whether a test notices a broken promise.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { hasTests, readListedTests } from './listed-tests.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const promises = readListedTests(read('test/rules/contract.md'))
const guards = readListedTests(read('test/rules/guards.md').split('## Files')[1] ?? '')

test('the contract has more than fifty promises, and dozens of files guard them', () => {
  expect(promises.length).toBeGreaterThan(50)
  expect(guards.length).toBeGreaterThan(50)
})

test('every promise and every guarding file has tests', () => {
  const listed = [...promises, ...guards]

  expect(listed.filter(({ tests }) => tests.length === 0)).toEqual([])
  expect(listed.flatMap(({ otherLines }) => otherLines)).toEqual([])
})

test('every listed file exists and has tests', () => {
  const files = new Set([...promises, ...guards].flatMap(({ tests }) => tests))

  expect([...files].filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  expect([...files].filter((file) => !hasTests(read(file)))).toEqual([])
})

test('every guarding file exists', () => {
  const files = guards.map(({ heading }) => heading.replaceAll('`', ''))

  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})
