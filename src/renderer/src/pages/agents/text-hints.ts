/** Suggestions and descriptions of fields in the text editor. */
import {
  pickedCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { hoverTooltip } from '@codemirror/view'
import { limitsOf, schemaAt } from './agent-schema.ts'
import { suggestionsAt, type Names, type Suggestion } from './suggestions.ts'
import { fieldAt } from './text-place.ts'

export function suggestFields(names: () => Names) {
  return ({ state, pos }: CompletionContext): CompletionResult | null => {
    const found = suggestionsAt(state.doc.toString(), pos, names())
    if (!found) return null
    const { from, to, options } = found
    // The order of the schema, where the typed letters do not decide.
    const ranked = options.map((option, index) => toCompletion(option, options.length - index))
    return { from, to, options: ranked, validFor: /^[\w.:/-]*$/ }
  }
}

function toCompletion({ label, insert, ...more }: Suggestion, rank: number): Completion {
  const { detail, description, kind } = more
  return {
    label,
    type: kind,
    boost: rank / 100,
    ...(detail !== '' && { detail }),
    // oxlint-disable-next-line id-denylist -- CodeMirror's name
    ...(description !== '' && { info: description }),
    apply: (view, completion, ...[from, to]) => {
      const anchor = from + insert.length
      const changes = { from, to, insert: insert + closingOf(insert) }
      const annotations = pickedCompletion.of(completion)
      view.dispatch({ changes, selection: { anchor }, annotations, userEvent: 'input.complete' })
    },
  }
}

/** A list on one line is closed behind the caret. */
function closingOf(insert: string): string {
  return insert.endsWith('[') ? ']' : ''
}

/** Over the name of a field: what it is for and which values it takes. */
export const fieldHints = hoverTooltip(({ state }, offset) => {
  const field = fieldAt(state.doc.toString(), offset)
  const schema = field && schemaAt(field.path, field.value)
  if (!field || !schema) return null
  const lines = [schema.description, limitsOf(schema)].filter(
    (line) => line !== undefined && line !== '',
  )
  return lines.length === 0 ? null : { pos: offset, create: () => ({ dom: hintOf(lines) }) }
})

function hintOf(lines: readonly (string | undefined)[]): HTMLElement {
  const hint = document.createElement('div')
  hint.className = 'cm-fieldHint'
  for (const line of lines) hint.appendChild(document.createElement('p')).textContent = line ?? ''
  return hint
}
