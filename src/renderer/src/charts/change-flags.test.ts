import { expect, test } from 'vitest'
import { emptyFigures, sampleReport } from '../../../../test/renderer-harness/sample-report.ts'
import type { RouterChange } from '../../../shared/routers/router-change.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf } from './buckets.ts'
import { changeFlags } from './change-flags.ts'
import { tipRowsOf } from './chart-series.ts'
import { decisionsOf } from './decisions.ts'
import { formatClock, formatDateTime } from '../../../shared/strings/format.ts'

const colourOf = () => ({ color: 'red', isHatched: false })

const hourMs = 3_600_000
const range: UsageRange = {
  name: '24h',
  fromMs: 0,
  toMs: 6 * hourMs,
  bucketMs: hourMs,
  offsetMs: 0,
}
const report = sampleReport(
  [0, 3].map((hour) => ({
    startMs: hour * hourMs,
    groups: { 'a:x': emptyFigures({ requests: 2 }) },
  })),
)
const buckets = bucketsOf(report, range)
const strategy = { field: 'strategy', from: 'priority', to: 'cost_optimized' }
const change = (hour: number, ...fields: RouterChange['fields']): RouterChange => ({
  atMs: hour * hourMs,
  fields,
})

test('changes within the range are flags with what changed, the oldest first', () => {
  const changes = [
    change(7, strategy),
    change(
      4,
      { field: 'model', from: 'a:y', to: null },
      { field: 'timeLimits', from: null, to: null },
    ),
    change(1, strategy, { field: 'routing.qualityTolerance', from: null, to: '0.1' }),
  ]
  expect(changeFlags(changes, range, buckets).flags).toEqual([
    { atMs: hourMs, lines: ['Strategy: Priority → Cost optimized', 'Quality tolerance: — → 0.1'] },
    { atMs: 4 * hourMs, lines: ['Removed a:y', 'Timeouts changed'] },
  ])
})

test('the cursor reads every flag at a bucket with requests', () => {
  const { flagsAt } = changeFlags([change(5, strategy), change(1.5, strategy)], range, buckets)
  const counts = buckets.map((bucket) => flagsAt(bucket).length)
  expect(counts).toEqual([0, 0, 0, 2, 0, 0])
})

test('the sentence and the table of Decisions name the changes', () => {
  const { text } = decisionsOf(report, range, {
    base: {},
    changes: [change(1, strategy)],
    colourOf,
  })
  expect(text.sentence).toContain(
    'a:x was chosen most: 100 % of 4 requests. Settings changed once on ',
  )
  expect(text.sentence).toMatch(/: Strategy: Priority → Cost optimized\.$/)
  expect(text.table.columns).toEqual(['Time', 'Changes', 'a:x'])
  expect(text.table.rows.map(({ cells }) => cells.slice(1))).toEqual([
    ['', '2'],
    [expect.stringMatching(/ Strategy: Priority → Cost optimized$/), '2'],
  ])
})

test('beside the pointer, changes come first, with a date when the bucket has another day', () => {
  const tips = (over: Partial<UsageRange>, atMs: number) => {
    const shown = { ...range, ...over }
    const changes = [{ atMs, fields: [strategy] }]
    const decisions = decisionsOf(report, shown, { base: {}, changes, colourOf })
    const bucket = decisions.buckets.findLast(({ point }) => point !== null)
    return bucket
      ? tipRowsOf(decisions.buckets, decisions.series, bucket).map(({ name }) => name)
      : []
  }
  const line = 'Strategy: Priority → Cost optimized'
  const within = 3.5 * hourMs
  expect(tips({}, within)).toEqual([`${formatClock(within)} ${line}`, 'a:x'])
  const after = 5 * hourMs
  expect(tips({}, after)).toEqual([`${formatDateTime(after)} ${line}`, 'a:x'])
  const wholeDay = { toMs: 24 * hourMs, bucketMs: 24 * hourMs }
  expect(tips(wholeDay, within)).toEqual([`${formatDateTime(within)} ${line}`, 'a:x'])
})

test('without a change, the table has no column for changes', () => {
  expect(decisionsOf(report, range, { base: {}, colourOf }).text.table.columns).toEqual([
    'Time',
    'a:x',
  ])
})
