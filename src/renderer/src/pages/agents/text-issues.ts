/** Errors in the text editor: the words are underlined, and the message follows at the end of the line. */
import { StateEffect, StateField, type Range, type Text } from '@codemirror/state'
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view'
import type { DefinitionIssue } from '../../../../shared/agents/agent-window.ts'

export const setIssues = StateEffect.define<readonly DefinitionIssue[]>()

export const issueMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { effects, changes, newDoc }) {
    const found = effects.find((effect) => effect.is(setIssues))
    if (found?.is(setIssues)) return marksOf(found.value, newDoc)
    return marks.map(changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

function marksOf(issues: readonly DefinitionIssue[], text: Text): DecorationSet {
  const marks = [...byLine(issues, text)].flatMap(([number, ofLine]): Range<Decoration>[] => {
    const { from, to, text: line } = text.line(number)
    const message = ofLine.map((issue) => issue.message).join('; ')
    const words = ofLine.flatMap(({ column }) => {
      const start = Math.min(column - 1, line.length)
      const length = line.slice(start).trimEnd().length
      return length === 0 ? [] : [underline.range(from + start, from + start + length)]
    })
    const widget = Decoration.widget({ widget: new Message(message), side: 1 })
    return [marked.range(from), ...words, widget.range(to)]
  })
  return Decoration.set(marks, true)
}

/** An issue of an older text may be below the last line. */
function byLine(issues: readonly DefinitionIssue[], { lines }: Text) {
  return Map.groupBy(issues, ({ line }) => Math.min(line, lines))
}

const marked = Decoration.line({ class: 'cm-issueLine' })
const underline = Decoration.mark({ class: 'cm-issue' })

class Message extends WidgetType {
  readonly #text: string

  constructor(text: string) {
    super()
    this.#text = text
  }

  override eq(other: Message): boolean {
    return other.#text === this.#text
  }

  toDOM(): HTMLElement {
    const message = document.createElement('span')
    message.className = 'cm-issueText'
    message.textContent = this.#text
    return message
  }
}
