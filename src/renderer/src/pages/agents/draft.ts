/**
 * A definition as the graph and the editor read it. Invalid definitions are read as far as possible; the service
 * validates them and reports errors by field name.
 */
import { isNode, parseDocument, type Document } from 'yaml'
import type { Step } from '../../../../shared/agents/agent.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** A place in the text: `['steps', 0, 'user']`. */
export type Path = readonly (string | number)[]
export type StepType = Step['type']

export const stepTypes = ['prompt', 'text', 'branch', 'map', 'judge', 'loop', 'agent'] as const

/** Offsets in the text. */
export interface TextRange {
  from: number
  to: number
}

export interface DraftStep {
  path: Path
  /** Range with the dash of its list. */
  range: TextRange
  /** Empty when missing. */
  id: string
  /** Null when missing or unknown. */
  type: StepType | null
  needs: readonly string[]
  hasJson: boolean
  graphs: readonly DraftGraph[]
}

export interface DraftGraph {
  /** Path of its list of steps. */
  path: Path
  /** `if …`, `else`, `each item`, `each pass`; empty for the top level. */
  label: string
  steps: readonly DraftStep[]
}

/** @returns null when the text is not YAML or not an object */
export function readDraft(source: string): DraftGraph | null {
  const document = parseDocument(source, { version: '1.2' })
  if (document.errors.length > 0) return null
  const value = valueOf(document)
  return value === null || recordOf(value) ? draftOf(document, source) : null
}

/** The steps of a text that may have errors. */
export function draftOf(document: Document, source: string): DraftGraph {
  const rangeOf = (path: Path) => rangeOfNode(document.getIn(path, true), source)
  return readGraph(recordOf(valueOf(document))?.['steps'], { path: ['steps'], label: '' }, rangeOf)
}

/** An unknown alias gives undefined; the service reports it. */
export function valueOf(document: Document): unknown {
  try {
    return document.toJS()
  } catch (error) {
    if (error instanceof ReferenceError) return undefined
    throw error
  }
}

/** All steps, each followed by its inner steps. */
export function allSteps({ steps }: DraftGraph): DraftStep[] {
  return steps.flatMap((step) => [step, ...step.graphs.flatMap(allSteps)])
}

/** The innermost step around this offset. */
export function stepAt(graph: DraftGraph, offset: number): DraftStep | null {
  const isAround = ({ range: { from, to } }: DraftStep) => from <= offset && offset <= to
  return allSteps(graph).findLast(isAround) ?? null
}

/** The name of a field as the service writes it: `steps[2].cases[0].when`. */
export function fieldName(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '')
}

type RangeOf = (path: Path) => TextRange

function rangeOfNode(node: unknown, source: string): TextRange {
  const [start, end] = (isNode(node) && node.range) || [0, 0]
  const dash = /-[ \t]+$/.exec(source.slice(source.lastIndexOf('\n', start - 1) + 1, start))
  return {
    from: start - (dash?.[0].length ?? 0),
    to: start + source.slice(start, end).trimEnd().length,
  }
}

function readGraph(
  value: unknown,
  place: Pick<DraftGraph, 'path' | 'label'>,
  rangeOf: RangeOf,
): DraftGraph {
  const items: unknown[] = Array.isArray(value) ? value : []
  const steps = items.map((item, index) => readStep(item, [...place.path, index], rangeOf))
  return { ...place, steps }
}

function readStep(value: unknown, path: Path, rangeOf: RangeOf): DraftStep {
  const fields = recordOf(value) ?? {}
  const { id, type, needs } = fields
  const known = stepTypes.find((name) => name === type) ?? null
  return {
    path,
    range: rangeOf(path),
    id: typeof id === 'string' ? id : '',
    type: known,
    needs: Array.isArray(needs) ? needs.filter((need) => typeof need === 'string') : [],
    hasJson: fields['json_schema'] !== undefined,
    graphs: graphsOf(known, fields).map(({ steps, at, label }) =>
      readGraph(steps, { path: [...path, ...at], label }, rangeOf),
    ),
  }
}

interface InnerSteps {
  steps: unknown
  /** Path from the step. */
  at: Path
  label: string
}

function graphsOf(type: StepType | null, fields: Record<string, unknown>): InnerSteps[] {
  const { steps } = fields
  if (type === 'map') return [{ steps, at: ['steps'], label: t('each item') }]
  if (type === 'loop') return [{ steps, at: ['steps'], label: t('each pass') }]
  if (type !== 'branch') return []
  const cases: unknown[] = Array.isArray(fields['cases']) ? fields['cases'] : []
  const ways = cases.map((entry, index) => {
    const { when, steps: inner } = recordOf(entry) ?? {}
    const label = typeof when === 'string' && when !== '' ? t('if {when}', { when }) : t('if …')
    return { steps: inner, at: ['cases', index, 'steps'], label }
  })
  if (fields['else'] === undefined) return ways
  return [...ways, { steps: fields['else'], at: ['else'], label: 'else' }]
}

/** The fields of an object; null for other values. */
export function recordOf(value: unknown): Record<string, unknown> | null {
  // A YAML object has text keys only.
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as Record<string, unknown>) : null
}
