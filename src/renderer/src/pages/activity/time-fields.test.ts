import { expect, test } from 'vitest'
import { timeFieldsOf, timeOf } from './time-fields.ts'

test('the ends of the address are shown in the fields, and read back as the same times', () => {
  const fromMs = String(new Date(2026, 10, 22, 14, 5).getTime())
  const fields = timeFieldsOf({ fromMs })

  expect(fields).toEqual({ from: '2026-11-22T14:05', to: '' })
  expect(timeOf(fields.from)).toBe(fromMs)
})

test.each(['abc', '-5', '9000000000000000'])('the time %j leaves its field empty', (fromMs) => {
  expect(timeFieldsOf({ fromMs, toMs: 'NaN' })).toEqual({ from: '', to: '' })
})

test('the latest time of all is shown in every time zone', () => {
  expect(() => timeFieldsOf({ toMs: '8640000000000000' })).not.toThrow()
})
