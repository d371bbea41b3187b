/** A router's settings as a flat list of values, one for each field of `routerFields`. */
import type { z } from 'zod'
import { routerInputSchema, type RouterInput } from '../entities.ts'
import { inputMessage } from '../chat/input-messages.ts'
import { routerFieldEntries, type FieldPath } from './router-fields.ts'
import { routerGroups, type RouterGroup } from './router-groups.ts'
import { defaultWeights } from './routing-settings.ts'

type Settings = z.output<typeof routerInputSchema>

type ValueAt<Values, Path extends string> = Path extends `${infer Name}.${infer Inner}`
  ? Name extends keyof Values
    ? ValueAt<NonNullable<Values[Name]>, Inner> | (null extends Values[Name] ? null : never)
    : never
  : Path extends keyof Values
    ? Exclude<Values[Path], undefined> | (undefined extends Values[Path] ? null : never)
    : never

/** Null for a setting whose group is null, and for a time limit that is not set. */
export type RouterValues = { [Path in FieldPath]: ValueAt<Settings, Path> }

export function valuesOf(router: RouterInput): RouterValues {
  const given = routerFieldEntries.map(([path]) => [path, valueAt(router, path) ?? defaultAt(path)])
  // Each value was read at its own path.
  return Object.fromEntries(given) as RouterValues
}

/** The router with these settings; the schema's defaults apply to missing ones. */
export function routerOf(values: Partial<RouterValues>): RouterInput {
  const routing = { weights: null, shadow: null, shadowSteps: null }
  const router: Tree = { timeLimits: {}, hedge: null, routing }
  const isWeighted = weightPaths.some((path) => (values[path] ?? null) !== null)
  const given = isWeighted ? { ...values, ...weightsOf(values) } : values
  for (const [path, value] of Object.entries(given))
    if (value !== null || groupOf(path) === null) setAt(router, path.split('.'), value)
  // The paths are the schema's own; the service checks the values.
  return router as unknown as RouterInput
}

/** The group of a setting, as the place of its value in a router; null for a setting by itself. */
export function groupOf(path: string): RouterGroup | null {
  return groups.find((group) => path.startsWith(`${group}.`)) ?? null
}

// `Object.keys` gives `string[]`; these are the table's own names.
const groups = Object.keys(routerGroups) as RouterGroup[]

/** The value of an unset setting, and of all settings that are unset with it. */
export function unsetValues(path: FieldPath): Partial<RouterValues> {
  const group = groupOf(path)
  const isWhole = group !== null && routerGroups[group].unsetBy === path
  const unset = routerFieldEntries.filter(
    ([other]) => other === path || (isWhole && groupOf(other) === group),
  )
  return Object.fromEntries(unset.map(([other]) => [other, defaultAt(other)]))
}

/** The schema's error about a value at this place or inside it; null when it accepts the value. */
export function problemOf(path: FieldPath, value: unknown): { at: string; message: string } | null {
  const { error } = routerInputSchema.safeParse(routerOf({ [path]: value }), {
    error: inputMessage,
  })
  const issues = error?.issues.map((issue) => ({
    at: issue.path.join('.'),
    message: issue.message,
  }))
  return issues?.find(({ at }) => at === path || at.startsWith(`${path}.`)) ?? null
}

const defaults = routerInputSchema.parse({ name: 'M', strategy: 'priority', models: ['p:m'] })

export function defaultAt(path: FieldPath): unknown {
  return valueAt(defaults, path) ?? null
}

type WeightPath = `routing.weights.${keyof typeof defaultWeights}`
const weightPaths: readonly WeightPath[] = [
  'routing.weights.cost',
  'routing.weights.latency',
  'routing.weights.carbon',
]

function weightsOf(values: Partial<RouterValues>): Partial<RouterValues> {
  return {
    'routing.weights.cost': values['routing.weights.cost'] ?? defaultWeights.cost,
    'routing.weights.latency': values['routing.weights.latency'] ?? defaultWeights.latency,
    'routing.weights.carbon': values['routing.weights.carbon'] ?? defaultWeights.carbon,
  }
}

interface Tree {
  [name: string]: unknown
}

function valueAt(tree: unknown, path: string): unknown {
  return path.split('.').reduce((inner, name) => {
    const value: unknown = isTree(inner) ? inner[name] : undefined
    return value
  }, tree)
}

function setAt(tree: Tree, [name = '', ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) {
    tree[name] = value
    return
  }
  const branch = tree[name]
  const next: Tree = isTree(branch) ? branch : {}
  tree[name] = next
  setAt(next, inner, value)
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null
}
