/**
 * The input of a custom tool out of the arguments of the function that stands for it: `{"input": "…"}`. The text is
 * decoded as its pieces arrive.
 */
import { fieldsOf, parseJsonOrNull, stringOf, textOrNull } from '../../../json-fields.ts'
import { customParameter } from './read-tools.ts'

/** Matches everything before the text. */
const beginning = new RegExp(`^\\s*\\{\\s*"${customParameter}"\\s*:\\s*"`)

export class CustomInput {
  /** All arguments so far. */
  #text = ''
  /** Start of the undecoded rest; null before the text's first quote. */
  #at: number | null = null
  #isOver = false
  #decoded = ''

  /** @returns the part of the input that these pieces of arguments complete */
  push(piece: string): string {
    this.#text += piece
    this.#at ??= beginning.exec(this.#text)?.[0].length ?? null
    if (this.#at === null || this.#isOver) return ''
    const end = this.#decodableEnd(this.#at)
    // Cut between escapes, so that the quotes complete it. A model may write a raw line break.
    const encoded = this.#text.slice(this.#at, end).replaceAll(/[^\P{Cc}\u007f-\u009f]/gu, escaped)
    this.#at = end
    const decoded = textOrNull(parseJsonOrNull(`"${encoded}"`)) ?? ''
    this.#decoded += decoded
    return decoded
  }

  /** @returns the rest of the input, once all arguments have arrived */
  end(): string {
    if (this.#at !== null) return ''
    this.#at = this.#text.length
    const whole = wholeInput(this.#text)
    this.#decoded += whole
    return whole
  }

  /** All of the input so far. */
  get input(): string {
    return this.#decoded
  }

  /** The end of the text, or of its complete escapes. */
  #decodableEnd(from: number): number {
    let at = from
    while (at < this.#text.length) {
      const character = this.#text[at]
      if (character === '"') {
        this.#isOver = true
        return at
      }
      const length = character === '\\' ? escapeLength(this.#text, at) : 1
      if (at + length > this.#text.length) return at
      at += length
    }
    return at
  }
}

/** A pair of surrogates is one escape, because half a character cannot be sent. */
function escapeLength(text: string, at: number): number {
  if (text[at + 1] !== 'u') return 2
  return /^\\u[dD][89abAB]/.test(text.slice(at, at + 4)) ? 12 : 6
}

function escaped(character: string): string {
  return JSON.stringify(character).slice(1, -1)
}

/** The whole input. A model may name the parameter otherwise, or write the input without JSON. */
function wholeInput(text: string): string {
  const fields = fieldsOf(parseJsonOrNull(text))
  const [only, ...others] = Object.values(fields)
  const named = textOrNull(fields[customParameter])
  if (named !== null) return named
  if (others.length === 0 && stringOf(only) !== null) return String(only)
  return text.trim() === '{}' ? '' : text
}
