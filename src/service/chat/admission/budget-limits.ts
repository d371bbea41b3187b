/** The limits of one request's budgets, and the words of a refusal. */
import { budgetName, type Budget } from '../../../shared/routers/budget.ts'
import { formatUsd } from '../../../shared/strings/format.ts'
import { ServiceError } from '../../errors.ts'
import type { BudgetFigures, BudgetOwner, BudgetPeriod } from '../../storage/budget-store.ts'
import type { Plan } from '../chat-call.ts'
import type { Allowance } from './allowance.ts'
import type { CostFactors } from './reservation.ts'

export interface OwnedBudget {
  owner: BudgetOwner
  budget: Budget
}

/** One budget that applies to a request. */
export interface Limit {
  /** `the key’s budget of $5.00 a day` */
  name: string
  limitNanoUsd: number
  period: Pick<BudgetPeriod, 'spentNanoUsd' | 'reservedNanoUsd'>
  /** Infinity for a budget that never resets. */
  resetsAtMs: number
}

export function limitsOf({ owner, budget }: OwnedBudget, { day, month }: BudgetFigures): Limit[] {
  const { budgetUsdPerDay, budgetUsdPerMonth } = budget
  const all = [
    { per: 'day', usd: budgetUsdPerDay, period: day },
    { per: 'month', usd: budgetUsdPerMonth, period: month },
  ] as const
  return all.flatMap(({ per, usd, period }) => {
    if (usd === null) return []
    const limitNanoUsd = Math.round(usd * 1e9)
    const name = budgetName(owner.kind, inUsd(limitNanoUsd), per)
    return [{ name, limitNanoUsd, period, resetsAtMs: period.endMs }]
  })
}

export function limitOfAllowance(allowance: Allowance): Limit {
  const { name, limitNanoUsd } = allowance
  const named = `${name} of ${inUsd(limitNanoUsd)}`
  return { name: named, limitNanoUsd, period: allowance, resetsAtMs: Infinity }
}

export function leftIn({ limitNanoUsd, period }: Limit): number {
  return limitNanoUsd - period.spentNanoUsd - period.reservedNanoUsd
}

export function wordsFor(nanoUsd: number, limits: readonly Limit[]): string {
  if (nanoUsd === Infinity) return 'has no known context, which would bound the cost of the request'
  const limit = tooSmall(limits, nanoUsd)
  const left = limit && `${inUsd(leftIn(limit))} is left of ${limit.name}`
  return `can cost ${inUsd(nanoUsd)}, ${left ?? 'which the budget does not cover'}`
}

export function exceeded(limits: readonly Limit[], nanoUsd: number): ServiceError {
  const limit = tooSmall(limits, nanoUsd)
  const message = limit
    ? `${capitalised(limit.name)} does not cover this request: ${inUsd(leftIn(limit))} is left, the request can cost ${inUsd(nanoUsd)}.${resetText(limit)}`
    : 'The budget does not cover this request.'
  return new ServiceError('budget_exceeded', message, { headers: { 'x-should-retry': 'false' } })
}

/** Error for a plan without a model of known context, which would bound what the vendor bills for a field. */
export function unknownContext({ later }: CostFactors, { ranked }: Plan): ServiceError {
  const param = later.unread ?? 'messages'
  const models = ranked.map(({ model }) => model).join(', ')
  return new ServiceError(
    'invalid_parameter',
    `"${param}" is not accepted where a budget applies, because the cost of what it refers to is bounded only by the ` +
      `model's context, which is not known for ${models}. Enter the model's context, send the whole text, or use a key ` +
      'and a router without a budget.',
    { param },
  )
}

/** The budget that resets last, among those that are too small. */
function tooSmall(limits: readonly Limit[], nanoUsd: number): Limit | undefined {
  return limits
    .filter((limit) => leftIn(limit) < nanoUsd)
    .toSorted((a, b) => byNumber(b.resetsAtMs, a.resetsAtMs) || leftIn(a) - leftIn(b))[0]
}

/** Comparison instead of a difference, because Infinity - Infinity is NaN. */
function byNumber(a: number, b: number): number {
  return a === b ? 0 : a - b
}

function resetText({ resetsAtMs }: Limit): string {
  return resetsAtMs === Infinity ? '' : ` It resets at ${isoSecond(resetsAtMs)}.`
}

function inUsd(nanoUsd: number): string {
  return formatUsd(Math.max(0, nanoUsd) / 1e9)
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function isoSecond(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('.000Z', 'Z')
}

export function notKnown(cause: unknown): ServiceError {
  return new ServiceError(
    'storage_unavailable',
    'The spending so far cannot be read at the moment, so the request was not sent.',
    { cause, headers: { 'retry-after': '5' } },
  )
}
