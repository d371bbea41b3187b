/** The list of promises, test/contract.md: each promise has a test, and each test exists under its title. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { titlesOf } from './test-titles.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const promises = read('test/contract.md')
  .split(/^- /m)
  .slice(1)
  .map((text) => {
    const [promise = '', ...lines] = text.split('\n')
    return { promise, lines: lines.filter((line) => line.startsWith('  - ')) }
  })
const tests = promises.flatMap(({ lines }) =>
  lines.flatMap((line) => {
    const [, file, title] = /^ {2}- `([^`]+\.test\.ts)`: `([^`]+)`$/.exec(line) ?? []
    return file === undefined || title === undefined ? [] : [{ file, title }]
  }),
)

test('the list has more than fifty promises', () => {
  expect(promises.length).toBeGreaterThan(50)
})

test.each(promises)('"$promise" has a test', ({ lines }) => {
  expect(lines).not.toEqual([])
})

test.each(tests)('$file: $title', ({ file, title }) => {
  expect(titlesOf(read(file))).toContain(title)
})
