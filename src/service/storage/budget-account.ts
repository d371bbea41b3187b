/**
 * The amounts that one router or key has spent and reserved in the current UTC day and month, in nano-dollars.
 */
import type { BudgetDifference, BudgetFigures, BudgetOwner, BudgetPeriod } from './budget-store.ts'
import type { DayCost } from './storage.ts'

const dayMs = 86_400_000

export class BudgetAccount implements BudgetFigures {
  day: BudgetPeriod
  month: BudgetPeriod

  constructor(nowMs: number) {
    this.day = dayOf(nowMs)
    this.month = monthOf(nowMs)
  }

  /** Starts the day and month of a time, unless they are earlier: setting the clock back refills nothing. */
  advanceTo(nowMs: number): void {
    this.#start(nowMs)
    if (nowMs < this.day.startMs) this.day.holdsEarlier = true
    if (nowMs < this.month.startMs) this.month.holdsEarlier = true
  }

  /** Adds the ledger's earlier spending; its latest day may be later than the clock's. */
  addHistory(days: readonly DayCost[]): void {
    for (const { dayStartMs } of days) this.#start(dayStartMs)
    for (const { dayStartMs, costNanoUsd } of days) {
      if (dayStartMs >= this.day.startMs) this.day.spentNanoUsd += costNanoUsd
      if (dayStartMs >= this.month.startMs) this.month.spentNanoUsd += costNanoUsd
    }
  }

  /** Adds what other processes spent. @param before  the figures when the days were read */
  addMissing(before: BudgetFigures, days: readonly DayCost[]): void {
    for (const { dayStartMs } of days) this.#start(dayStartMs)
    for (const name of ['day', 'month'] as const) {
      const period = this[name]
      const counted = before[name].startMs === period.startMs ? before[name].spentNanoUsd : 0
      const missing = Math.max(0, costIn(period, days) - counted)
      if (!period.holdsEarlier) period.spentNanoUsd += missing
    }
  }

  #start(timeMs: number): void {
    if (timeMs >= this.day.endMs) this.day = dayOf(timeMs)
    if (timeMs >= this.month.endMs) this.month = monthOf(timeMs)
  }
}

/** @returns Unix milliseconds */
export function startOfUtcMonth(timeMs: number): number {
  const time = new Date(timeMs)
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth())
}

/** The UTC day of a time, with nothing spent. */
export function dayOf(timeMs: number): BudgetPeriod {
  const startMs = timeMs - (timeMs % dayMs)
  return newPeriod(startMs, startMs + dayMs)
}

/** The UTC month of a time, with nothing spent. */
export function monthOf(timeMs: number): BudgetPeriod {
  const time = new Date(timeMs)
  const endMs = Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1)
  return newPeriod(startOfUtcMonth(timeMs), endMs)
}

function newPeriod(startMs: number, endMs: number): BudgetPeriod {
  return { startMs, endMs, spentNanoUsd: 0, reservedNanoUsd: 0 }
}

/** Where an owner's spent money is not that of its rows. Periods after a clock that was set back cannot be compared. */
export function differencesOf(
  owner: BudgetOwner,
  figures: BudgetFigures,
  costs: readonly DayCost[],
): BudgetDifference[] {
  return (['day', 'month'] as const).flatMap((period) => {
    const { startMs, endMs, spentNanoUsd: budgetNanoUsd, holdsEarlier = false } = figures[period]
    if (holdsEarlier) return []
    const rowsNanoUsd = costIn(figures[period], costs)
    if (budgetNanoUsd === rowsNanoUsd) return []
    return [{ owner, period, startMs, endMs, budgetNanoUsd, rowsNanoUsd }]
  })
}

function costIn({ startMs, endMs }: BudgetPeriod, days: readonly DayCost[]): number {
  return days
    .filter(({ dayStartMs }) => dayStartMs >= startMs && dayStartMs < endMs)
    .reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)
}

/** An owner of either kind, as the key of a map. */
export function nameOf({ kind, id }: BudgetOwner): string {
  return `${kind}:${id}`
}
