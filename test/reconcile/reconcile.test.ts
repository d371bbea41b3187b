/** Generated bills of each vendor against generated ledgers; `npm run reconcile:check` takes 10,000 requests for each. */
import { describe, expect, it } from 'vitest'
import type { Reconciliation } from '../../src/shared/requests/reconciliation.ts'
import { overbilled } from './bill-files.ts'
import {
  cases,
  causeSum,
  expectSums,
  isRounded,
  make,
  modelsOf,
  timeoutMs,
  usdOf,
  type Case,
} from './generated-cases.ts'
import { searchesPerDay } from './openai-and-anthropic-bills.ts'
import { runReconcile } from './run-reconcile.ts'
import {
  changeDay,
  dayCount,
  dayOf,
  firstDay,
  ledgerOf,
  map,
  midnight,
  nextDay,
  totalOf,
  type LedgerEntry,
  type VendorModel,
  type VendorRequest,
} from './vendor-billing.ts'

function plan(given: Case, isPlain = false) {
  const batch = given.form.tiers.includes('batch') ? 0.04 : 0
  const planted = { changesPrice: true, foreignShare: 0.06, tierShares: { batch } }
  const requests = make(given, isPlain ? {} : planted)
  return { models: modelsOf(given.form), requests, ledger: ledgerOf(requests) }
}

function daysAndModel(result: Reconciliation) {
  return result.lines.toSorted((a, b) => Math.abs(b.unexplainedUsd) - Math.abs(a.unexplainedUsd))[0]
}

/** Days that begin five hours after midnight in UTC. */
const eastern = 'Etc/GMT+5'

describe.each(cases)('$form.name in $timeZone', (given) => {
  const { form, timeZone } = given

  it(
    'explains a bill in which nothing is wrong',
    async () => {
      const { models, requests: all, ledger } = plan(given, true)
      const result = await runReconcile({
        form,
        models,
        ledger,
        files: form.write(all, timeZone),
        timeZone,
      })
      expect(result.problems).toEqual([])
      expectSums(result)
      expect(result.lines).toHaveLength(dayCount * 3 + (form.hasTools ? dayCount : 0))
      const tools = form.hasTools ? (dayCount * searchesPerDay) / 100 : 0
      expect(result.total.theirsUsd).toBeCloseTo(usdOf(all) + tools, 0)
      expect(result.total.unexplainedUsd / result.total.theirsUsd).toBeLessThanOrEqual(0.005)
      expect(causeSum(result, 'foreign')).toBeLessThanOrEqual(0.001 * result.total.theirsUsd)
      expect(result.prices).toEqual([])
      const kinds = result.lines.flatMap(({ causes }) => causes.map(({ kind }) => kind))
      expect(kinds).toContain('border')
    },
    timeoutMs,
  )

  it(
    'names other programs, a new price, batches, tools, midnight and rounding',
    async () => {
      const { models, requests: all, ledger } = plan(given)
      const files = form.write(all, timeZone)
      const result = await runReconcile({ form, models, ledger, files, timeZone })
      expectSums(result)
      const { total } = result
      expect(total.unexplainedUsd / total.theirsUsd).toBeLessThanOrEqual(0.005)
      const foreign = usdOf(all.filter(({ isForeign, tier }) => isForeign && tier !== 'batch'))
      // Cents of the Console hide more of a small bill.
      const error = Math.abs(causeSum(result, 'foreign') / foreign - 1)
      expect(error).toBeLessThan(isRounded(form) ? 0.06 : 0.04)
      const batch = usdOf(all.filter(({ tier }) => tier === 'batch'))
      expect(Math.abs(causeSum(result, 'tier') - batch)).toBeLessThanOrEqual(
        (isRounded(form) ? 0.03 : 0.02) * batch,
      )
      const search = form.hasTools ? (searchesPerDay * dayCount) / 100 : 0
      expect(causeSum(result, 'class')).toBeCloseTo(search, 1)
      expect(result.prices).toMatchObject([
        { modelId: `vendor:${models[1]?.name}`, from: changeDay, inputUsdPerMtok: 2 },
      ])
      expect(result.prices[0]?.outputUsdPerMtok).toBeCloseTo(12.5, 1)
      expect(result.prices[0]?.fromMs).toBe(midnight(changeDay, timeZone))
      const kinds = result.lines.flatMap(({ causes }) => causes.map(({ kind }) => kind))
      expect(kinds.includes('rounding') || !isRounded(form)).toBe(true)
    },
    timeoutMs,
  )

  it(
    'shows 2 % too much of one model on one day, and nothing else',
    async () => {
      const { models, requests: all, ledger } = plan(given)
      const day = nextDay(firstDay, 4)
      const model = models[0]
      const isMeant = (request: VendorRequest) =>
        request.model.name === model?.name &&
        request.tier !== 'batch' &&
        dayOf(request.endMs, timeZone) === day
      const files = form.write(overbilled(all, isMeant, 1.02), timeZone)
      const result = await runReconcile({ form, models, ledger, files, timeZone })
      expectSums(result)
      const found = daysAndModel(result)
      expect(found).toMatchObject({ day, model: `vendor:${model?.name}` })
      const planted = 0.02 * usdOf(all.filter(isMeant))
      expect(Math.abs((found?.unexplainedUsd ?? 0) / planted - 1)).toBeLessThan(0.15)
    },
    timeoutMs,
  )

  it(
    'begins the days of a bill where its own zone does',
    async () => {
      const { models, requests: all, ledger } = plan(given, true)
      const files = form.write(all, eastern)
      const result = await runReconcile({ form, models, ledger, files, timeZone: eastern })
      expect(result.offsetMinutes).toBe(null)
    },
    timeoutMs,
  )
})

