import { expect, test } from 'vitest'
import { isMissed } from '../../bench/measurement.ts'
import { testRows } from '../../torture/run-check.ts'

test('a failed test is named, and missing counts are no figures', () => {
  const report = {
    numPassedTests: 0,
    testResults: [
      {
        assertionResults: [
          { status: 'failed', title: 'the time limit is never early' },
          { status: 'passed', title: 'another' },
        ],
      },
    ],
  }
  const rows = testRows(JSON.stringify(report))
  expect(rows.map(({ what }) => what)).toEqual(['failed test “the time limit is never early”'])
  expect(rows.every(isMissed)).toBe(true)
  expect(testRows('{}')).toEqual([])
})
