/** The parts of a streamed answer that its signals are read from: its beginning, and everything that is checked. */
import { contentText, type ChunkChoice, type FinishReason } from '../../../shared/chat.ts'
import { isEmpty } from '../../providers/passed-fields.ts'
import type { Choice } from '../../routing/acceptance.ts'
import { CollectedChoices } from '../answer/collect.ts'

/** Enough to recognise a refusal. */
const beginningCharacters = 200
/** Longer texts and calls are not checked. */
const wholeCharacters = 262_144

export interface CheckedParts {
  /** The whole text is checked, and not only its beginning. */
  text: boolean
  calls: boolean
}

export class AnswerBeginning {
  readonly #choices = new CollectedChoices()
  readonly #checked: CheckedParts
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

  /** Null when the checked part is too long. */
  read(ends: ReadonlyMap<number, FinishReason>): Choice[] | null {
    const { text, calls } = this.#checked
    if ((text && this.#textLeft <= 0) || (calls && this.#callsLeft <= 0)) return null
    return this.#choices
      .whole()
      .map((choice) => ({ ...choice, finish_reason: ends.get(choice.index) ?? '' }))
  }

  #collect({ index, delta }: ChunkChoice): void {
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
    const text = contentText(content)
    // A beginning of blanks would look like an empty answer.
    this.#textLeft -= this.#checked.text ? text.length : text.trim().length
    for (const { function: called, custom } of tool_calls ?? []) {
      this.#callsLeft -= called?.arguments?.length ?? custom?.input?.length ?? 0
    }
  }
}
