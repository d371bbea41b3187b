/** Changes to a definition's text that leave everything else in it, comments too, as it was written. */
import { diffArrays } from 'diff'
import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  visit,
  type Document,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { allSteps, readDraft, recordOf, type Path, type StepType } from './draft.ts'
import { newStep } from './new-step.ts'

/** @param value  undefined takes the field out. @returns the text with it */
export function setField(source: string, path: Path, value: unknown): string {
  return edited(source, (document) => {
    if (value === undefined) return removeField(document, path)
    const node: unknown = document.getIn(path, true)
    if (isScalar(node) && !isObject(value)) setScalar(node, value)
    else document.setIn(path, document.createNode(value))
    if (typeof value === 'string') {
      const written: unknown = document.getIn(path, true)
      if (isScalar(written)) setScalar(written, value)
    }
  })
}

/** Adds a step at the end of a graph, after the one that was its last. @returns also its path */
export function addStep(
  source: string,
  graph: Path,
  type: StepType,
): { source: string; path: Path } {
  const draft = readDraft(source)
  const ids = draft ? allSteps(draft.graph).map(({ id }) => id) : []
  let place = 0
  const changed = edited(source, (document) => {
    const steps = listAt(document, graph)
    place = steps.items.length
    const before = idOf(steps.items.at(-1))
    const step = document.createNode(newStep(type, { ids, before }))
    spellOutTexts(step)
    steps.add(step)
  })
  return { source: changed, path: [...graph, place] }
}

/** Takes a step out; what needed it needs what it needed. */
export function removeStep(source: string, path: Path): string {
  return edited(source, (document) => {
    const steps = document.getIn(path.slice(0, -1), true)
    const place = path.at(-1)
    if (!isSeq(steps) || typeof place !== 'number') return
    const removed = stepAt(steps, place)
    const id = idOf(removed)
    const its = removed ? needsOf(removed) : []
    steps.items.splice(place, 1)
    for (const step of steps.items) {
      if (!isMap(step)) continue
      const needs = needsOf(step)
      if (!needs.includes(id)) continue
      const others = needs.flatMap((need) => (need === id ? its : [need]))
      setNeeds(document, step, [...new Set(others)])
    }
  })
}

/** Changes places with the step before (-1) or after (1). @returns also where it then is */
export function moveStep(source: string, path: Path, by: -1 | 1): { source: string; path: Path } {
  const place = path.at(-1)
  const steps = path.slice(0, -1)
  const known = parseDocument(source, { version: '1.2' }).getIn(steps, true)
  if (typeof place !== 'number' || !isSeq(known)) return { source, path }
  const target = place + by
  if (target < 0 || target >= known.items.length) return { source, path }
  const changed = edited(source, (document) => {
    const list = listAt(document, steps)
    const [step] = list.items.splice(place, 1)
    list.items.splice(target, 0, step)
  })
  return { source: changed, path: [...steps, target] }
}

/** Gives a step another id, also where others name it: in `needs` and in templates. */
export function renameStep(source: string, path: Path, id: string): string {
  return edited(source, (document) => {
    const step = document.getIn(path, true)
    if (!isMap(step)) return
    const old = idOf(step)
    step.set('id', id)
    if (old === '') return
    // Also an id that was none, typed on the way, has been put into the templates.
    const named = new RegExp(
      String.raw`\bsteps\.${old.replaceAll(/\W/g, String.raw`\$&`)}(?!\w)`,
      'g',
    )
    visit(document, {
      Scalar(_key, node, ancestors) {
        if (typeof node.value !== 'string') return
        node.value = node.value.replaceAll(named, () => `steps.${id}`)
        if (node.value === old && isInNeeds(node, ancestors)) node.value = id
      },
    })
  })
}

/** Adds a way to a branch, asked after the others. */
export function addCase(source: string, branch: Path): string {
  const draft = readDraft(source)
  const ids = draft ? allSteps(draft.graph).map(({ id }) => id) : []
  return edited(source, (document) => {
    const step = newStep('prompt', { ids, before: '' })
    listAt(document, [...branch, 'cases']).add(
      document.createNode({ when: 'input contains "?"', steps: [step] }),
    )
  })
}

