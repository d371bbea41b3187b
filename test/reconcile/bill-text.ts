/** What the writers of generated bills share. They import nothing of the product. */
import type { DayBill } from './vendor-billing.ts'

export interface TextFile {
  name: string
  text: string
}

export const dollars = (nanoUsd: number, digits = 12) => (nanoUsd / 1e9).toFixed(digits)
export const seconds = (atMs: number) => atMs / 1000
export const pages = (data: unknown[], more: object = {}) =>
  JSON.stringify({ object: 'page', data, has_more: false, next_page: null, ...more }, null, 1)

export function spans<Result>(bills: readonly DayBill[], resultsOf: (bill: DayBill) => Result[]) {
  const days = new Map<string, { startMs: number; endMs: number; results: Result[] }>()
  for (const bill of bills) {
    const { startMs, endMs } = bill
    const day = days.get(bill.day) ?? { startMs, endMs, results: [] }
    days.set(bill.day, day)
    day.results.push(...resultsOf(bill))
  }
  return [...days.values()]
}
