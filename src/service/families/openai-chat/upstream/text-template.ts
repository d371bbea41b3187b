/**
 * The events of a text stream differ only in their text. A template learned from one event reads the next
 * ones by comparing the parts around the text. It does not parse them, and keeps the text's JSON, which is
 * sent unchanged. Measured: docs/benchmarks.md, `stream`.
 */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { TextChoice } from '../../../../shared/strings/text-choice.ts'
import { readChunk } from './answer.ts'
import type { ProviderChunk } from '../../../providers/provider.ts'

const contentKey = '"content":"'
/** Characters that need an escape in a JSON string: quotes, backslashes, control characters. */
const needsDecoding = /["\\]|\p{Cc}/u

export class TextTemplate {
  readonly #before: string
  readonly #after: string
  readonly #index: number
  readonly #jsonBefore: string
  /** The answer's other fields, the same for every event. */
  readonly extras: WireFields | undefined

  private constructor(before: string, after: string, { choices, extras }: ProviderChunk) {
    this.#before = before
    this.#after = after
    this.#index = choices[0]?.index ?? 0
    this.#jsonBefore = `{"index":${this.#index},"delta":{"content":"`
    this.extras = extras
  }

  /** @returns null when the event contains anything but a piece of one choice's text */
  static learn(event: string, chunk: ProviderChunk): TextTemplate | null {
    const content = textOf(chunk)
    if (content === null) return null
    const start = event.indexOf(contentKey) + contentKey.length
    const end = endOfString(event, start)
    if (start < contentKey.length || end === -1) return null
    const template = new TextTemplate(event.slice(0, start), event.slice(end), chunk)
    // Proves that this text is the choice's content, and not another field named `content`.
    const other = `${content}?`
    const probe = readChunk(
      JSON.parse(template.#before + JSON.stringify(other).slice(1, -1) + template.#after),
    )
    return textOf(probe) === other ? template : null
  }

  /** @returns null when the event differs in more than its text */
  read(event: string): TextChoice | null {
    if (!event.startsWith(this.#before) || !event.endsWith(this.#after)) return null
    const end = event.length - this.#after.length
    if (end <= this.#before.length) return null
    const json = event.slice(this.#before.length, end)
    const content = needsDecoding.test(json) ? decode(json) : json
    if (content === null) return null
    return new TextChoice(
      this.#index,
      content,
      `${this.#jsonBefore}${json}"},"finish_reason":null}`,
    )
  }
}

/** The text of a chunk that consists of one piece of text only. */
function textOf({ choices, usage }: ProviderChunk): string | null {
  const [choice] = choices
  if (choice === undefined || choices.length > 1 || usage !== null) return null
  const { index: _index, delta, finish_reason, ...others } = choice
  const { content, ...otherTexts } = delta
  const isTextAlone = Object.keys(others).length === 0 && Object.keys(otherTexts).length === 0
  if (!isTextAlone || finish_reason !== null || typeof content !== 'string') return null
  return content === '' ? null : content
}

/** Position of the end of the string that starts at `start`; -1 when it does not end. */
function endOfString(json: string, start: number): number {
  for (let index = start; index < json.length; index += 1) {
    if (json[index] === '"') return index
    if (json[index] === '\\') index += 1
  }
  return -1
}

/** @returns null when the text is not the inside of one JSON string */
function decode(json: string): string | null {
  try {
    const text: unknown = JSON.parse(`"${json}"`)
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}
