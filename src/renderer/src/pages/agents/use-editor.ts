import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import type { DefinitionIssue } from '../../../../shared/agents/agent-window.ts'
import { checkAgent } from '../../stores/agents.ts'
import { allSteps, fieldName, readDraft, type Draft, type DraftStep, type Path } from './draft.ts'
import { setField } from './edit-definition.ts'

/** How long after the last keystroke the text is validated. */
const checkAfterMs = 150

/** The state of the editor. Everything derives from the text. */
export interface Editor {
  source: string
  /** Null when the text is not valid YAML; then only the text can be edited. */
  draft: Draft | null
  issues: readonly DefinitionIssue[]
  /** Whether `issues` are those of the current text. */
  isChecked: boolean
  /** Path of the open step. */
  selected: Path | null
  select(path: Path | null): void
  setSource(source: string): void
  /** Undoes the last change; null when there is none. */
  undo: (() => void) | null
  /** Sets one field; undefined removes it. */
  set(path: Path, value: unknown): void
}

export const EditorContext = createContext<Editor | null>(null)

export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('useEditor needs an EditorContext')
  return editor
}

export function useNewEditor(source: string, setSource: (source: string) => void): Editor {
  const [selected, select] = useState<Path | null>(null)
  const [checked, setChecked] = useState<Validation>({ source: null, issues: [] })
  const [past, setPast] = useState<readonly PastText[]>([])
  const draft = useMemo(() => readDraft(source), [source])
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => {
      void checkAgent(source).then(
        (issues) => isCurrent && setChecked({ source, issues }),
        // The next change validates again, and saving reports the error.
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
    issues: checked.issues,
    isChecked: checked.source === source,
    selected,
    select,
    setSource: change,
    undo: past.length === 0 ? null : undo,
    set: (path, value) => change(setField(source, path, value)),
  }
}

/** Control + Z, except in text fields, which have their own undo. */
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

/** A previous text and when it was replaced. */
interface PastText {
  source: string
  atMs: number
}

/** Keystrokes within this time are one change. */
const oneChangeMs = 700
const mostPast = 200

function withPast(before: readonly PastText[], changed: PastText): readonly PastText[] {
  const last = before.at(-1)
  const isSameChange = last !== undefined && changed.atMs - last.atMs < oneChangeMs
  if (isSameChange) return [...before.slice(0, -1), { ...last, atMs: changed.atMs }]
  return [...before, changed].slice(-mostPast)
}

interface Validation {
  source: string | null
  issues: readonly DefinitionIssue[]
}

/** The errors of exactly this field as text; null without errors. */
export function issueOf({ issues }: Editor, path: Path): string | null {
  const name = fieldName(path)
  const messages = issues.filter(({ field }) => field === name).map(({ message }) => message)
  return messages.length === 0 ? null : messages.join('; ')
}

/** The number of errors in a step and its inner steps. */
export function issuesWithin({ issues }: Pick<Editor, 'issues'>, path: Path): number {
  const name = fieldName(path)
  return issues.filter(({ field }) => field === name || isBelow(field, name)).length
}

function isBelow(field: string, name: string): boolean {
  return field.startsWith(`${name}.`) || field.startsWith(`${name}[`)
}

/** The innermost step that contains the field of an error. */
export function stepOfIssue({ draft }: Editor, { field }: DefinitionIssue): DraftStep | null {
  const steps = draft ? allSteps(draft.graph) : []
  return steps.findLast((step) => isBelow(field, fieldName(step.path))) ?? null
}

export function isSamePath(a: Path | null, b: Path | null): boolean {
  return a !== null && b !== null && a.length === b.length && isWithin(a, b)
}

/** Whether `path` is `outer` or inside it. */
export function isWithin(path: Path | null, outer: Path): boolean {
  return path !== null && outer.every((part, index) => path[index] === part)
}

/** Element ids of a step: its button, first field, graph node and so on. */
export function elementId(
  part: 'head' | 'first' | 'node' | 'up' | 'down' | 'add',
  path: Path,
): string {
  return `${part}-${path.join('-')}`
}

/** Focuses the element after the next render. */
export function focusLater(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus())
}
