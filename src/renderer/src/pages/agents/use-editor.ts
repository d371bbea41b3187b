import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import type { DefinitionIssue } from '../../../../shared/agents/agent-window.ts'
import { checkAgent } from '../../stores/agents.ts'
import {
  fieldName,
  readDraft,
  stepAt,
  type DraftGraph,
  type DraftStep,
  type Path,
} from './draft.ts'
import type { TextEditor } from './text-editor.ts'

/** How long after the last keystroke the text is validated. */
const checkAfterMs = 150

/** The state of the editor. Everything derives from the text. */
export interface Editor {
  source: string
  setSource(source: string): void
  /** The steps of the last text that was valid YAML. */
  draft: DraftGraph | null
  issues: readonly DefinitionIssue[]
  /** Whether `issues` are those of the current text. */
  isChecked: boolean
  /** The innermost step around the caret. */
  step: DraftStep | null
  setCaret(offset: number): void
  /** Null until it is loaded. */
  text: TextEditor | null
  setText(text: TextEditor | null): void
}

export const EditorContext = createContext<Editor | null>(null)

export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('useEditor needs an EditorContext')
  return editor
}

export function useNewEditor(source: string, setSource: (source: string) => void): Editor {
  const [checked, setChecked] = useState<Validation>({ source: null, issues: [] })
  const [caret, setCaret] = useState(0)
  const [text, setText] = useState<TextEditor | null>(null)
  const draft = useLastDraft(source)
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
  return {
    source,
    setSource,
    draft,
    issues: checked.issues,
    isChecked: checked.source === source,
    step: draft && stepAt(draft, caret),
    setCaret,
    text,
    setText,
  }
}

/** While the text is not valid, such as in the middle of a word, the steps stay those of the last valid text. */
function useLastDraft(source: string): DraftGraph | null {
  const draft = useMemo(() => readDraft(source), [source])
  const [last, setLast] = useState(draft)
  if (draft !== null && draft !== last) setLast(draft)
  return draft ?? last
}

interface Validation {
  source: string | null
  issues: readonly DefinitionIssue[]
}

/** The number of errors in a step and its inner steps. */
export function issuesWithin({ issues }: Pick<Editor, 'issues'>, path: Path): number {
  const name = fieldName(path)
  const isBelow = (field: string) => field.startsWith(`${name}.`) || field.startsWith(`${name}[`)
  return issues.filter(({ field }) => field === name || isBelow(field)).length
}

/** The element id of a step's node in the graph. */
export function nodeId(path: Path): string {
  return `node-${path.join('-')}`
}

/** The offset of an error. */
export function offsetOf({ line, column }: DefinitionIssue, source: string): number {
  const before = source.split('\n').slice(0, line - 1)
  const start = before.reduce((sum, text) => sum + text.length + 1, 0)
  return Math.min(start + column - 1, source.length)
}
