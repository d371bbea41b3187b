/** What changed in a router's settings, and when. Charts mark these moments. */
import { z } from 'zod'
import type { Router } from '../entities.ts'

const fieldChangeSchema = z.strictObject({
  /**
   * A field of the router such as `strategy`, or `routing.` and a routing setting. `model` is an added or removed
   * model, `modelOrder` another order of the same models.
   */
  field: z.string(),
  /** Null for a value that is absent, or that is more than a word or a number. */
  from: z.string().nullable(),
  to: z.string().nullable(),
})
export type FieldChange = z.output<typeof fieldChangeSchema>

export const fieldChangesSchema = z.array(fieldChangeSchema)

export interface RouterChange {
  atMs: number
  fields: readonly FieldChange[]
}

/** Fields that do not change how the router behaves, or that have changes of their own. */
const ignoredFields = new Set(['id', 'name', 'createdAtMs', 'updatedAtMs', 'models', 'routing'])

/** The settings that differ; empty when only the name does. */
export function fieldChanges(before: Router, after: Router): FieldChange[] {
  const { strategy, ...others } = entriesOf(before, after)
  return [
    ...(strategy ? [strategy] : []),
    ...modelChanges(before.models, after.models),
    ...Object.values(others),
  ]
}

function entriesOf(before: Router, after: Router): Record<string, FieldChange> {
  const [old, current] = [flat(before), flat(after)]
  const names = new Set([...Object.keys(old), ...Object.keys(current)])
  const changed = [...names].filter(
    (name) => JSON.stringify(old[name] ?? null) !== JSON.stringify(current[name] ?? null),
  )
  return Object.fromEntries(
    changed.map((field) => [
      field,
      { field, from: shortText(old[field]), to: shortText(current[field]) },
    ]),
  )
}

function flat(router: Router): Record<string, unknown> {
  const own = Object.entries<unknown>({ ...router })
  const routing = Object.entries<unknown>({ ...router.routing })
  return Object.fromEntries<unknown>([
    ...own.filter(([name]) => !ignoredFields.has(name)),
    ...routing.map(([name, value]) => [`routing.${name}`, value] as const),
  ])
}

function shortText(value: unknown): string | null {
  const isShort = ['string', 'number', 'boolean'].includes(typeof value)
  return isShort ? String(value) : null
}

function modelChanges(before: readonly string[], after: readonly string[]): FieldChange[] {
  const added = after.filter((model) => !before.includes(model))
  const removed = before.filter((model) => !after.includes(model))
  const changes = [
    ...added.map((model) => ({ field: 'model', from: null, to: model })),
    ...removed.map((model) => ({ field: 'model', from: model, to: null })),
  ]
  const isReordered = changes.length === 0 && before.join(' ') !== after.join(' ')
  return isReordered ? [{ field: 'modelOrder', from: null, to: null }] : changes
}
