/** Edits a definition's text and leaves everything else, including comments, unchanged. */
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

/** Sets a field. @param value  undefined removes the field. @returns the new text */
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

/** Adds a step at the end of a graph. @returns the new text and the path of the step */
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

/** Removes a step. Steps that waited for it now wait for the steps it waited for. */
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

/** Moves a step up (-1) or down (1). @returns the new text and the new path */
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

/** Renames a step, including references in `needs` and templates. */
export function renameStep(source: string, path: Path, id: string): string {
  return edited(source, (document) => {
    const step = document.getIn(path, true)
    if (!isMap(step)) return
    const old = idOf(step)
    step.set('id', id)
    if (old === '') return
    // An invalid id may be in the templates too, from an earlier edit.
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

/** Adds a case to a branch, after the others. */
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

/** Adds or removes the steps that run when no condition is met. */
export function setElse(source: string, branch: Path, hasElse: boolean): string {
  const path = [...branch, 'else']
  if (!hasElse) return setField(source, path, undefined)
  return addStep(source, path, 'prompt').source
}

function edited(source: string, change: (document: Document) => void): string {
  const document = parseDocument(source, { version: '1.2' })
  if (document.errors.length > 0) return source
  // Lists may be indented or not; keep the style of the text.
  const indentSeq = !/^( *)[\w-]+:\s*\n\1- /m.test(source)
  const style = { lineWidth: 0, indentSeq, flowCollectionPadding: source.includes('[ ') }
  const before = document.toString(style)
  change(document)
  const after = document.toString(style)
  const kept = withOwnLines(source, before, after)
  return meansTheSame(kept, after) ? kept : after
}

/**
 * Serialising a document changes the style of every line. So lines that the edit did not
 * change are taken from the source. `before` is the serialised source.
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

/** Guards against source lines that do not match the serialised lines. */
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

/** Removes a field, and its object when that becomes empty. */
function removeField(document: Document, path: Path): void {
  document.deleteIn(path)
  const above = path.slice(0, -1)
  const parent = document.getIn(above, true)
  if (above.length > 0 && isMap(parent) && parent.items.length === 0) document.deleteIn(above)
}

/** The list at this path; created when missing. */
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
  // The parent of a list is the key-value pair it belongs to.
  const { key } = (recordOf(pair) ?? {}) as { key?: unknown }
  return isScalar(key) && key.value === 'needs'
}

/** Writes texts of several lines as YAML block literals. */
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
