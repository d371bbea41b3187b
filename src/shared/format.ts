/**
 * Formats numbers and times for people. The locale is always English, so that a figure looks the
 * same in the window, the terminal and tests. Null means unknown and gives a dash.
 */
import type { Budget } from './budget.ts'

const unknown = '—'
const locale = 'en-US'

const wholeCents = onFirstUse(
  () => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }),
)
const parts = onFirstUse(
  () =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: 'USD',
      maximumFractionDigits: 4,
    }),
)
const smallParts = onFirstUse(
  () =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: 'USD',
      maximumSignificantDigits: 3,
    }),
)
const count = onFirstUse(() => new Intl.NumberFormat(locale))
const compactCount = onFirstUse(
  () =>
    new Intl.NumberFormat(locale, {
      notation: 'compact',
      maximumSignificantDigits: 3,
    }),
)
const twoDigits = onFirstUse(() => new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 }))
const threeDigits = onFirstUse(() => new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }))
const relative = onFirstUse(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
const dateTime = onFirstUse(
  () =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
      hourCycle: 'h23',
    }),
)
const day = onFirstUse(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
const clock = onFirstUse(
  () => new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' }),
)
const shortClock = onFirstUse(
  () => new Intl.DateTimeFormat(locale, { timeStyle: 'short', hourCycle: 'h23' }),
)
const shortDay = onFirstUse(
  () => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }),
)

/** US dollars: two decimals from one dollar, three significant digits below a cent, `$0` when free. */
export function formatUsd(usd: number | null): string {
  if (usd === null) return unknown
  if (usd === 0) return '$0'
  if (usd >= 1) return wholeCents().format(usd)
  return usd >= 0.01 ? parts().format(usd) : smallParts().format(usd)
}

/** A budget: `$5.00 per day, $60.00 per month`; null without a budget. */
export function formatBudget({ budgetUsdPerDay, budgetUsdPerMonth }: Budget): string | null {
  const words = [
    ...(budgetUsdPerDay === null ? [] : [`${formatUsd(budgetUsdPerDay)} per day`]),
    ...(budgetUsdPerMonth === null ? [] : [`${formatUsd(budgetUsdPerMonth)} per month`]),
  ]
  return words.length === 0 ? null : words.join(', ')
}

/** The price per million tokens: `$0.15 in · $0.60 out`, `free` or `no price yet`. */
export function formatPrice(inputUsdPerMtok: number | null, outputUsdPerMtok: number | null) {
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return 'no price yet'
  if (inputUsdPerMtok === 0 && outputUsdPerMtok === 0) return 'free'
  return `${formatUsd(inputUsdPerMtok)} in · ${formatUsd(outputUsdPerMtok)} out`
}

/** Grams of CO2e with `≈` and two digits, because it is an estimate; zero below a microgram. */
export function formatGrams(grams: number | null): string {
  if (grams === null) return unknown
  if (grams >= 1000) return `≈ ${twoDigits().format(grams / 1000)} kg`
  if (grams >= 0.1) return `≈ ${twoDigits().format(grams)} g`
  if (grams >= 1e-6) return `≈ ${twoDigits().format(grams * 1000)} mg`
  return '≈ 0 g'
}

/** A duration in ms, s or min. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return unknown
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${threeDigits().format(ms / 1000)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A whole number with thousands separators. */
export function formatCount(value: number | null): string {
  return value === null ? unknown : count().format(value)
}

/** A short token count: `128K`. */
export function formatTokens(tokens: number | null): string {
  return tokens === null ? unknown : compactCount().format(tokens)
}

/** Bytes in decimal units. */
export function formatBytes(bytes: number): string {
  if (bytes >= 1e9) return `${twoDigits().format(bytes / 1e9)} GB`
  if (bytes >= 1e6) return `${Math.round(bytes / 1e6)} MB`
  return `${Math.round(bytes / 1e3)} kB`
}

const relativeUnits = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** A relative time: `3 minutes ago`, `in 2 days`, or `just now` within 30 seconds. */
export function formatRelativeTime(atMs: number | null, nowMs: number): string {
  if (atMs === null) return unknown
  const differenceMs = atMs - nowMs
  if (Math.abs(differenceMs) < 30_000) return 'just now'
  const [unit, unitMs] = relativeUnits.find(([, ms]) => Math.abs(differenceMs) >= ms) ?? [
    'minute',
    60_000,
  ]
  const amount = Math.trunc(differenceMs / unitMs) || Math.sign(differenceMs)
  return relative().format(amount, unit)
}

/** Date and time in the local time zone. */
export function formatDateTime(atMs: number): string {
  return dateTime().format(atMs)
}

/** The date in the local time zone. */
export function formatDay(atMs: number): string {
  return day().format(atMs)
}

/** The time with seconds in the local time zone. */
export function formatClock(atMs: number): string {
  return clock().format(atMs)
}

/** The label of a mark on a time axis. Its precision depends on the distance between marks. */
export function formatTimeMark(atMs: number, distanceMs: number): string {
  if (distanceMs < 60_000) return clock().format(atMs)
  return distanceMs < 86_400_000 ? shortClock().format(atMs) : shortDay().format(atMs)
}

/** A round span of time: `15 minutes`, `1 hour`, `2 days`. */
export function formatSpan(ms: number): string {
  const [unit, unitMs] = relativeUnits.find(([, size]) => ms >= size) ?? ['minute', 60_000]
  const amount = Math.round(ms / unitMs)
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

/** `openai:gpt-5.4-mini at medium effort`; the model alone where the router sends no effort. */
export function formatModelAt(model: string, effort: string | undefined): string {
  return effort === undefined ? model : `${model} at ${effort} effort`
}

/** Each formatter takes a millisecond to create, and a command needs few of them. */
function onFirstUse<Formatter>(create: () => Formatter): () => Formatter {
  let formatter: Formatter | null = null
  return () => (formatter ??= create())
}
