/**
 * Formats numbers and times for people. Numbers, money and dates follow the locale of `setFormatLocale`; words
 * follow the language, and times have 24 hours, so that columns align. Null means unknown and gives a dash.
 */
import type { Budget } from '../routers/budget.ts'
import { formatLocale } from './format-locale.ts'
import { joinWords } from './join.ts'
import { language, t } from './strings.ts'

const unknown = '—'

interface Formatters {
  freeUsd: Intl.NumberFormat
  wholeCents: Intl.NumberFormat
  centParts: Intl.NumberFormat
  smallParts: Intl.NumberFormat
  compactUsd: Intl.NumberFormat
  count: Intl.NumberFormat
  compactCount: Intl.NumberFormat
  twoDigits: Intl.NumberFormat
  threeDigits: Intl.NumberFormat
  whole: Intl.NumberFormat
  tenths: Intl.NumberFormat
  dateTime: Intl.DateTimeFormat
  day: Intl.DateTimeFormat
  clock: Intl.DateTimeFormat
  shortClock: Intl.DateTimeFormat
  shortDay: Intl.DateTimeFormat
  relative: Intl.RelativeTimeFormat
}

// `$` in every locale: other dollars do not occur.
const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
const hours = { hourCycle: 'h23' } as const

const create: { [Name in keyof Formatters]: (locale: string) => Formatters[Name] } = {
  freeUsd: (locale) => new Intl.NumberFormat(locale, { ...dollars, maximumFractionDigits: 0 }),
  wholeCents: (locale) => new Intl.NumberFormat(locale, dollars),
  centParts: (locale) => new Intl.NumberFormat(locale, { ...dollars, maximumFractionDigits: 4 }),
  smallParts: (locale) =>
    new Intl.NumberFormat(locale, { ...dollars, maximumSignificantDigits: 3 }),
  compactUsd: (locale) =>
    new Intl.NumberFormat(locale, {
      ...dollars,
      notation: 'compact',
      minimumFractionDigits: 0,
      maximumSignificantDigits: 3,
    }),
  count: (locale) => new Intl.NumberFormat(locale),
  compactCount: (locale) =>
    new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }),
  twoDigits: (locale) => new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 }),
  threeDigits: (locale) => new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }),
  whole: (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }),
  tenths: (locale) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  dateTime: (locale) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', ...hours }),
  day: (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }),
  clock: (locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium', ...hours }),
  shortClock: (locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...hours }),
  shortDay: (locale) => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }),
  // Its words are part of sentences.
  relative: () => new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }),
}

/** Each formatter takes a millisecond to create, and a command needs few of them. */
let created: Partial<Formatters> = {}
let createdFor = ''

function use<Name extends keyof Formatters>(name: Name): Formatters[Name] {
  const locale = formatLocale()
  const wanted = `${locale} ${language()}`
  if (wanted !== createdFor) {
    created = {}
    createdFor = wanted
  }
  const formatter: Formatters[Name] = created[name] ?? create[name](locale)
  created[name] = formatter
  return formatter
}

/** US dollars: two decimals from one dollar, three significant digits below a cent, `$0` when free. */
export function formatUsd(usd: number | null): string {
  if (usd === null) return unknown
  if (usd === 0) return use('freeUsd').format(0)
  const size = Math.abs(usd)
  if (size >= 1) return use('wholeCents').format(usd)
  return size >= 0.01 ? use('centParts').format(usd) : use('smallParts').format(usd)
}

/** US dollars in few characters: `$12.5K` from a thousand dollars. */
export function formatShortUsd(usd: number): string {
  return Math.abs(usd) >= 1000 ? use('compactUsd').format(usd) : formatUsd(usd)
}

/** A budget: `$5.00 per day, $60.00 per month`; null without a budget. */
export function formatBudget({ budgetUsdPerDay, budgetUsdPerMonth }: Budget): string | null {
  const words = [
    ...(budgetUsdPerDay === null
      ? []
      : [t('{budgetUsdPerDay} per day', { budgetUsdPerDay: formatUsd(budgetUsdPerDay) })]),
    ...(budgetUsdPerMonth === null
      ? []
      : [t('{budgetUsdPerMonth} per month', { budgetUsdPerMonth: formatUsd(budgetUsdPerMonth) })]),
  ]
  return words.length === 0 ? null : joinWords(words)
}

