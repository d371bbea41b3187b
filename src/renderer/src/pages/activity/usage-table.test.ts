import { expect, test } from 'vitest'
import { emptyFigures, sampleReport } from '../../../../../test/renderer-harness/sample-report.ts'
import type { UsageRange } from '../../usage/range.ts'
import { barsOf } from './bars.ts'
import { groupRows } from './grouping.ts'
import { usageCsv, usageTable, withoutEmptyColumns } from './usage-table.ts'

const hourMs = 3_600_000
const range: UsageRange = {
  name: '24h',
  fromMs: 0,
  toMs: 24 * hourMs,
  bucketMs: hourMs,
  offsetMs: 0,
}
const names = {
  router: (id: string) => `Router ${id}`,
  key: (id: string) => `Key ${id}`,
  conversation: String,
}
const figures = (requests: number, costUsd: number) =>
  emptyFigures({
    requests,
    answered: requests - 1,
    costUsd,
    carbonGrams: 0.1 + 0.2,
    tokens: { input: 1_234_567, cacheRead: 2, cacheWrite: 3, output: 4, reasoning: 5 },
  })

function tableOf(
  groups: Record<string, ReturnType<typeof figures>>,
  grouping: 'tag' | 'router' = 'tag',
) {
  const report = sampleReport([{ startMs: 0, groups }])
  return usageTable(groupRows(report, grouping, { names, range }), report.total, {
    measure: 'spend',
    isByTime: false,
  })
}

test('the table is in the order of the measure, with its shares and a total', () => {
  const { rows, total, columns } = tableOf({ a: figures(9, 1), b: figures(2, 3) }, 'router')
  expect(rows.map(({ row }) => row.name)).toEqual(['Router b', 'Router a'])
  expect(columns[0]?.name).toBe('Share of spend')
  expect(rows.map(({ cells }) => cells[0]?.text)).toEqual(['75 %', '25 %'])
  expect(total.cells.slice(1, 4).map(({ text }) => text)).toEqual(['11', '2', '$4.00'])
})

test('an unknown figure is a dash in the table and empty in the file', () => {
  const table = tableOf({ shop: figures(2, 1) })
  const p95 = table.columns.findIndex(({ name }) => name === 'p95')
  expect(table.rows[0]?.cells[p95]).toEqual({ text: '—', value: null })
  expect(usageCsv('Tag', table)).toContain('shop,1,2,1,1,1234567,2,3,4,5,,0.30000000000000004\r\n')
})

test('the file has every cell of the table, unrounded, with a header, and lines end in CR LF', () => {
  const table = tableOf({ shop: figures(2, 1.000_000_25), '': figures(1, 0) })
  const lines = usageCsv('Tag', table).split('\r\n')
  expect(lines[0]).toBe(
    'Tag,Share of spend (0 to 1),Requests,Errors,Spend (USD),Prompt (tokens),Cache read (tokens),Cache write (tokens),Answer (tokens),Reasoning (tokens),p95 (ms),CO2e estimate (g)',
  )
  expect(lines.map((line) => line.split(',')[0])).toEqual(['Tag', 'shop', 'No tag', 'Total', ''])
  expect(lines[1]).toContain('1.00000025')
})

test.each([
  ['=1+1', `'=1+1`],
  ['+1', `'+1`],
  ['-1', `'-1`],
  ['@SUM(A1)', `'@SUM(A1)`],
  ['\t=1', `'\t=1`],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['=cmd|"/c calc"!A1', `"'=cmd|""/c calc""!A1"`],
])('the name %j is %s in the file', (name, field) => {
  const line = usageCsv('Tag', tableOf({ [name]: figures(1, 1) })).split('\r\n')[1]
  expect(line?.startsWith(`${field},`)).toBe(true)
})

test('the parts of the bars add up to the total, with eight groups and more', () => {
  const groups = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`tag-${index}`, figures(index + 1, index / 7)]),
  )
  const report = sampleReport([
    { startMs: 0, groups },
    { startMs: 5 * hourMs, groups },
  ])
  for (const measure of ['requests', 'spend', 'tokens', 'carbon'] as const) {
    const { parts, buckets, valueOf } = barsOf(report, range, {
      grouping: 'tag',
      measure,
      names,
      base: {},
    })
    expect(parts).toHaveLength(8)
    const sum = parts.reduce((total, { total: part }) => total + part, 0)
    const drawn = buckets.flatMap((bucket) => parts.map((part) => valueOf(part, bucket)))
    expect(drawn.reduce((total, value) => total + value, 0)).toBeCloseTo(sum, 6)
  }
})

test('kinds of tokens that no row has are left out of the table, not of the file', () => {
  const tokens = { input: 7, cacheRead: 0, cacheWrite: 0, output: 4, reasoning: 5 }
  const table = tableOf({ shop: { ...figures(2, 1), tokens } })
  const shown = withoutEmptyColumns(table)
  const shownNames = shown.columns.map(({ name }) => name)
  expect(shownNames).toEqual(expect.arrayContaining(['Prompt', 'Answer', 'Reasoning']))
  expect(shownNames).not.toEqual(expect.arrayContaining(['Cache read']))
  expect(shownNames).not.toEqual(expect.arrayContaining(['Cache write']))
  expect(shown.rows[0]?.cells).toHaveLength(shownNames.length)
  expect(usageCsv('Tag', table)).toContain('Cache read (tokens)')
})
