/**
 * A definition as the form and the graph show it. Invalid definitions are read as far as
 * possible; the service validates them and reports errors by field name.
 */
import { parseDocument } from 'yaml'
import type { Step } from '../../../../shared/agents/agent.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** A place in the text: `['steps', 0, 'user']`. */
export type Path = readonly (string | number)[]
export type StepType = Step['type']

export const stepTypes = ['prompt', 'text', 'branch', 'map', 'judge', 'loop', 'agent'] as const

export interface DraftStep {
  path: Path
  /** Empty when missing. */
  id: string
  /** Null when missing or unknown. */
  type: StepType | null
  needs: readonly string[]
  /** As written, of any type. */
  fields: Readonly<Record<string, unknown>>
  graphs: readonly DraftGraph[]
}

export interface DraftGraph {
  /** Path of its list of steps. */
  path: Path
  /** `if …`, `else`, `each item`, `each pass`; empty for the top level. */
  label: string
  steps: readonly DraftStep[]
}

export interface Draft {
  fields: Readonly<Record<string, unknown>>
  graph: DraftGraph
}

/** @returns null when the text is not YAML or not an object */
export function readDraft(source: string): Draft | null {
  const document = parseDocument(source, { version: '1.2' })
  if (document.errors.length > 0) return null
  const value: unknown = toValue(document)
  const fields = value === null ? {} : recordOf(value)
  if (fields === null) return null
  return { fields, graph: readGraph(fields['steps'], ['steps'], '') }
}

/** All steps, each followed by its inner steps. */
export function allSteps({ steps }: DraftGraph): DraftStep[] {
  return steps.flatMap((step) => [step, ...step.graphs.flatMap(allSteps)])
}

/** The name of a field as the service writes it: `steps[2].cases[0].when`. */
export function fieldName(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
}

/** An unknown alias gives undefined; the service reports it. */
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
  if (type === 'map') return [readGraph(fields['steps'], [...path, 'steps'], t('each item'))]
  if (type === 'loop') return [readGraph(fields['steps'], [...path, 'steps'], t('each pass'))]
  if (type !== 'branch') return []
  const cases: unknown[] = Array.isArray(fields['cases']) ? fields['cases'] : []
  const ways = cases.map((entry, index) => {
    const { when, steps } = recordOf(entry) ?? {}
    const label = typeof when === 'string' && when !== '' ? t('if {when}', { when }) : t('if …')
    return readGraph(steps, [...path, 'cases', index, 'steps'], label)
  })
  if (fields['else'] === undefined) return ways
  return [...ways, readGraph(fields['else'], [...path, 'else'], 'else')]
}

/** The fields of an object; null for other values. */
export function recordOf(value: unknown): Record<string, unknown> | null {
  // A YAML object has text keys only.
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as Record<string, unknown>) : null
}