/** The price per million tokens: `$0.15 in · $0.60 out`, `free` or `no price yet`. */
export function formatPrice(inputUsdPerMtok: number | null, outputUsdPerMtok: number | null) {
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return t('no price yet')
  if (inputUsdPerMtok === 0 && outputUsdPerMtok === 0) return t('free')
  return t('{inputUsdPerMtok} in · {outputUsdPerMtok} out', {
    inputUsdPerMtok: formatUsd(inputUsdPerMtok),
    outputUsdPerMtok: formatUsd(outputUsdPerMtok),
  })
}

/** Grams of CO2e with `≈` and two digits, because it is an estimate; zero below a microgram. */
export function formatGrams(grams: number | null): string {
  if (grams === null) return unknown
  const shown = toDigits(grams, 2)
  if (shown >= 1000) return `≈ ${use('twoDigits').format(shown / 1000)} kg`
  if (shown >= 0.1) return `≈ ${use('twoDigits').format(shown)} g`
  if (shown >= 1e-6) return `≈ ${use('twoDigits').format(shown * 1000)} mg`
  return '≈ 0 g'
}

/** The value as it is shown, which decides its unit: 59.96 s are a minute. */
function toDigits(value: number, digits: number): number {
  return Number(value.toPrecision(digits))
}

/** A number with two significant digits, for estimates. */
export function formatTwoDigits(value: number): string {
  return use('twoDigits').format(value)
}

/** `5 %`: hundredths, rounded. Parts of a whole are written by `formatShare`. */
export function formatPercent(percent: number, decimals = 0): string {
  return t('{percent} %', { percent: use(decimals === 0 ? 'whole' : 'tenths').format(percent) })
}

/** `5 %` of a whole. A little is not rounded to nothing, and nearly all of it not to all. */
export function formatShare(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return `< ${formatPercent(1)}`
  if (percent > 99 && percent < 100) return `> ${formatPercent(99)}`
  return formatPercent(percent)
}

/** A number with three significant digits, for marks of axes. */
export function formatThreeDigits(value: number): string {
  return use('threeDigits').format(value)
}

/** A duration in ms, s or min. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return unknown
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  const shown = toDigits(ms / 1000, 3)
  if (shown < 60) return `${use('threeDigits').format(shown)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A whole number with thousands separators. */
export function formatCount(value: number | null): string {
  return value === null ? unknown : use('count').format(value)
}

/** A short token count: `128K`. */
export function formatTokens(tokens: number | null): string {
  return tokens === null ? unknown : use('compactCount').format(tokens)
}

/** Bytes in decimal units, each from where the one below would be rounded to 1000. */
export function formatBytes(bytes: number): string {
  if (bytes >= 999.5e6) return `${use('twoDigits').format(bytes / 1e9)} GB`
  if (bytes >= 999.5e3) return `${Math.round(bytes / 1e6)} MB`
  return bytes >= 1000 ? `${Math.round(bytes / 1e3)} kB` : `${bytes} B`
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
  if (Math.abs(differenceMs) < 30_000) return t('just now')
  const [unit, unitMs] = relativeUnits.find(([, ms]) => Math.abs(differenceMs) >= ms) ?? [
    'minute',
    60_000,
  ]
  const amount = Math.trunc(differenceMs / unitMs) || Math.sign(differenceMs)
  return use('relative').format(amount, unit)
}

/** Date and time in the local time zone. */
export function formatDateTime(atMs: number): string {
  return use('dateTime').format(atMs)
}

/** The date in the local time zone. */
export function formatDay(atMs: number): string {
  return use('day').format(atMs)
}

/** The time with seconds in the local time zone. */
export function formatClock(atMs: number): string {
  return use('clock').format(atMs)
}

/** The label of a mark on a time axis. Its precision depends on the distance between marks. */
export function formatTimeMark(atMs: number, distanceMs: number): string {
  if (distanceMs < 60_000) return use('clock').format(atMs)
  return distanceMs < 86_400_000 ? use('shortClock').format(atMs) : use('shortDay').format(atMs)
}

/** `openai:gpt-5.4-mini at medium effort`; the model alone where the router sends no effort. */
export function formatModelAt(model: string, effort: string | undefined): string {
  return effort === undefined ? model : t('{model} at {effort} effort', { model, effort })
}
