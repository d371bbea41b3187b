/** A router's settings as its form holds them: what is typed as text, empty when unset; all others as they are. */
import type { Router, RouterInput } from '../../../../shared/entities.ts'
import {
  fieldsByPart,
  routerFieldEntries,
  routerFields,
  routerParts,
  type FieldPath,
  type RouterField,
  type RouterPart,
} from '../../../../shared/routers/router-fields.ts'
import {
  defaultAt,
  groupOf,
  routerOf,
  valuesOf,
  type RouterValues,
} from '../../../../shared/routers/router-values.ts'
import { readNumber } from '../../components/read-number.ts'

/** How many of the form's units are one of the value's. */
const scales = { number: 1, whole: 1, milliseconds: 1 / 1000, share: 100 }
type NumberKind = keyof typeof scales

type PathOf<Kind> = {
  [Path in FieldPath]: (typeof routerFields)[Path]['kind'] extends Kind ? Path : never
}[FieldPath]
export type TypedPath = PathOf<NumberKind | 'text' | 'codes'>
export type SwitchPath = PathOf<'switch'>
export type RouterTexts = Record<TypedPath, string> & Omit<RouterValues, TypedPath>

export function toRouterTexts(router: RouterInput): RouterTexts {
  const values = valuesOf(router)
  const texts = routerFieldEntries.map(([path, field]) => [path, toText(field, values[path])])
  // Each field has its own text or value.
  return Object.fromEntries(texts) as RouterTexts
}

function toText({ kind }: RouterField, value: unknown): unknown {
  if (kind === 'codes') return Array.isArray(value) ? value.join(', ') : ''
  if (kind === 'text' || (isNumber(kind) && typeof value !== 'number')) return value ?? ''
  return isNumber(kind) ? String(rounded(Number(value) * scales[kind])) : value
}

/**
 * The settings to save. Invalid text becomes a value that the service refuses, with the error beside its field;
 * settings that have no effect for this router return to their default.
 */
export function readRouterTexts(texts: RouterTexts): RouterInput {
  const values = routerFieldEntries.map(([path, field]) => [
    path,
    isUsed(path, texts) ? readText(path, field, texts) : defaultAt(path),
  ])
  // Each field has its own value.
  return routerOf(Object.fromEntries(values) as RouterValues)
}

function readText(path: FieldPath, { kind }: RouterField, texts: RouterTexts): unknown {
  const value = texts[path]
  if (path === 'routing.cascade') return withChosenModels(texts[path])
  if (typeof value !== 'string') return value
  if (kind === 'codes') return readCodes(value)
  const isUnset = groupOf(path) !== null || defaultAt(path) === null
  if (value.trim() === '' && isUnset) return null
  if (!isNumber(kind) || value.trim() === 'auto') return value.trim()
  const number = readNumber(value)
  if (number === null || scales[kind] === 1) return number
  return kind === 'milliseconds' ? Math.round(number * 1000) : rounded(number / scales[kind])
}

function isNumber(kind: string): kind is NumberKind {
  return kind in scales
}

/** The value without the digits that only binary fractions add. */
function rounded(value: number): number {
  return Number(value.toFixed(9))
}

function readCodes(text: string): string[] | null {
  const codes = text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
  return codes.length === 0 ? null : codes
}

/** A model not chosen yet is left out; the service says that it is required. */
function withChosenModels(cascade: RouterValues['routing.cascade']) {
  const tiers = cascade?.tiers.map((tier) => ({
    ...tier,
    models: tier.models.filter((id) => id !== ''),
  }))
  return tiers ? { tiers } : null
}

/** A saved router as an input that restores it. */
export function toRouterInput(router: Router): RouterInput {
  const { id: _id, createdAtMs: _createdAtMs, updatedAtMs: _updatedAtMs, ...input } = router
  return input
}

/** Whether a setting has an effect for this router. */
export function isUsed(path: FieldPath, texts: RouterTexts): boolean {
  const { strategy, tier, budgetUsdPerDay, budgetUsdPerMonth } = texts
  const hasBudget = `${budgetUsdPerDay}${budgetUsdPerMonth}`.trim() !== ''
  const field: RouterField = routerFields[path]
  return field.isUsed?.({ strategy, tier, hasBudget }) !== false
}

/** The part with the field of an error; null for other errors. */
export function partOfField(field: string | null): RouterPart | null {
  const name = field?.replace(/^router\./, '') ?? ''
  // An error can be about a whole group, or about a place inside a value.
  const isAt = (path: string) => `${path}.`.startsWith(`${name}.`) || name.startsWith(`${path}.`)
  const found = routerParts.find((part) => Object.keys(fieldsByPart[part]).some(isAt))
  return field === null ? null : (found ?? null)
}

/** The parts in which two drafts differ. The name is no part: it is changed on its own. */
export function changedParts(texts: RouterTexts, saved: RouterTexts): RouterPart[] {
  const { name: _name, ...changed } = Object.fromEntries(
    differences(texts, saved).map((path) => [path, true]),
  )
  return routerParts.filter((part) => Object.keys(fieldsByPart[part]).some((path) => changed[path]))
}

/** How many of these settings differ from the default. */
export function countSet(texts: RouterTexts, paths: readonly FieldPath[]): number {
  const set = differences(toRouterTexts(readRouterTexts(texts)), unset)
  return paths.filter((path) => set.includes(path)).length
}

const unset = toRouterTexts({ name: '', strategy: 'priority', models: [] })

function differences(texts: RouterTexts, others: RouterTexts): FieldPath[] {
  const isDifferent = (path: FieldPath) =>
    JSON.stringify(texts[path]) !== JSON.stringify(others[path])
  return routerFieldEntries.map(([path]) => path).filter(isDifferent)
}
