/** Causes that few bills have, each planted in bills of every form that can show it. */
import { describe, expect, it } from 'vitest'
import type { Cause, CauseKind } from '../../src/shared/requests/reconciliation.ts'
import {
  cases,
  causeSum,
  expectSums,
  make,
  modelsOf,
  timeoutMs,
  usdOf,
  type Case,
} from './generated-cases.ts'
import { runReconcile } from './run-reconcile.ts'
import {
  billedRequests,
  dayCount,
  dayOf,
  firstDay,
  ledgerOf,
  listPrice,
  midnight,
  nextDay,
  promptOf,
  type LedgerEntry,
  type VendorPlan,
  type VendorRequest,
} from './vendor-billing.ts'

const hourMs = 3_600_000
const lastDay = nextDay(firstDay, dayCount - 1)

type Planted = Partial<VendorPlan> & { creditNanoUsd?: number }

interface Found {
  made: VendorRequest[]
  causes: Cause[]
  usdBy: (kind: CauseKind) => number
}

async function find(given: Case, planted: Planted): Promise<Found> {
  const { form, timeZone } = given
  const { creditNanoUsd, ...parts } = planted
  const models = modelsOf(form)
  const made = make(given, parts)
  const files = form.write(billedRequests(made), timeZone, creditNanoUsd)
  const result = await runReconcile({ form, models, ledger: ledgerOf(made), files, timeZone })
  expect(result.problems).toEqual([])
  expectSums(result)
  expect(result.total.unexplainedUsd / result.total.theirsUsd).toBeLessThanOrEqual(0.005)
  const causes = result.lines.flatMap((line) => line.causes)
  return { made, causes, usdBy: (kind) => causeSum(result, kind) }
}

function relativeError(usd: number, planted: number): number {
  return Math.abs(usd / planted - 1)
}

function listUsd(entries: readonly LedgerEntry[]): number {
  return entries.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0) / 1e9
}

/** What models that failed took, by day and model: less where another one answered, more where it is billed. */
function failedUsd(made: readonly VendorRequest[], timeZone: string): number[] {
  const moved = new Map<string, number>()
  for (const { failed, model, atMs, tokens } of made) {
    if (failed === null) continue
    const usd = listPrice(promptOf({ tokens }), failed) / 1e9
    for (const [name, part] of [
      [model.name, -usd],
      [failed.name, usd],
    ] as const) {
      const line = `${dayOf(atMs, timeZone)} ${name}`
      moved.set(line, (moved.get(line) ?? 0) + part)
    }
  }
  return [...moved.values()]
}

describe.each(cases.filter(({ form }) => form.tiers.includes('flex')))(
  '$form.name in $timeZone',
  (given) => {
    it(
      'names what flex and priority cost beyond the listed price',
      async () => {
        const { made, causes, usdBy } = await find(given, {
          tierShares: { flex: 0.05, priority: 0.05 },
        })
        const ofTier = made.filter(({ tier }) => tier !== 'standard')
        expect(
          relativeError(usdBy('tier'), usdOf(ofTier) - listUsd(ledgerOf(ofTier))),
        ).toBeLessThan(0.02)
        expect(causes.map(({ kind }) => kind)).not.toContain('price')
      },
      timeoutMs,
    )
  },
)

describe.each(cases.filter(({ form }) => form.hasParts))('$form.name in $timeZone', (given) => {
  it(
    'names what audio and images cost beyond text',
    async () => {
      const { made, usdBy } = await find(given, { audioShare: 0.05, imageShare: 0.05 })
      const beyond = usdOf(made) - listUsd(ledgerOf(made))
      expect(relativeError(usdBy('class'), beyond)).toBeLessThan(0.02)
    },
    timeoutMs,
  )
})

describe.each(cases.filter(({ form }) => form.hasCredits))('$form.name in $timeZone', (given) => {
  it(
    'names a credit of each day',
    async () => {
      const { usdBy } = await find(given, { creditNanoUsd: 1.5e9 })
      expect(relativeError(usdBy('credit'), -1.5 * dayCount)).toBeLessThan(1e-6)
    },
    timeoutMs,
  )
})

