import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import type { DefinitionFault } from '../../../../shared/agent-window.ts'
import { checkAgent } from '../../stores/agents.ts'
import { allSteps, fieldName, readDraft, type Draft, type DraftStep, type Path } from './draft.ts'
import { setField } from './edit-definition.ts'

/** So long after the last key a text is checked. */
const checkAfterMs = 150

/** One definition while it is changed; its text is the truth, all else is read from it. */
export interface Editor {
  source: string
  /** Null where the text cannot be read; then only the text can be changed. */
  draft: Draft | null
  faults: readonly DefinitionFault[]
  /** Whether the faults are those of this text. */
  isChecked: boolean
  /** Of the step that is open. */
  selected: Path | null
  select(path: Path | null): void
  setSource(source: string): void
  /** Takes the last change back; null where there is none. */
  undo: (() => void) | null
  /** Sets one field; undefined takes it out. */
  set(path: Path, value: unknown): void
}

export const EditorContext = createContext<Editor | null>(null)

export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('no editor around')
  return editor
}

export function useNewEditor(source: string, setSource: (source: string) => void): Editor {
  const [selected, select] = useState<Path | null>(null)
  const [checked, setChecked] = useState<Checked>({ source: null, faults: [] })
  const [past, setPast] = useState<readonly Past[]>([])
  const draft = useMemo(() => readDraft(source), [source])
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => {
      void checkAgent(source).then(
        (faults) => isCurrent && setChecked({ source, faults }),
        // The next change asks again, and saving says why it cannot.
        () => {},
      )
    }, checkAfterMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [source])
  const change = (changed: string) => {
    if (changed === source) return
    setPast((before) => withPast(before, { source, atMs: Date.now() }))
    setSource(changed)
  }
  const undo = () => {
    const last = past.at(-1)
    if (!last) return
    setPast(past.slice(0, -1))
    setSource(last.source)
  }
  useUndoKey(undo)
  return {
    source,
    draft,
    faults: checked.faults,
    isChecked: checked.source === source,
    selected,
    select,
    setSource: change,
    undo: past.length === 0 ? null : undo,
    set: (path, value) => change(setField(source, path, value)),
  }
}

/** Control + Z, but in a text field: there it is the field's own. */
function useUndoKey(undo: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, target } = event
      if (key !== 'z' || shiftKey || !(ctrlKey || metaKey)) return
      if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) return
      event.preventDefault()
      undo()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  })
}

/** A text there was, and when it was changed. */
interface Past {
  source: string
  atMs: number
}

/** Keys that follow each other this quickly are one change. */
const oneChangeMs = 700
const mostPast = 200

function withPast(before: readonly Past[], changed: Past): readonly Past[] {
  const last = before.at(-1)
  const isSameChange = last !== undefined && changed.atMs - last.atMs < oneChangeMs
  if (isSameChange) return [...before.slice(0, -1), { ...last, atMs: changed.atMs }]
  return [...before, changed].slice(-mostPast)
}

interface Checked {
  source: string | null
  faults: readonly DefinitionFault[]
}

/** What is wrong with just this field, in words; null where nothing is. */
export function faultOf({ faults }: Editor, path: Path): string | null {
  const name = fieldName(path)
  const messages = faults.filter(({ field }) => field === name).map(({ message }) => message)
  return messages.length === 0 ? null : messages.join('; ')
}

/** How many things are wrong with a step and what it holds. */
export function faultsWithin({ faults }: Pick<Editor, 'faults'>, path: Path): number {
  const name = fieldName(path)
  return faults.filter(({ field }) => field === name || isBelow(field, name)).length
}

function isBelow(field: string, name: string): boolean {
  return field.startsWith(`${name}.`) || field.startsWith(`${name}[`)
}

/** The place in the form a fault is about: the deepest step that holds its field. */
export function stepOfFault({ draft }: Editor, { field }: DefinitionFault): DraftStep | null {
  const steps = draft ? allSteps(draft.graph) : []
  return steps.findLast((step) => isBelow(field, fieldName(step.path))) ?? null
}

export function isSamePath(a: Path | null, b: Path | null): boolean {
  return a !== null && b !== null && a.length === b.length && isWithin(a, b)
}

/** Whether the place is this one or below it. */
export function isWithin(path: Path | null, outer: Path): boolean {
  return path !== null && outer.every((part, index) => path[index] === part)
}

/** Ids of elements a place has: its open button, its first field, its node in the graph. */
export function elementId(
  part: 'head' | 'first' | 'node' | 'up' | 'down' | 'add',
  path: Path,
): string {
  return `${part}-${path.join('-')}`
}

/** Moves the keyboard there once it was drawn. */
export function focusLater(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus())
}
