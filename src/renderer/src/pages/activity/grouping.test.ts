import { expect, test, vi } from 'vitest'
import { emptyFigures, sampleReport } from '../../../../../test/renderer-harness/sample-report.ts'
import { formatDay } from '../../../../shared/strings/format.ts'
import { bucketStarts, rangeAt } from '../../usage/range.ts'
import { groupRows } from './grouping.ts'

vi.hoisted(() => {
  vi.stubEnv('TZ', 'Europe/Berlin')
})

test('days before the clocks go forward keep their date', () => {
  const range = rangeAt('30d', new Date(2026, 3, 5, 12).getTime())
  const report = sampleReport(
    bucketStarts(range).map((startMs) => ({ startMs, groups: { '': emptyFigures({}) } })),
  )
  const names = { router: String, key: String, conversation: String }
  const days = groupRows(report, 'day', { names, range }).map(({ name }) => name)
  expect(new Date(2026, 3, 5).getTimezoneOffset()).not.toBe(
    new Date(2026, 2, 20).getTimezoneOffset(),
  )
  expect(days).toEqual(
    Array.from({ length: 30 }, (_, index) => formatDay(new Date(2026, 2, 7 + index, 12).getTime())),
  )
})