it.each(cases.filter(({ form }) => form.hasWrites))(
  '$form.name in $timeZone names cache writes that the ledger does not have, with their day and model',
  async (given) => {
    const { form, timeZone } = given
    const { models, requests: all, ledger } = plan(given, true)
    const day = nextDay(firstDay, 6)
    const name = models[2]?.name
    const isMeant = (entry: LedgerEntry) =>
      entry.name === name && dayOf(entry.atMs, timeZone) === day
    const without = ledger.map((entry) => (isMeant(entry) ? withoutWrites(entry, models) : entry))
    const files = form.write(all, timeZone)
    const result = await runReconcile({ form, models, ledger: without, files, timeZone })
    const found = result.lines.filter(({ causes }) =>
      causes.some(({ kind, usd }) => kind === 'cacheWrites' && usd > 0.01),
    )
    expect(found).toMatchObject([{ day, model: `vendor:${name}` }])
    const missing = sum(ledger.filter(isMeant)) - sum(without.filter(isMeant))
    const named = found[0]?.causes.find(({ kind }) => kind === 'cacheWrites')?.usd ?? 0
    // Of the 55 requests of a day, those around midnight have a cause of their own.
    expect(Math.abs(named / missing - 1)).toBeLessThan(0.15)
  },
  timeoutMs,
)

it.each(cases.filter(({ form }) => !form.hasWrites))(
  '$form.name in $timeZone names cached prompts that the ledger counts as others, with their day and model',
  async (given) => {
    const { form, timeZone } = given
    const { models, requests: all, ledger } = plan(given, true)
    const day = nextDay(firstDay, 6)
    const name = models[2]?.name
    const isMeant = (entry: LedgerEntry) =>
      entry.name === name && dayOf(entry.atMs, timeZone) === day
    const uncached = ledger.map((entry) => (isMeant(entry) ? withoutReads(entry, models) : entry))
    const files = form.write(all, timeZone)
    const result = await runReconcile({ form, models, ledger: uncached, files, timeZone })
    const found = result.lines.filter(({ causes }) =>
      causes.some(({ kind, usd }) => kind === 'cacheReads' && usd < -0.001),
    )
    expect(found).toMatchObject([{ day, model: `vendor:${name}` }])
  },
  timeoutMs,
)

// Other forms have the moments of their days.
it.each(cases.filter(({ form }) => form.providerType === 'mistral' || isRounded(form)))(
  '$form.name in $timeZone finds the hour at which the bill begins its days, when another zone is chosen',
  async (given) => {
    const { form } = given
    const { models, requests: all, ledger } = plan(given, true)
    const files = form.write(all, eastern)
    const inUtc = await runReconcile({ form, models, ledger, files, timeZone: 'UTC' })
    expect(inUtc.offsetMinutes).toBe(-300)
    expect(inUtc.total.unexplainedUsd / inUtc.total.theirsUsd).toBeLessThanOrEqual(0.005)
    const kinds = inUtc.lines.flatMap(({ causes }) => causes.map(({ kind }) => kind))
    expect(kinds).toContain('border')
  },
  timeoutMs,
)

function withoutWrites(entry: LedgerEntry, models: readonly VendorModel[]): LedgerEntry {
  const tokens = { ...entry.tokens, write5m: 0, write1h: 0 }
  return { ...entry, tokens, nanoUsd: priceOf(entry, tokens, models) }
}

function withoutReads(entry: LedgerEntry, models: readonly VendorModel[]): LedgerEntry {
  const { input, cacheRead } = entry.tokens
  const tokens = { ...entry.tokens, input: input + cacheRead, cacheRead: 0 }
  return { ...entry, tokens, nanoUsd: priceOf(entry, tokens, models) }
}

function priceOf(
  { name }: LedgerEntry,
  tokens: LedgerEntry['tokens'],
  models: readonly VendorModel[],
): number {
  const prices = models.find((model) => model.name === name)?.prices
  return Math.round(totalOf(map((one) => tokens[one] * (prices?.[one] ?? 0) * 1000)))
}

function sum(entries: readonly LedgerEntry[]): number {
  return entries.reduce((all, { nanoUsd }) => all + nanoUsd, 0) / 1e9
}
