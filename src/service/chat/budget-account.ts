/** What one router or key spent and set aside in the current UTC day and month, in nano-dollars. */
import type { Budget } from '../../shared/budget.ts'
import type { DayCost } from '../storage/storage.ts'

const dayMs = 86_400_000
/** An hour of a day, a day of a month. */
const leastShareOver = 0.04

/** Money of one stretch of time; requests keep to the one they began in. */
export interface Period {
  startMs: number
  endMs: number
  spentNanoUsd: number
  /** For requests under way. */
  reservedNanoUsd: number
}

export class Account {
  day: Period
  month: Period

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

  /**
   * What was spent over what an even pace through the budget allows by now, of the tighter of day and
   * month; null without a budget.
   */
  paceOf({ budgetUsdPerDay, budgetUsdPerMonth }: Budget, nowMs: number): number | null {
    const paces = [
      ...(budgetUsdPerDay === null ? [] : [paceIn(budgetUsdPerDay, this.day, nowMs)]),
      ...(budgetUsdPerMonth === null ? [] : [paceIn(budgetUsdPerMonth, this.month, nowMs)]),
    ]
    return paces.length === 0 ? null : Math.max(...paces)
  }
}

/** Of a period that has just begun, its first hour or day counts as over: anything would be ahead. */
function paceIn(usd: number, { startMs, endMs, spentNanoUsd }: Period, nowMs: number): number {
  const over = (nowMs - startMs) / (endMs - startMs)
  const allowed = usd * 1e9 * Math.min(1, Math.max(over, leastShareOver))
  return spentNanoUsd === 0 ? 0 : spentNanoUsd / allowed
}

/** @returns Unix milliseconds */
export function startOfUtcMonth(timeMs: number): number {
  const time = new Date(timeMs)
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth())
}

function dayOf(timeMs: number): Period {
  const startMs = timeMs - (timeMs % dayMs)
  return newPeriod(startMs, startMs + dayMs)
}

function monthOf(timeMs: number): Period {
  const time = new Date(timeMs)
  const endMs = Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1)
  return newPeriod(startOfUtcMonth(timeMs), endMs)
}

function newPeriod(startMs: number, endMs: number): Period {
  return { startMs, endMs, spentNanoUsd: 0, reservedNanoUsd: 0 }
}
