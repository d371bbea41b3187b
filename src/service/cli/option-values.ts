/** Readers of option values. Each returns the value, or throws a usage error that says what was expected. */
import { InvalidArgumentError, Option } from 'commander'

export function readNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError('Expected a number.')
  return value
}

export function readWholeNumber(text: string): number {
  const value = readNumber(text)
  if (!Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('Expected a whole number, 0 or more.')
  return value
}

export function readPort(text: string): number {
  const value = readWholeNumber(text)
  if (value > 65_535) throw new InvalidArgumentError('Expected a port from 0 to 65535.')
  return value
}

/** The value of `none`: commander turns null into an empty string. `withNulls` replaces it. */
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

/** The given options, with null in place of `none`. */
export function withNulls<Options extends object>(options: Options): WithNulls<Options> {
  const entries = Object.entries(options).map(([name, value]: [string, unknown]) => [
    name,
    value === none ? null : value,
  ])
  // `Object.entries` loses the type: these are the same names, each with its own value.
  return Object.fromEntries(entries) as WithNulls<Options>
}

/** US dollars, 0 or more. */
export function readUsd(text: string): number {
  const usd = readNumber(text)
  if (usd < 0) throw new InvalidArgumentError('Expected US dollars, 0 or more.')
  return usd
}

/** `a,b,c`; spaces are trimmed and empty parts refused. */
export function readList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.includes('')) throw new InvalidArgumentError('Expected a list such as a,b,c.')
  return parts
}

/** A list whose parts are all among the names. */
export function readChoices<Name extends string>(names: readonly Name[]): (text: string) => Name[] {
  return (text) =>
    readList(text).map((part) => {
      const name = names.find((each) => each === part)
      if (name === undefined) throw new InvalidArgumentError(`Expected any of ${names.join(', ')}.`)
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
    throw new InvalidArgumentError('Expected a time such as 2026-11-21 or 2026-11-21T09:30:00Z.')
  return timeMs
}

/** `--since`: by default all requests, from Unix millisecond 0. */
/** Most lines of a list. */
export const maxLimit = 10_000

export function readLimit(text: string): number {
  const limit = readWholeNumber(text)
  if (limit < 1 || limit > maxLimit) throw new InvalidArgumentError(`Expected 1 to ${maxLimit}.`)
  return limit
}

export function sinceOption(): Option {
  return new Option('--since <time>', 'only requests since this time, for example 2026-11-21')
    .argParser(readTime)
    .default(0, 'all')
}

/** `name=value`, added to the earlier values of the same option. */
export function readPair(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('Expected name=value.')
  }
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`"${name}" is given twice.`)
  return { ...before, [name]: value }
}
