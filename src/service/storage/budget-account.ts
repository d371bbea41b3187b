/** What one router or key spent and set aside in the current UTC day and month, in nano-dollars. */
import type { BudgetFigures, BudgetPeriod } from './budget-store.ts'
import type { DayCost } from './storage.ts'

const dayMs = 86_400_000

export class BudgetAccount implements BudgetFigures {
  day: BudgetPeriod
  month: BudgetPeriod

  constructor(nowMs: number) {
    this.day = dayOf(nowMs)
    this.month = monthOf(nowMs)
  }

  /** Begins the day and month of a time. Never an earlier one: a clock set back refills nothing. */
  advanceTo(nowMs: number): void {
    if (nowMs >= this.day.endMs) this.day = dayOf(nowMs)
    if (nowMs >= this.month.endMs) this.month = monthOf(nowMs)
  }

  /** Adds what was spent before, as the ledger has it; its latest day may lie after the clock's. */
  addHistory(days: readonly DayCost[]): void {
    for (const { dayStartMs } of days) this.advanceTo(dayStartMs)
    for (const { dayStartMs, costNanoUsd } of days) {
      if (dayStartMs >= this.day.startMs) this.day.spentNanoUsd += costNanoUsd
      if (dayStartMs >= this.month.startMs) this.month.spentNanoUsd += costNanoUsd
    }
  }
}

/** @returns Unix milliseconds */
export function startOfUtcMonth(timeMs: number): number {
  const time = new Date(timeMs)
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth())
}

function dayOf(timeMs: number): BudgetPeriod {
  const startMs = timeMs - (timeMs % dayMs)
  return newPeriod(startMs, startMs + dayMs)
}

function monthOf(timeMs: number): BudgetPeriod {
  const time = new Date(timeMs)
  const endMs = Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1)
  return newPeriod(startOfUtcMonth(timeMs), endMs)
}

function newPeriod(startMs: number, endMs: number): BudgetPeriod {
  return { startMs, endMs, spentNanoUsd: 0, reservedNanoUsd: 0 }
}
