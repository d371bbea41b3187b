/** The text editor of a definition: CodeMirror, loaded with its first use. */
import { autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  redo,
  redoDepth,
  undo,
  undoDepth,
} from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching } from '@codemirror/language'
import { openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import type { DefinitionIssue } from '../../../../shared/agents/agent-window.ts'
import { t } from '../../../../shared/strings/strings.ts'
import type { TextRange } from './draft.ts'
import type { Insertion } from './step-templates.ts'
import { fieldHints, suggestFields } from './text-hints.ts'
import { issueMarks, setIssues } from './text-issues.ts'
import { textLook } from './text-look.ts'
import type { Names } from './suggestions.ts'

export interface TextState {
  caret: number
  canUndo: boolean
  canRedo: boolean
}

export interface TextEditor {
  select(range: TextRange, options: { hasFocus: boolean }): void
  /** Replaces the text, if it is another one. */
  setText(text: string): void
  setIssues(issues: readonly DefinitionIssue[]): void
  setWrapped(isWrapped: boolean): void
  /** Inserts and selects a text. */
  insert(insertion: Insertion): void
  undo(): void
  redo(): void
  find(): void
  destroy(): void
}

interface TextEditorOptions {
  text: string
  /** The id of the element that describes the editor. */
  hintId: string
  names: () => Names
  onText: (text: string) => void
  onState: (state: TextState) => void
}

/** Creates the editor in an element. */
export function createTextEditor(parent: HTMLElement, options: TextEditorOptions): TextEditor {
  const wrapping = new Compartment()
  const extensions = [wrapping.of(EditorView.lineWrapping), ...extensionsOf(options)]
  const view = new EditorView({
    parent,
    state: EditorState.create({ doc: options.text, extensions }),
  })
  const focus = () => view.focus()
  return {
    select: ({ from, to }, { hasFocus }) => {
      select(view, { from, to })
      if (hasFocus) focus()
    },
    setText: (text) => {
      if (text === view.state.doc.toString()) return
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    },
    setIssues: (issues) => view.dispatch({ effects: setIssues.of(issues) }),
    setWrapped: (isWrapped) =>
      view.dispatch({ effects: wrapping.reconfigure(isWrapped ? EditorView.lineWrapping : []) }),
    insert: ({ at, text }) => {
      view.dispatch({ changes: { from: at, insert: text }, userEvent: 'input' })
      select(view, { from: at + text.search(/\S/), to: at + text.trimEnd().length })
      focus()
    },
    undo: () => undo(view),
    redo: () => redo(view),
    find: () => openSearchPanel(view),
    destroy: () => view.destroy(),
  }
}

/** The caret is at the start, so that it is in this step and not in its last inner one. */
function select(view: EditorView, { from, to }: TextRange): void {
  const { length } = view.state.doc
  const head = Math.min(from, length)
  view.dispatch({
    selection: { anchor: Math.min(to, length), head },
    effects: EditorView.scrollIntoView(head, { y: 'nearest', yMargin: 40 }),
  })
}

function extensionsOf({ hintId, names, onText, onState }: TextEditorOptions): Extension[] {
  return [
    textLook(),
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    bracketMatching(),
    closeBrackets(),
    yaml(),
    search({ top: true }),
    issueMarks,
    fieldHints,
    autocompletion({
      override: [suggestFields(names)],
      icons: false,
      // The name of a field is followed by its value.
      activateOnCompletion: ({ type }) => type === 'property',
    }),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      indentWithTab,
    ]),
    EditorView.contentAttributes.of({
      'aria-label': t('Source text'),
      'aria-describedby': hintId,
      // Editable is focusable, but axe does not know it.
      tabindex: '0',
    }),
    EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged) onText(state.doc.toString())
      if (!docChanged && !selectionSet) return
      const { head } = state.selection.main
      onState({ caret: head, canUndo: undoDepth(state) > 0, canRedo: redoDepth(state) > 0 })
    }),
  ]
}
