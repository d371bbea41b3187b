/** The list of undone repairs: it has each of them, and every change can still be made. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readRepairs, undo } from '../../scripts/repairs.ts'
import { hasTests } from './listed-tests.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const items = readRepairs(read('test/rules/repairs.md'))

test('the list has every value of section 7 and every repair', () => {
  const values = 'abcdefghi'.split('').map((letter) => `7${letter}`)
  const repairs = Array.from({ length: 10 }, (_, index) => `C${index + 1}`)

  const listed = new Set(items.map(({ repair }) => repair.split(' ')[0]))
  expect([...listed]).toEqual([...values, ...repairs])
})

test('the lines of each change are in its file exactly once, and differ', () => {
  for (const item of items) expect(undo(read(item.file), item)).not.toBe(read(item.file))
})

test('the tests of each change exist', () => {
  const files = [...new Set(items.flatMap(({ tests }) => tests))]

  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  expect(files.filter((file) => !hasTests(read(file)))).toEqual([])
})

test('lines that are missing or there twice, and a change that does not parse, are named', () => {
  const item = { repair: 'C1', title: 'x', file: 'a.ts', tests: [], named: null }

  for (const text of ['b()\n', 'a()\na()\n']) {
    expect(() => undo(text, { ...item, before: 'a()\n', after: '' })).toThrow(
      'the lines of "x" (C1) are not in a.ts exactly once',
    )
  }
  expect(() => undo('a()\n', { ...item, before: 'a()\n', after: 'a(\n' })).toThrow(
    'with "x" (C1), a.ts cannot be parsed',
  )
})
