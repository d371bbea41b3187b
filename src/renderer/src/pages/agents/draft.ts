/**
 * A definition as the form and the graph show it: read from its text, as far as it can be, whether it is
 * right or not. What is wrong is told by the service, by the field's name.
 */
import { parseDocument } from 'yaml'
import type { Step } from '../../../../shared/agent.ts'

/** A place in the text: `['steps', 0, 'user']`. */
export type Path = readonly (string | number)[]
export type StepType = Step['type']

export const stepTypes = ['prompt', 'text', 'branch', 'map', 'judge', 'loop', 'agent'] as const

export interface DraftStep {
  path: Path
  /** Empty where none is written. */
  id: string
  /** Null where the text has none that there is. */
  type: StepType | null
  needs: readonly string[]
  /** As they are written, whatever their type. */
  fields: Readonly<Record<string, unknown>>
  graphs: readonly DraftGraph[]
}

export interface DraftGraph {
  /** Of the list of its steps. */
  path: Path
  /** `if …`, `else`, `each item`, `each pass`; empty for the agent's own. */
  label: string
  steps: readonly DraftStep[]
}

export interface Draft {
  fields: Readonly<Record<string, unknown>>
  graph: DraftGraph
}

/** Null where the text is no YAML, or no list of fields. */
export function readDraft(source: string): Draft | null {
  const document = parseDocument(source, { version: '1.2' })
  if (document.errors.length > 0) return null
  const value: unknown = toValue(document)
  const fields = value === null ? {} : recordOf(value)
  if (fields === null) return null
  return { fields, graph: readGraph(fields['steps'], ['steps'], '') }
}

/** Every step of the draft, those in others after them. */
export function allSteps({ steps }: DraftGraph): DraftStep[] {
  return steps.flatMap((step) => [step, ...step.graphs.flatMap(allSteps)])
}

/** `steps[2].cases[0].when`, as the service names a field. */
export function fieldName(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
}

/** An alias that leads nowhere makes no value; the service says so. */
function toValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS()
  } catch (error) {
    if (error instanceof ReferenceError) return undefined
    throw error
  }
}

function readGraph(value: unknown, path: Path, label: string): DraftGraph {
  const items: unknown[] = Array.isArray(value) ? value : []
  return { path, label, steps: items.map((item, index) => readStep(item, [...path, index])) }
}

function readStep(value: unknown, path: Path): DraftStep {
  const fields = recordOf(value) ?? {}
  const { id, type, needs } = fields
  const known = stepTypes.find((name) => name === type) ?? null
  return {
    path,
    id: typeof id === 'string' ? id : '',
    type: known,
    needs: Array.isArray(needs) ? needs.filter((need) => typeof need === 'string') : [],
    fields,
    graphs: graphsOf(known, fields, path),
  }
}

function graphsOf(type: StepType | null, fields: DraftStep['fields'], path: Path): DraftGraph[] {
  if (type === 'map') return [readGraph(fields['steps'], [...path, 'steps'], 'each item')]
  if (type === 'loop') return [readGraph(fields['steps'], [...path, 'steps'], 'each pass')]
  if (type !== 'branch') return []
  const cases: unknown[] = Array.isArray(fields['cases']) ? fields['cases'] : []
  const ways = cases.map((entry, index) => {
    const { when, steps } = recordOf(entry) ?? {}
    const label = typeof when === 'string' && when !== '' ? `if ${when}` : 'if …'
    return readGraph(steps, [...path, 'cases', index, 'steps'], label)
  })
  if (fields['else'] === undefined) return ways
  return [...ways, readGraph(fields['else'], [...path, 'else'], 'else')]
}

/** The value's fields; null where it has none. */
export function recordOf(value: unknown): Record<string, unknown> | null {
  // A value of YAML that is an object and no list has text keys only.
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as Record<string, unknown>) : null
}
