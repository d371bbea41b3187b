/**
 * Describes what a prompt asks for, in numbers from which its difficulty is read. Only the instruction is read, and not
 * the material or the options of a question: a long text to summarise is not a hard prompt.
 */
import { characterKinds, kindOf } from './prompt-features.ts'
import {
  addToKey,
  cueNames,
  cueOf,
  keyLetters,
  keyStart,
  withoutAccent,
} from './instruction-cues.ts'

const {
  backslash,
  bracket,
  code,
  comma,
  digit,
  dollar,
  kindCount,
  newline,
  operator,
  questionMark,
  sentenceEnd,
  upper,
  wide,
} = characterKinds

/** Characters at each end of a prompt that are read; what lies between them is material. */
const endChars = 200
const fewWords = 8
const longWord = 9
/** The number of buckets for the beginnings of words. */
export const stemCount = 2 ** 13

export const instructionFeatureNames = [
  'lnWords',
  'lnWordsSquared',
  'fewWords',
  'meanWordLength',
  'longWordShare',
  'lnNumbers',
  'lnLongestNumber',
  'lnSentences',
  'lnWordsPerSentence',
  'lnCommas',
  'lnQuestionMarks',
  'lnBackslashes',
  'lnDollars',
  'lnOperators',
  'lnBrackets',
  'lnCode',
  'lnNames',
  'lnSingleLetters',
  ...cueNames,
] as const

export interface InstructionFeatures {
  /** Features in the order of `instructionFeatureNames`. */
  dense: Float64Array
  /** Buckets of the words' first letters, each once. */
  stems: Uint16Array
}

export function readInstruction(text: string): InstructionFeatures {
  const tally = new Tally()
  if (text.length <= 2 * endChars) tally.scan(text, { from: 0, to: text.length })
  else {
    tally.scan(text, { from: 0, to: endChars })
    tally.scan(text, { from: text.length - endChars, to: text.length })
  }
  return { dense: toDense(tally), stems: takeStems() }
}

/** A buffer that is empty between two prompts; readings never overlap. */
const isMet = new Uint8Array(stemCount)
/** Each character is a word at most, and begins a pair at most. */
const met = new Uint16Array(4 * endChars)
let metCount = 0

function addStem(key: number): void {
  const stem = (key ^ (key >>> 13) ^ (key >>> 26)) & (stemCount - 1)
  if (isMet[stem] === 1) return
  isMet[stem] = 1
  met[metCount] = stem
  metCount += 1
}

/** The stems since the last call; empties the buffer. */
function takeStems(): Uint16Array {
  const stems = met.slice(0, metCount)
  for (const stem of stems) isMet[stem] = 0
  metCount = 0
  return stems
}

/** The counts that one pass over the instruction collects. */
class Tally {
  readonly chars = new Uint32Array(kindCount)
  readonly cues = new Uint32Array(cueNames.length + 1)
  words = 0
  letters = 0
  longWords = 0
  names = 0
  singleLetters = 0
  numbers = 0
  longestNumber = 0
  /** Length of the current word or number; 0 for none. */
  #length = 0
  #key = keyStart
  #previous = 0
  #beginsUpper = false
  #digits = 0
  #itemsOfSentence = 0

  scan(text: string, { from, to }: { from: number; to: number }): void {
    let isLineStart = from === 0 || kindOf(text.charCodeAt(from - 1)) === newline
    for (let at = from; at < to; at += 1) {
      if (isLineStart && isOption(text, at)) {
        at = endOfLine(text, at, to)
        continue
      }
      const char = text.charCodeAt(at)
      const kind = kindOf(char)
      isLineStart = kind === newline
      this.chars[kind] = (this.chars[kind] ?? 0) + 1
      if (kind <= wide) this.#addLetter(char, kind)
      else this.#endItem(kind)
    }
    this.#endItem(newline)
  }

  #addLetter(char: number, kind: number): void {
    this.#endNumber()
    // Chinese, Japanese and Korean have no spaces: each character is a word.
    if (this.#length > 0 && char >= 0x2e80) this.#endWord()
    if (this.#length === 0) {
      this.#key = keyStart
      this.#beginsUpper = kind === upper
    }
    if (this.#length < keyLetters) this.#key = addToKey(this.#key, withoutAccent(char))
    this.#length += 1
  }

  /** The text after a word or number: a space, a punctuation mark, the end. */
  #endItem(kind: number): void {
    this.#endWord()
    if (kind === digit) this.#digits += 1
    else this.#endNumber()
    if (kind === sentenceEnd || kind === questionMark || kind === newline) this.#itemsOfSentence = 0
  }

  #endWord(): void {
    const length = this.#length
    if (length === 0) return
    this.#length = 0
    this.words += 1
    this.letters += length
    if (length >= longWord) this.longWords += 1
    if (length === 1) this.singleLetters += 1
    if (this.#beginsUpper && this.#itemsOfSentence > 0) this.names += 1
    const cue = cueOf(this.#key)
    this.cues[cue] = (this.cues[cue] ?? 0) + 1
    addStem(this.#key)
    if (this.#previous !== 0) {
      addStem(addToKey(addToKey(this.#previous, 0x20), this.#key))
    }
    this.#previous = this.#key
    this.#itemsOfSentence += 1
  }

  #endNumber(): void {
    if (this.#digits === 0) return
    this.numbers += 1
    this.longestNumber = Math.max(this.longestNumber, this.#digits)
    this.#digits = 0
    this.#itemsOfSentence += 1
  }
}

function endOfLine(text: string, at: number, limit: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? limit : Math.min(end, limit)
}

/** `A. …` or `(A) …` */
function isOption(text: string, at: number): boolean {
  const isInBrackets = text.charCodeAt(at) === 0x28
  const letter = text.charCodeAt(isInBrackets ? at + 1 : at)
  const mark = text.charCodeAt(isInBrackets ? at + 2 : at + 1)
  return letter >= 0x41 && letter <= 0x4a && (mark === 0x2e || mark === 0x29 || mark === 0x3a)
}

function toDense(tally: Tally): Float64Array {
  const { words } = tally
  const ln = (kind: number) => Math.log1p(tally.chars[kind] ?? 0)
  const count = Math.max(1, words)
  const sentences = Math.max(1, (tally.chars[sentenceEnd] ?? 0) + (tally.chars[questionMark] ?? 0))
  const lnWords = Math.log1p(words)
  return Float64Array.of(
    lnWords,
    lnWords * lnWords,
    Number(words <= fewWords),
    Math.min(12, tally.letters / count),
    tally.longWords / count,
    Math.log1p(tally.numbers),
    Math.log1p(tally.longestNumber),
    Math.log1p(sentences),
    Math.log1p(words / sentences),
    ln(comma),
    ln(questionMark),
    ln(backslash),
    ln(dollar),
    ln(operator),
    ln(bracket),
    ln(code),
    Math.log1p(tally.names),
    Math.log1p(tally.singleLetters),
    ...cueNames.map((_, index) => Math.log1p(tally.cues[index + 1] ?? 0)),
  )
}
