/** The bill's side of a comparison: its entries by day, model and tier. */
import type { BillProblem, BillTier } from '../../shared/requests/reconciliation.ts'
import type { BillEntry, CostName, TokenName } from './bill.ts'
import { dayAfter, daysIn, type Days } from './days.ts'
import type { Bill } from './read-bill.ts'

/** The entries of a model and a tier on a day. */
export interface TheirSum {
  day: string
  /** The bill's name; null for costs without a model. */
  name: string | null
  tier: BillTier
  /** Null if no entry counts them. */
  requests: number | null
  tokens: Partial<Record<TokenName, number>>
  /** Nano-dollars. */
  costs: Partial<Record<CostName, number>>
  /** The bill's words for `other` costs and credits. */
  label: string | null
  /** Most that rounding of the entries' amounts can have changed, in nano-dollars. */
  roundingNanoUsd: number
}

export interface TheirSums {
  sums: TheirSum[]
  /** The first and the last day; null without entries. */
  days: { from: string; to: string } | null
  /** The first and last moment, for bills with the moments of requests; otherwise null. */
  moments: { firstMs: number; lastMs: number } | null
}

/** Entries that span two days of the zone become problems. */
export function sumByDay(bill: Bill, timeZone: string): TheirSums & { problems: BillProblem[] } {
  const days = daysIn(timeZone)
  const rounding = roundingOf(bill.entries)
  const sums = new Map<string, TheirSum>()
  const problems: BillProblem[] = []
  let moments: TheirSums['moments'] = null
  for (const entry of bill.entries) {
    const { file, at, untilMs } = entry
    const day = typeof at === 'string' ? at : days.dayOf(at)
    if (typeof at === 'number' && untilMs !== null && !isWithin(day, untilMs, days)) {
      const hint = `Choose the time zone in which the bill's days begin.`
      const reason = `The row covers parts of several days in ${timeZone}. ${hint}`
      problems.push({ file, line: entry.line, reason })
      continue
    }
    add(sums, { day, entry, rounding })
    if (typeof at !== 'number' || untilMs !== null) continue
    const before: { firstMs: number; lastMs: number } = moments ?? { firstMs: at, lastMs: at }
    moments = { firstMs: Math.min(before.firstMs, at), lastMs: Math.max(before.lastMs, at) }
  }
  const found = [...new Set([...sums.values()].map(({ day }) => day))].toSorted()
  const [from] = found
  const to = found.at(-1)
  const range = from === undefined || to === undefined ? null : { from, to }
  return { sums: [...sums.values()], days: range, moments, problems }
}

function isWithin(day: string, untilMs: number, days: Days): boolean {
  return untilMs <= days.startOf(dayAfter(day))
}

/** Half a unit of the last decimal that any amount of a file has, in nano-dollars by file. */
function roundingOf(entries: readonly BillEntry[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>()
  for (const { file, decimals } of entries) {
    if (decimals !== null) most.set(file, Math.max(most.get(file) ?? 0, decimals))
  }
  return new Map([...most].map(([file, decimals]) => [file, 0.5 * 10 ** (9 - decimals)]))
}

interface EntryOfDay {
  day: string
  entry: BillEntry
  rounding: ReadonlyMap<string, number>
}

function add(sums: Map<string, TheirSum>, { day, entry, rounding }: EntryOfDay): void {
  const { model: name, tier, requests, tokens, costs } = entry
  const isNamed = 'other' in costs || 'credit' in costs
  const label = isNamed ? entry.label : null
  const key = JSON.stringify([day, name, tier, label])
  const sum = sums.get(key) ?? emptySum({ day, name, tier, label })
  sums.set(key, sum)
  if (requests !== null) sum.requests = (sum.requests ?? 0) + requests
  addTo(sum.tokens, tokens)
  addTo(sum.costs, costs)
  if (entry.decimals !== null) sum.roundingNanoUsd += rounding.get(entry.file) ?? 0
}

function emptySum(names: Pick<TheirSum, 'day' | 'name' | 'tier' | 'label'>): TheirSum {
  return { ...names, requests: null, tokens: {}, costs: {}, roundingNanoUsd: 0 }
}

function addTo<Name extends string>(
  sums: Partial<Record<Name, number>>,
  values: Partial<Record<Name, number>>,
): void {
  for (const name in values) sums[name] = (sums[name] ?? 0) + (values[name] ?? 0)
}