describe.each(cases)('$form.name in $timeZone', (given) => {
  const { form, timeZone } = given

  it(
    'names what was estimated',
    async () => {
      const { made, usdBy } = await find(given, { estimatedShare: 0.3 })
      // Requests around midnight hide a part.
      expect(relativeError(usdBy('estimated'), usdOf(made) - listUsd(ledgerOf(made)))).toBeLessThan(
        0.3,
      )
    },
    timeoutMs,
  )

  it(
    'moves what a model that failed took to where it was billed',
    async () => {
      const { made, causes } = await find(given, { failedShare: 0.02 })
      const moved = causes.filter(({ kind }) => kind === 'severalModels').map(({ usd }) => usd)
      const sumOf = (values: readonly number[]) => values.reduce((sum, usd) => sum + usd, 0)
      const planted = failedUsd(made, timeZone)
      expect(Math.abs(sumOf(moved)) / sumOf(planted.map(Math.abs))).toBeLessThan(0.25)
      const amounts = [moved, planted].map((values) => sumOf(values.map(Math.abs)))
      expect(relativeError(amounts[0] ?? 0, amounts[1] ?? 0)).toBeLessThan(0.4)
    },
    timeoutMs,
  )

  it(
    'names the hours of its last day that the bill does not have yet',
    async () => {
      const models = modelsOf(form)
      const made = make(given)
      const cutMs = midnight(lastDay, timeZone) + 14 * hourMs
      const nowMs = cutMs + 3 * hourMs
      const ledger = ledgerOf(made.filter(({ atMs }) => atMs < nowMs))
      const files = form.write(
        made.filter(({ endMs }) => endMs < cutMs),
        timeZone,
      )
      const result = await runReconcile({ form, models, ledger, files, timeZone, nowMs })
      expectSums(result)
      expect(result.total.unexplainedUsd / result.total.theirsUsd).toBeLessThanOrEqual(0.005)
      const missing = made.filter(({ atMs, endMs }) => atMs < nowMs && endMs >= cutMs)
      expect(relativeError(causeSum(result, 'partialDay'), -usdOf(missing))).toBeLessThan(0.2)
      const days = result.lines.flatMap(({ day, causes }) =>
        causes.some(({ kind }) => kind === 'partialDay') ? [day] : [],
      )
      expect(new Set(days)).toEqual(new Set([lastDay]))
    },
    timeoutMs,
  )
})

describe.each(cases.filter(({ form }) => form.hasRequests))('$form.name in $timeZone', (given) => {
  it(
    'names hidden tokens that the ledger does not have, with their day and model',
    async () => {
      const { form, timeZone } = given
      const models = modelsOf(form)
      const made = make(given)
      const [model] = models
      const day = nextDay(firstDay, 6)
      const isMeant = ({ atMs, name }: LedgerEntry) =>
        name === model?.name && dayOf(atMs, timeZone) === day
      const ledger = ledgerOf(made)
      const without = ledger.map((entry) => {
        const { tokens, reasoning, nanoUsd } = entry
        if (!isMeant(entry)) return entry
        const output = tokens.output - reasoning
        const less = reasoning * (model?.prices.output ?? 0) * 1000
        return { ...entry, tokens: { ...tokens, output }, reasoning: 0, nanoUsd: nanoUsd - less }
      })
      const files = form.write(made, timeZone)
      const result = await runReconcile({ form, models, ledger: without, files, timeZone })
      expectSums(result)
      const found = result.lines.filter(({ causes }) =>
        causes.some(({ billClass }) => billClass === 'reasoning'),
      )
      expect(found).toMatchObject([{ day, model: `vendor:${model?.name}` }])
      expect(
        relativeError(causeSum(result, 'class'), listUsd(ledger) - listUsd(without)),
      ).toBeLessThan(0.15)
    },
    timeoutMs,
  )
})
