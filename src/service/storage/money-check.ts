/** What the hourly check of money compares, and what it finds. */
import type { MoneyEvidence } from '../../shared/requests/finding.ts'

export interface MoneyQuery {
  /** Starts of UTC hours whose totals are compared with their requests, and their price with a known one. */
  hours: readonly number[]
  /** Starts of UTC days whose totals are compared with their hours. */
  days: readonly number[]
  /** The hours after the first so many requests are left for the next check. */
  mostRows: number
  /** Requests that were answered and must have one row. */
  answeredIds: readonly string[]
}

export interface MoneyDifference {
  evidence: MoneyEvidence
  /** Requests behind it, where they are known by id. */
  requestIds: string[]
}

export interface MoneyCheck {
  differences: MoneyDifference[]
  /** How many of the query's hours were compared. */
  hours: number
}
