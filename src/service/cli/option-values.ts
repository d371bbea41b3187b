/** Readers of option values: each gives the value or says, as wrong usage, what was expected. */
import { InvalidArgumentError } from 'commander'

export function readNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Not a number.')
  return value
}

export function readWholeNumber(text: string): number {
  const value = readNumber(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('Not a whole number from 0 up.')
  return value
}

export function readPort(text: string): number {
  const value = readWholeNumber(text)
  if (value > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return value
}

/** What `none` is read as: commander turns a null into an empty text. `withNulls` ends its life. */
export const none = Symbol('none')

/** A value, or `none`. */
export function readOrNone<Value>(read: (text: string) => Value) {
  return (text: string): Value | typeof none => (text === 'none' ? none : read(text))
}

type WithNulls<Options> = {
  [Name in keyof Options]:
    | Exclude<Options[Name], typeof none>
    | (typeof none extends Options[Name] ? null : never)
}

/** The options that were given, null where `none` was. */
export function withNulls<Options extends object>(options: Options): WithNulls<Options> {
  const entries = Object.entries(options).map(([name, value]: [string, unknown]) => [
    name,
    value === none ? null : value,
  ])
  // The same names, each with its own value: what the type says and `Object.entries` forgets.
  return Object.fromEntries(entries) as WithNulls<Options>
}

/** US dollars, from 0 up. */
export function readUsd(text: string): number {
  const usd = readNumber(text)
  if (usd < 0) throw new InvalidArgumentError('Not an amount of US dollars from 0 up.')
  return usd
}

/** `a,b,c`, without spaces around and without empty parts. */
export function readList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.includes('')) throw new InvalidArgumentError('A list is written a,b,c.')
  return parts
}

/** A list whose parts are all among the names. */
export function readChoices<Name extends string>(names: readonly Name[]): (text: string) => Name[] {
  return (text) =>
    readList(text).map((part) => {
      const name = names.find((known) => known === part)
      if (name === undefined) throw new InvalidArgumentError(`Known are ${names.join(', ')}.`)
      return name
    })
}

/** `none` for the empty list. */
export function orNone<Name>(read: (text: string) => Name[]): (text: string) => Name[] {
  return (text) => (text === 'none' ? [] : read(text))
}

/** @returns Unix milliseconds of a date (its start in UTC) or of a date with time and zone */
export function readTime(text: string): number {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text)
  const hasZone = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text)
  const timeMs = isDate || hasZone ? Date.parse(text) : Number.NaN
  if (Number.isNaN(timeMs))
    throw new InvalidArgumentError('A time is written 2026-11-21 or 2026-11-21T09:30:00Z.')
  return timeMs
}

/** `name=value`, joined to those of the same option before it. */
export function readPair(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('An option is written name=value.')
  }
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`"${name}" is given twice.`)
  return { ...before, [name]: value }
}
