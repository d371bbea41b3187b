/** docs/reliability.md: it lists every check of `npm run torture`, and each test that it names exists. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checks } from '../../torture/checks.ts'
import { hasTests, readListedTests } from './listed-tests.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const page = read('docs/reliability.md')

function sectionOf(heading: string): string {
  const [, text = ''] = page.split(`## ${heading}\n`)
  return text.split('\n## ')[0] ?? ''
}

const quickForms = readListedTests(sectionOf('Quick forms'))
const incidents = readListedTests(sectionOf('Incidents'))
const listed = [...quickForms, ...incidents]

test('the table and the quick forms have the 26 checks in their order', () => {
  const rows = [...page.matchAll(/^\| *(\d+) +\| `([\w-]+)` +\| (.*?) +\|/gm)]

  expect(rows.map(([, number, name, target]) => `${number}. ${name}: ${target}`)).toEqual(
    checks.map(({ number, name, target }) => `${number}. ${name}: ${target}`),
  )
  expect(quickForms.map(({ heading }) => heading)).toEqual(
    checks.map(({ number, name }) => `${number}. ${name}`),
  )
  expect(checks.map(({ number }) => number)).toEqual(
    Array.from({ length: 26 }, (_, nth) => nth + 1),
  )
})

test('every incident and every check has a test', () => {
  expect(incidents.length).toBeGreaterThanOrEqual(14)
  expect(listed.filter(({ tests }) => tests.length === 0)).toEqual([])
  expect(listed.flatMap(({ otherLines }) => otherLines)).toEqual([])
})

test('every listed file has tests', () => {
  const files = new Set(listed.flatMap(({ tests }) => tests))

  expect([...files].filter((file) => !hasTests(read(file)))).toEqual([])
})

test('every file that a check runs exists and has tests', () => {
  const files = checks.flatMap(({ steps }) =>
    steps.flatMap((step) =>
      'tests' in step ? step.tests : 'spec' in step ? [`e2e/${step.spec}.spec.ts`] : [],
    ),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => !hasTests(read(file)))).toEqual([])
})
