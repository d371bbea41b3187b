/** The options of `router create` and `router update`, from the table of a router's fields. */
import { readFileSync, statSync } from 'node:fs'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { routerInputSchema } from '../../shared/entities.ts'
import {
  routerFieldEntries,
  type FieldPath,
  type RouterField,
} from '../../shared/routers/router-fields.ts'
import { acceptances } from '../../shared/routers/routing-settings.ts'
import {
  groupOf,
  problemOf,
  routerOf,
  unsetValues,
  type RouterValues,
} from '../../shared/routers/router-values.ts'
import { UsageError } from './cli.ts'
import { readChoices, readList, readNumber, readPair } from './option-values.ts'

/** Values that an option sets, or whether a switch is on, by the names that commander gives options. */
export type RouterOptions = Record<string, Partial<RouterValues> | boolean>

const greatestCascadeBytes = 65_536

export function addRouterOptions(command: Command, required: readonly FieldPath[] = []): Command {
  for (const [path, field] of routerFieldEntries)
    for (const option of optionsOf(path, field))
      command.addOption(option.makeOptionMandatory(required.includes(path)))
  return command
}

function optionsOf(path: FieldPath, field: RouterField): Option[] {
  const { kind, option, help, helpOff, choices = [] } = field
  if (option === undefined) return []
  if (kind === 'switch')
    return [
      new Option(option.replace('[no-]', ''), help),
      new Option(option.replace('[no-]', 'no-'), helpOff),
    ]
  const added = new Option(option, help)
  if (kind === 'choice') added.choices(choices.map(String))
  return [added.argParser((text) => readOption(path, field, text))]
}

/**
 * A router's settings with the given options.
 * @throws UsageError naming an option that another one needs
 */
export function changedSettings(
  before: Partial<RouterValues>,
  options: RouterOptions,
): Partial<RouterValues> {
  const given: Partial<RouterValues> = {}
  for (const [name, value] of Object.entries(options))
    Object.assign(given, typeof value === 'boolean' ? { [pathOfSwitch(name)]: value } : value)
  const changed = { ...before, ...given }
  const { error } = routerInputSchema.safeParse(routerOf(changed))
  const refused = new Set(error?.issues.map(({ path }) => path.join('.')))
  const missing = routerFieldEntries.find(
    ([path]) => refused.has(path) && groupOf(path) !== null && (changed[path] ?? null) === null,
  )
  const needing = routerFieldEntries.find(
    ([path]) => missing && path in given && groupOf(path) === groupOf(missing[0]),
  )
  if (missing && needing) throw new UsageError(`${flagOf(needing[1])} needs ${flagOf(missing[1])}.`)
  return changed
}

/** The flag without its value: `--shadow` of `--shadow <share|off>`. */
function flagOf({ option = '' }: RouterField): string {
  return option.replace(/ .*/, '')
}

/** The word that unsets a setting; undefined for settings that are always set. */
export function absentWord({ option = '' }: RouterField): string | undefined {
  return /\|(none|off|all|default)>$/.exec(option)?.[1]
}

function pathOfSwitch(name: string): string {
  const isNamed = ({ option = '' }: RouterField) =>
    new Option(option.replace('[no-]', '')).attributeName() === name
  const found = routerFieldEntries.find(([, field]) => field.kind === 'switch' && isNamed(field))
  return found?.[0] ?? name
}

function readOption(path: FieldPath, field: RouterField, text: string): Partial<RouterValues> {
  const absent = absentWord(field)
  if (text === absent) return unsetValues(path)
  if (path === 'routing.weights.cost') return readWeights(text)
  if (field.kind === 'cascade') return { [path]: readCascade(text) }
  try {
    const value = field.kind === 'targets' ? readPairs(text) : readValue(field, text)
    const problem = problemOf(path, value)
    if (problem === null) return { [path]: value }
    throw new InvalidArgumentError(`${problem.message}.`)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError) || absent === undefined) throw error
    throw new InvalidArgumentError(`${error.message} It may also be ${absent}.`)
  }
}

/** Reads an option. The schema explains an invalid number of milliseconds, because a hedge takes a word as well. */
function readValue({ kind, choices = [] }: RouterField, text: string): unknown {
  if (kind === 'text') return text
  if (kind === 'milliseconds') return text === 'auto' ? text : Number(text)
  if (kind === 'codes' || kind === 'list')
    return choices.length === 0 ? readList(text) : readChoices(choices.map(String))(text)
  if (kind !== 'choice') return readNumber(text)
  const chosen = choices.find((choice) => String(choice) === text)
  if (chosen !== undefined) return chosen
  throw new InvalidArgumentError(`Expected ${anyOf.format(choices.map(String))}.`)
}

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' })

/** `a=b,c=d` */
function readPairs(text: string): Record<string, string> {
  return readList(text).reduce<Record<string, string>>((before, pair) => readPair(pair, before), {})
}

function readWeights(text: string): Partial<RouterValues> {
  const given = Object.entries(readPairs(text)).map(
    ([name, value]) => [`routing.weights.${name}`, readNumber(value)] as const,
  )
  const isKnown = ([path, value]: readonly [string, number]) =>
    routerFieldEntries.some(([known]) => known === path && problemOf(known, value) === null)
  if (given.every(isKnown)) return Object.fromEntries(given)
  throw new InvalidArgumentError(
    'Weights are cost, latency and carbon, each from 0 to 1, or default.',
  )
}

/** @throws UsageError naming the option, the file and the place in it */
function readCascade(file: string): unknown {
  const cascade = readJsonFile(file)
  const path = 'routing.cascade'
  const problem = cascade === null ? { at: path, message: 'it is empty' } : problemOf(path, cascade)
  if (problem === null) return cascade
  const place = problem.at === path ? '' : ` at ${problem.at.slice(path.length + 1)}`
  throw new UsageError(
    `--cascade: ${file} is not a cascade${place}: ${problem.message}. It looks like ` +
      `{"tiers":[{"models":["a:small","b:small"],"accept":"agree"}]}; accept is one of ${acceptances.join(', ')}.`,
  )
}

function readJsonFile(file: string): unknown {
  try {
    if (statSync(file).size > greatestCascadeBytes)
      throw new UsageError(`--cascade: ${file} is too large for a cascade.`)
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof UsageError) throw error
    const isRead = error instanceof SyntaxError
    const why = isRead ? `${file} is not JSON` : `${file} cannot be read`
    throw Object.assign(new UsageError(`--cascade: ${why}; a file name or off is expected.`), {
      cause: error,
    })
  }
}
