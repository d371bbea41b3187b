/**
 * Takes the values that Modelport wrote out of a file that has changed since: the tool saved its own settings, or the
 * user edited it. Values that are no longer as Modelport wrote them stay.
 */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { formatOf, type ValueChange, type ValuePath } from './text-document.ts'

/** A field of a record, or an item of a list, found by its content because positions change. */
type Step = string | { item: string }

/** A value that Modelport wrote or removed. The value itself may be a key, so only its hash is stored. */
export interface OwnChange {
  path: readonly Step[]
  /** Null for a value that was removed. */
  sha256: string | null
}

/** What `after` has, or lacks, that `before` does not. @throws UnreadableFile */
export function ownChanges(name: string, before: string, after: string): OwnChange[] {
  const { read } = formatOf(name)
  return differences(read(before), read(after), [])
}

/**
 * The text without Modelport's values: those that were in `before` are there again.
 * @throws UnreadableFile
 */
export function withoutOwn(
  name: string,
  now: string,
  { before, changes }: { before: string; changes: readonly OwnChange[] },
): string {
  const { read, change } = formatOf(name)
  const [original, current] = [read(before), read(now)]
  const restored = changes
    .filter(({ path, sha256 }) => hashOf(valueOf(current, path)) === sha256)
    .flatMap(({ path }) => restoring(path, original, current))
  const text = change(now, inSafeOrder(restored))
  const emptied = inSafeOrder(changes.flatMap(({ path }) => parents(path, original, current)))
  return emptied.reduce(
    (left, each) => (isEmpty(at(read(left), each.path)) ? change(left, [each]) : left),
    text,
  )
}

/** Whether the file sets nothing. */
export function isEmptyFile(name: string, text: string): boolean {
  return isEmpty(formatOf(name).read(text))
}

function differences(before: unknown, after: unknown, path: readonly Step[]): OwnChange[] {
  if (isDeepStrictEqual(before, after)) return []
  const [old, own] = [entriesOf(before), entriesOf(after)]
  if (own === null || (old === null && before !== undefined) || own.size === 0) {
    return [{ path, sha256: hashOf(after) }]
  }
  const names = new Map([...(old ?? []), ...own])
  return [...names].flatMap(([name, { step }]) =>
    differences(old?.get(name)?.value, own.get(name)?.value, [...path, step]),
  )
}

interface Entry {
  step: Step
  value: unknown
  position: string | number
}

/** @returns null for anything but records and lists */
function entriesOf(value: unknown): Map<string, Entry> | null {
  if (typeof value !== 'object' || value === null || value instanceof Date) return null
  const entries = Array.isArray(value)
    ? value.map((item, position): Entry => ({
        step: { item: nameOf(item) },
        value: item,
        position,
      }))
    : Object.entries(value).map(([name, inner]): Entry => {
        return { step: name, value: inner, position: name }
      })
  return new Map(entries.map((entry) => [JSON.stringify(entry.step), entry]))
}

/** Fields that name an item of a list. */
const namingFields = ['name', 'model_id', 'id'] as const

function nameOf(item: unknown): string {
  const fields = new Map(Object.entries(typeof item === 'object' && item !== null ? item : {}))
  const field = namingFields.find((each) => typeof fields.get(each) === 'string')
  return field === undefined ? JSON.stringify(item) : `${field} ${String(fields.get(field))}`
}

function valueOf(root: unknown, path: readonly Step[]): unknown {
  const [step, ...rest] = path
  if (step === undefined) return root
  const found = entriesOf(root)?.get(JSON.stringify(step))
  return found && valueOf(found.value, rest)
}

/** The path by positions; null where it does not lead anywhere. A missing item's position is the end of its list. */
function positionsOf(root: unknown, path: readonly Step[]): ValuePath | null {
  const [step, ...rest] = path
  if (step === undefined) return []
  const entries = entriesOf(root)
  const found = entries?.get(JSON.stringify(step))
  if (found === undefined) {
    const end = typeof step === 'string' ? step : (entries?.size ?? 0)
    return rest.length === 0 && entries !== null ? [end] : null
  }
  const inner = positionsOf(found.value, rest)
  return inner && [found.position, ...inner]
}

function restoring(path: readonly Step[], original: unknown, current: unknown): ValueChange[] {
  const position = positionsOf(current, path)
  return position === null ? [] : [{ path: position, value: valueOf(original, path) }]
}

/** Records and lists that Modelport added around its values, to be removed if nothing else is in them. */
function parents(path: readonly Step[], original: unknown, current: unknown): ValueChange[] {
  return path.flatMap((_step, length) => {
    const parent = path.slice(0, length)
    if (length === 0 || valueOf(original, parent) !== undefined) return []
    if (valueOf(current, parent) === undefined) return []
    return restoring(parent, undefined, current)
  })
}

function at(root: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
    root,
  )
}

function isEmpty(value: unknown): boolean {
  return entriesOf(value)?.size === 0
}

/** Puts changes of values first, then removals from the last item to the first, so that positions stay right. */
function inSafeOrder(changes: readonly ValueChange[]): ValueChange[] {
  const unique = [...new Map(changes.map((each) => [sortKey(each), each])).values()]
  const set = unique.filter(({ value }) => value !== undefined)
  const removed = unique.filter(({ value }) => value === undefined)
  return [...set, ...removed.toSorted((one, other) => (sortKey(one) < sortKey(other) ? 1 : -1))]
}

function sortKey({ path }: ValueChange): string {
  return path
    .map((step) => (typeof step === 'number' ? String(step).padStart(9, '0') : step))
    .join('\0')
}

function hashOf(value: unknown): string | null {
  if (value === undefined) return null
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
