/** The parts of a streamed answer that its signals are read from: its beginning, and everything that is checked. */
import { contentText, type ChunkChoice, type FinishReason } from '../../../shared/chat/chat.ts'
import { TextChoice } from '../../../shared/strings/text-choice.ts'
import { isEmpty } from '../../providers/passed-fields.ts'
import type { Choice } from '../../routing/acceptance.ts'
import { CollectedChoices } from '../answer/collect.ts'

/** Characters in which a refusal is recognised. */
const beginningCharacters = 200
/** Most characters of texts and calls that are checked. */
const wholeCharacters = 262_144

export interface CheckedParts {
  /** The whole text is checked, and not only its beginning. */
  text: boolean
  calls: boolean
}

export class AnswerBeginning {
  readonly #choices = new CollectedChoices()
  readonly #checked: CheckedParts
  /** Text of the first choice that is not in `#choices` yet: most chunks have nothing else. */
  #text = ''
  /** Characters still to collect. A chunk of text after that costs two comparisons. */
  #textLeft: number
  #callsLeft: number

  constructor(checked: CheckedParts) {
    this.#checked = checked
    this.#textLeft = checked.text ? wholeCharacters : beginningCharacters
    this.#callsLeft = checked.calls ? wholeCharacters : beginningCharacters
  }

  add(choices: readonly ChunkChoice[]): void {
    for (const choice of choices) {
      const callsTools = choice.delta.tool_calls !== undefined
      if (callsTools ? this.#callsLeft > 0 : this.#textLeft > 0) this.#collect(choice)
    }
  }

  /** @returns null when the checked part is too long */
  read(ends: ReadonlyMap<number, FinishReason>): Choice[] | null {
    const { text, calls } = this.#checked
    if ((text && this.#textLeft <= 0) || (calls && this.#callsLeft <= 0)) return null
    this.#addText()
    return this.#choices
      .whole()
      .map((choice) => ({ ...choice, finish_reason: ends.get(choice.index) ?? '' }))
  }

  #collect(choice: ChunkChoice): void {
    const { index, delta } = choice
    if (choice instanceof TextChoice && index === 0) {
      const text = contentText(delta.content)
      this.#text += text
      this.#countText(text)
      return
    }
    this.#addText()
    // Reasoning may be long and shows nothing.
    const { reasoning: _reasoning, reasoning_content: _thought, ...rest } = delta
    const { role: _role, content, refusal, tool_calls, ...others } = rest
    const shown: ChunkChoice['delta'] = {
      ...(content !== undefined && { content }),
      ...(refusal !== undefined && { refusal }),
      ...(tool_calls !== undefined && { tool_calls }),
    }
    // That there is audio or an image is enough.
    for (const name in others) if (!isEmpty(others[name])) shown[name] = true
    this.#choices.add([{ index, delta: shown, finish_reason: null }])
    this.#countText(contentText(content))
    for (const { function: called, custom } of tool_calls ?? []) {
      this.#callsLeft -= called?.arguments?.length ?? custom?.input?.length ?? 0
    }
  }

  #addText(): void {
    if (this.#text === '') return
    this.#choices.add([{ index: 0, delta: { content: this.#text }, finish_reason: null }])
    this.#text = ''
  }

  /** A beginning of blanks would look like an empty answer. */
  #countText(text: string): void {
    this.#textLeft -= this.#checked.text ? text.length : text.trim().length
  }
}
