/** Values of a bill's rows: amounts, counts and times as vendors write them. Errors name the field. */
import { BillUnreadable } from './bill.ts'

/** A row of a table or an object of JSON, by field name. */
export interface Fields {
  line: number
  /** Undefined without the field; texts of tables are trimmed. */
  get(name: string): unknown
}

/** Tokens beyond this, and dollars, are errors of the file. */
const greatestCount = 1e15
const greatestUsd = 1e9

export function tableRow(
  header: readonly string[],
  { line, cells }: { line: number; cells: readonly string[] },
): Fields {
  return { line, get: (name) => cells[header.indexOf(name)]?.trim() }
}

/** @param path  `cache_creation.ephemeral_1h_input_tokens`: the names of nested objects with dots between */
export function jsonRow(line: number, value: unknown): Fields {
  return { line, get: (path) => path.split('.').reduce(fieldOf, value) }
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}

export function textOf(fields: Fields, ...names: string[]): string | null {
  for (const name of names) {
    const value = fields.get(name)
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
    if (typeof value === 'number') return String(value)
  }
  return null
}

/** A whole number that is not negative; 0 if the field is absent or empty. */
export function countOf(fields: Fields, ...names: string[]): number {
  return knownCountOf(fields, ...names) ?? 0
}

/** Null if the field is absent or empty. */
export function knownCountOf(fields: Fields, ...names: string[]): number | null {
  for (const name of names) {
    const text = textOf(fields, name)
    if (text === null) continue
    const count = Number(withoutThousands(text, name))
    if (Number.isInteger(count) && count >= 0 && count <= greatestCount) return count
    throw new BillUnreadable(`"${name}" is ${quoted(text)}, which is no count of tokens.`)
  }
  return null
}

export interface Amount {
  nanoUsd: number
  /** Decimals of the dollars. */
  decimals: number
}

/** An amount in dollars, also negative; null if the field is absent or empty. @param unit  of how many dollars, 0.01 for cents */
export function amountOf(fields: Fields, names: readonly string[], unit = 1): Amount | null {
  for (const name of names) {
    const text = textOf(fields, name)
    if (text === null) continue
    const bare = withoutThousands(text.replace(/^([-+]?)\s*(?:US)?\$\s*/, '$1'), name)
    const usd = Number(bare) / Math.round(1 / unit)
    if (bare === '' || !Number.isFinite(usd) || Math.abs(usd) > greatestUsd) {
      throw new BillUnreadable(`"${name}" is ${quoted(text)}, which is no amount in dollars.`)
    }
    return { nanoUsd: usd * 1e9, decimals: decimalsOf(bare) - Math.round(Math.log10(unit)) }
  }
  return null
}

function decimalsOf(text: string): number {
  const [, decimals = '', exponent = '0'] = /\.?(\d*)(?:e([-+]?\d+))?$/i.exec(
    text.includes('.') ? text.slice(text.indexOf('.')) : text.replace(/^[-+]?\d+/, ''),
  ) ?? ['', '']
  return Math.max(0, decimals.length - Number(exponent))
}

/** `1,234.50` is a number; of `1.234,50` and `1,5` nobody knows what they are. */
function withoutThousands(text: string, name: string): string {
  if (!text.includes(',')) return text
  if (/^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text)) return text.replaceAll(',', '')
  throw new BillUnreadable(
    `"${name}" is ${quoted(text)}. Export numbers with a point before decimals.`,
  )
}

/** @throws BillUnreadable for another currency than US dollars */
export function requireUsd(fields: Fields, ...names: string[]): void {
  const currency = textOf(fields, ...names)
  if (currency === null || /^usd$/i.test(currency)) return
  throw new BillUnreadable(
    `The amount is in ${quoted(currency.toUpperCase())}. Modelport compares US dollars; export the bill in them.`,
  )
}

/** The model's name. @throws BillUnreadable, with the export's setting that adds it */
export function modelOf(fields: Fields, names: readonly string[], setting: string): string {
  const model = textOf(fields, ...names)
  if (model !== null && model.length <= 300) return model
  if (model !== null) throw new BillUnreadable(`"${names[0]}" is too long for a model's name.`)
  throw new BillUnreadable(`The row names no model. ${setting}`)
}

const earliestMs = Date.UTC(2020, 0)
const latestMs = Date.UTC(2100, 0)

/**
 * Unix ms of a time with a zone, of Unix seconds, or of one without a zone, which is UTC; a date alone stays text: it
 * is a day of the bill's zone.
 * @throws BillUnreadable
 */
export function timeOf(fields: Fields, ...names: string[]): number | string {
  const text = textOf(fields, ...names)
  if (text === null) throw new BillUnreadable(`"${names[0]}" is empty.`)
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return checkedDay(text, names[0])
  const iso = isoOf(text)
  const isSeconds = /^\d{9,10}(\.\d+)?$/.test(text)
  // Of `01.11.2026` and `11/1/2026`, nobody knows which is the month; other forms would be of this computer's zone.
  if (!isSeconds && !/^\d{4}-\d\d-\d\dT.*(Z|[-+]\d\d:?\d\d)$/.test(iso)) {
    throw new BillUnreadable(`"${names[0]}" is ${quoted(text)}. Write days as 2026-11-01.`)
  }
  const atMs = isSeconds ? Number(text) * 1000 : Date.parse(iso)
  if (Number.isFinite(atMs) && atMs >= earliestMs && atMs < latestMs) return atMs
  throw new BillUnreadable(`"${names[0]}" is ${quoted(text)}, which is no time.`)
}

function checkedDay(text: string, name: string | undefined): string {
  const atMs = Date.parse(`${text}T00:00:00Z`)
  const isDay = Number.isFinite(atMs) && new Date(atMs).toISOString().startsWith(text)
  if (isDay && atMs >= earliestMs && atMs < latestMs) return text
  throw new BillUnreadable(`"${name}" is ${quoted(text)}, which is no day.`)
}

/** `2026-02-06 18:54:30.040`, `… UTC` and `…+00` as ISO 8601. */
function isoOf(text: string): string {
  const iso = text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d)/, '$1T$2').replace(/ ?UTC$/, 'Z')
  if (/T.*[-+]\d\d$/.test(iso)) return `${iso}:00`
  return /T[\d:.]+$/.test(iso) ? `${iso}Z` : iso
}

function quoted(text: string): string {
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`
}