/** What is taken where no condition holds: a first step of it, or nothing any more. */
export function setElse(source: string, branch: Path, hasElse: boolean): string {
  const path = [...branch, 'else']
  if (!hasElse) return setField(source, path, undefined)
  return addStep(source, path, 'prompt').source
}

function edited(source: string, change: (document: Document) => void): string {
  const document = parseDocument(source, { version: '1.2' })
  if (document.errors.length > 0) return source
  // Lists stand below their name with or without an indent; the text's own way is kept.
  const indentSeq = !/^( *)[\w-]+:\s*\n\1- /m.test(source)
  const style = { lineWidth: 0, indentSeq, flowCollectionPadding: source.includes('[ ') }
  const before = document.toString(style)
  change(document)
  const after = document.toString(style)
  const kept = withOwnLines(source, before, after)
  return meansTheSame(kept, after) ? kept : after
}

/**
 * Writing a document anew gives every line one style. Lines that are alike before and after the change
 * are those of the text; `before` is the text written anew.
 */
function withOwnLines(source: string, before: string, after: string): string {
  const own = source.endsWith('\n') ? source.split('\n') : [...source.split('\n'), '']
  const plain = before.split('\n')
  if (own.length !== plain.length) return after
  let place = 0
  const lines = diffArrays(plain, after.split('\n')).flatMap(({ value, added, removed }) => {
    if (added) return value
    const start = place
    place += value.length
    return removed ? [] : own.slice(start, place)
  })
  return lines.join('\n')
}

/** Where lines of the text do not stand for those written anew, the result would be another. */
function meansTheSame(text: string, other: string): boolean {
  const [one, two] = [text, other].map((each) => parseDocument(each, { version: '1.2' }))
  return one?.errors.length === 0 && JSON.stringify(one) === JSON.stringify(two)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function setScalar(node: Scalar, value: unknown): void {
  node.value = value
  if (typeof value !== 'string') return
  if (value.includes('\n')) node.type = Scalar.BLOCK_LITERAL
  else if (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED) delete node.type
}

/** An object that is left without fields goes with the last of them. */
function removeField(document: Document, path: Path): void {
  document.deleteIn(path)
  const above = path.slice(0, -1)
  const parent = document.getIn(above, true)
  if (above.length > 0 && isMap(parent) && parent.items.length === 0) document.deleteIn(above)
}

/** The list at this place, made where there is none. */
function listAt(document: Document, path: Path): YAMLSeq {
  const known = document.getIn(path, true)
  if (isSeq(known)) return known
  const made = document.createNode([])
  made.flow = false
  document.setIn(path, made)
  return made
}

function stepAt(steps: YAMLSeq, place: number): YAMLMap | null {
  const step = steps.items[place]
  return isMap(step) ? step : null
}

function idOf(step: unknown): string {
  const id: unknown = isMap(step) ? step.get('id') : null
  return typeof id === 'string' ? id : ''
}

function needsOf(step: YAMLMap): string[] {
  const needs = recordOf(step.toJSON())?.['needs']
  return Array.isArray(needs) ? needs.filter((need) => typeof need === 'string') : []
}

function setNeeds(document: Document, step: YAMLMap, needs: readonly string[]): void {
  if (needs.length === 0) step.delete('needs')
  else step.set('needs', document.createNode(needs, { flow: true }))
}

function isInNeeds(node: Scalar, ancestors: readonly unknown[]): boolean {
  const list = ancestors.at(-1)
  const pair = ancestors.at(-2)
  if (!isSeq(list) || !list.items.includes(node)) return false
  // The ancestor of a list that is a field's value is the pair of both.
  const { key } = (recordOf(pair) ?? {}) as { key?: unknown }
  return isScalar(key) && key.value === 'needs'
}

/** Texts of several lines stand as they are read. */
function spellOutTexts(node: Parameters<typeof visit>[0]): void {
  visit(node, {
    Pair(_key, { key, value }) {
      if (isScalar(key) && key.value === 'needs' && isSeq(value)) value.flow = true
    },
    Scalar(_key, scalar) {
      if (typeof scalar.value === 'string') setScalar(scalar, scalar.value)
    },
  })
}
