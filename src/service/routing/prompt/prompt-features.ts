/**
 * Turns a prompt into numbers: hashed words and pairs of words for its topic, and thirty dense features for
 * its difficulty. It makes one pass over at most 6,500 characters, without regular expressions and without
 * an allocation per word, because the request path has tens of microseconds for it.
 *
 * Signs of a benchmark are ignored, or a head trained on exams would recognise exams: the letters before
 * options, `Question:` and `Answer:`. All numbers count as the same word.
 */

import { bucketCount, bucketOf, countBucket, takeBuckets } from './bucket-counts.ts'

const headChars = 4_000
const tailChars = 2_000
const systemChars = 500
/** The number of words at the beginning that are counted once more as first words. */
const openingWords = 3

/** The texts of a request that are read. */
export interface PromptText {
  /** The last user message. */
  lastUser: string
  /** The system prompt; empty when there is none. */
  system: string
}

export interface PromptFeatures {
  /** The buckets that occur, in order of occurrence. */
  buckets: Uint16Array
  /** The weight of each bucket: 1 + ln(count), divided by the length of the whole vector. */
  weights: Float32Array
  /** Features of the user's message, in the order of `denseFeatureNames`. */
  dense: Float64Array
}

// Kinds of characters. Up to `wide` they are letters.
const lower = 0
const upper = 1
const wide = 2
const digit = 3
const space = 4
const newline = 5
const operator = 6
const bracket = 7
const code = 8
const backslash = 9
const dollar = 10
const questionMark = 11
const sentenceEnd = 12
const comma = 13
const quote = 14
const colon = 15
const otherKind = 16
const kindCount = 17

/** Character kinds for other readers. Exporting the constants themselves would slow the pass down by a tenth. */
export const characterKinds = {
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
} as const

const kindOfAscii = kindsOf([
  [upper, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [lower, 'abcdefghijklmnopqrstuvwxyz'],
  [digit, '0123456789'],
  [space, ' \t\r'],
  [newline, '\n'],
  [operator, '+-*/=<>^%|~'],
  [bracket, '()[]'],
  [code, '{};`#_@&'],
  [backslash, '\\'],
  [dollar, '$'],
  [questionMark, '?'],
  [sentenceEnd, '.!'],
  [comma, ','],
  [quote, '"\''],
  [colon, ':'],
])

// Kinds of words that show how a question is asked.
const commonWord = 1
const whyOrHow = 2
const negation = 3
const quantity = 4
const condition = 5
const superlative = 6
const timeOrPlace = 7
const benchmarkLabel = 8
const cueCount = 9

const hashStart = 0x811c9dc5
const hashPrime = 0x01000193

const cueOfBucket = cuesOf([
  [
    commonWord,
    'the of and to a in is that for it as was with be by on are this from at or an have has its which their they he she his her we you i will would can could been were had do does did there these those what your my',
  ],
  [whyOrHow, 'why how explain because prove show derive describe'],
  [negation, 'not no never none except neither nor cannot without false incorrect'],
  [quantity, 'each per total every many much half twice times more less than percent sum average'],
  [condition, 'if then suppose assume given let when unless whether therefore thus must'],
  [superlative, 'most least best worst primarily likely mainly largest smallest greatest'],
  [timeOrPlace, 'year years century day days week hours where country city world state first'],
  [benchmarkLabel, 'answer question options choices'],
])

/** The counts that the pass over the text collects. */
interface Tally {
  chars: Uint32Array
  cues: Uint32Array
  words: number
  wordChars: number
  longWords: number
  singleLetters: number
  names: number
  numbers: number
  longNumbers: number
  markers: number
  distinctWords: number
  /** Length of the current word; 0 for none. */
  wordLength: number
  wordHash: number
  beginsUpper: boolean
  numberLength: number
  previousHash: number
  itemsOfLine: number
  itemsOfSentence: number
}

/** Reads a prompt; texts beyond the limits lose their middle. */
export function readFeatures({ lastUser, system }: PromptText): PromptFeatures {
  const tally = emptyTally()
  const isWhole = lastUser.length <= headChars + tailChars
  scan(tally, isWhole ? lastUser : lastUser.slice(0, headChars))
  if (!isWhole) scan(tally, lastUser.slice(-tailChars))
  const dense = toDense(tally, lastUser.length)
  scan(emptyTally(), system.slice(0, systemChars))
  return { ...takeBuckets(), dense }
}

/** The part of a text that is being read. Its code units are read faster than a string's characters. */
const partBytes = Buffer.alloc(2 * (headChars + tailChars))
const part = new Uint16Array(partBytes.buffer, partBytes.byteOffset, headChars + tailChars)

function scan(tally: Tally, text: string): void {
  partBytes.write(text, 'utf16le')
  tally.itemsOfLine = 0
  tally.previousHash = 0
  let at = 0
  while (at < text.length) {
    const char = part[at] ?? 0
    const kind = kindOf(char)
    if (kind <= upper) at = addLetters(tally, at, text.length)
    else {
      tally.chars[kind] = (tally.chars[kind] ?? 0) + 1
      if (kind === wide) addWideLetter(tally, char)
      else endItem(tally, char, kind)
      at += 1
    }
  }
  endItem(tally, 0, space)
}

/**
 * Adds ASCII letters up to the next other character: most of a text, so their counts stay in local variables.
 * @returns the place of that character, or `to`
 */
function addLetters(tally: Tally, from: number, to: number): number {
  if (tally.numberLength > 0) endNumber(tally)
  const isStart = tally.wordLength === 0
  let hash = isStart ? hashStart : tally.wordHash
  let capitals = 0
  let at = from
  while (at < to) {
    const char = part[at] ?? 0
    const kind = char < 128 ? (kindOfAscii[char] ?? otherKind) : wide
    if (kind > upper) break
    capitals += kind
    hash = Math.imul(hash ^ (char | 32), hashPrime)
    at += 1
  }
  if (isStart) tally.beginsUpper = kindOf(part[from] ?? 0) === upper
  tally.wordHash = hash
  tally.wordLength += at - from
  tally.chars[upper] = (tally.chars[upper] ?? 0) + capitals
  tally.chars[lower] = (tally.chars[lower] ?? 0) + at - from - capitals
  return at
}

function addWideLetter(tally: Tally, char: number): void {
  if (tally.numberLength > 0) endNumber(tally)
  // Chinese, Japanese and Korean have no spaces: each character is a word.
  if (tally.wordLength > 0 && char >= 0x2e80) endWord(tally, 0)
  if (tally.wordLength === 0) {
    tally.wordHash = hashStart
    tally.beginsUpper = false
  }
  tally.wordHash = Math.imul(tally.wordHash ^ char, hashPrime)
  tally.wordLength += 1
}

/** The text after a word or number: a space, a punctuation mark, the end. */
function endItem(tally: Tally, char: number, kind: number): void {
  if (tally.wordLength > 0) endWord(tally, kind === digit ? 0 : char)
  if (kind === digit) {
    tally.numberLength += 1
    return
  }
  if (tally.numberLength > 0) endNumber(tally)
  if (kind === newline) tally.itemsOfLine = 0
  if (kind === newline || kind === sentenceEnd || kind === questionMark) tally.itemsOfSentence = 0
  if (kind >= operator && kind <= dollar) countBucket(Math.imul(hashStart ^ char, hashPrime))
}

function endWord(tally: Tally, next: number): void {
  const length = tally.wordLength
  tally.wordLength = 0
  const bucket = bucketOf(tally.wordHash)
  const cue = cueOfBucket[bucket] ?? 0
  const isMarked = next === 0x2e || next === 0x29 || next === 0x3a
  const isMarker = isMarked && (cue === benchmarkLabel || (length === 1 && tally.beginsUpper))
  if (isMarker && tally.itemsOfLine === 0) {
    tally.markers += 1
    return
  }
  tally.words += 1
  tally.wordChars += length
  if (length >= 9) tally.longWords += 1
  if (length === 1) tally.singleLetters += 1
  if (tally.beginsUpper && tally.itemsOfSentence > 0) tally.names += 1
  tally.cues[cue] = (tally.cues[cue] ?? 0) + 1
  if (countBucket(tally.wordHash)) tally.distinctWords += 1
  // The beginning of a prompt shows the kind of work: "translate", "why", "def".
  if (tally.words <= openingWords) countBucket(Math.imul(tally.wordHash ^ 0x5e, hashPrime))
  countPair(tally, tally.wordHash)
}

function endNumber(tally: Tally): void {
  if (tally.numberLength > 2) tally.longNumbers += 1
  tally.numberLength = 0
  tally.numbers += 1
  const hash = Math.imul(hashStart ^ 0x30, hashPrime)
  countBucket(hash)
  countPair(tally, hash)
}

function countPair(tally: Tally, hash: number): void {
  if (tally.previousHash !== 0) {
    countBucket(Math.imul(Math.imul(tally.previousHash ^ 0x20, hashPrime) ^ hash, hashPrime))
  }
  tally.previousHash = hash
  tally.itemsOfLine += 1
  tally.itemsOfSentence += 1
}

function toDense(tally: Tally, charCount: number): Float64Array {
  const kind = (which: number) => tally.chars[which] ?? 0
  const cue = (which: number) => Math.log1p(tally.cues[which] ?? 0)
  const chars = Math.max(
    1,
    tally.chars.reduce((sum, count) => sum + count, 0),
  )
  const words = Math.max(1, tally.words)
  const sentences = Math.max(1, kind(sentenceEnd) + kind(questionMark))
  return Float64Array.of(
    Math.log1p(charCount),
    Math.log1p(tally.words),
    Math.min(12, tally.wordChars / words),
    tally.longWords / words,
    tally.distinctWords / words,
    (tally.cues[commonWord] ?? 0) / words,
    kind(digit) / chars,
    Math.log1p(tally.numbers),
    tally.longNumbers / Math.max(1, tally.numbers),
    kind(upper) / chars,
    tally.names / words,
    Math.log1p(Math.max(0, kind(newline) - tally.markers)),
    Math.log1p(kind(backslash)),
    Math.log1p(kind(dollar)),
    kind(operator) / chars,
    kind(bracket) / chars,
    kind(code) / chars,
    Math.log1p(kind(questionMark)),
    Math.log1p(sentences),
    Math.log1p(words / sentences),
    kind(comma) / chars,
    kind(quote) / chars,
    kind(wide) / chars,
    tally.singleLetters / words,
    cue(whyOrHow),
    cue(negation),
    cue(quantity),
    cue(condition),
    cue(superlative),
    cue(timeOrPlace),
  )
}

function emptyTally(): Tally {
  return {
    chars: new Uint32Array(kindCount),
    cues: new Uint32Array(cueCount),
    words: 0,
    wordChars: 0,
    longWords: 0,
    singleLetters: 0,
    names: 0,
    numbers: 0,
    longNumbers: 0,
    markers: 0,
    distinctWords: 0,
    wordLength: 0,
    wordHash: 0,
    beginsUpper: false,
    numberLength: 0,
    previousHash: 0,
    itemsOfLine: 0,
    itemsOfSentence: 0,
  }
}

export function kindOf(char: number): number {
  return char < 128 ? (kindOfAscii[char] ?? otherKind) : kindOfWide(char)
}

/** Non-ASCII spaces and punctuation separate words as the ASCII ones do. */
function kindOfWide(char: number): number {
  if (char === 0xa0 || char === 0x3000) return space
  if (char >= 0x2000 && char < 0x2070) return quote
  if (char >= 0x2190 && char < 0x2300) return operator
  return wide
}

function kindsOf(kinds: readonly (readonly [number, string])[]): Uint8Array {
  const table = new Uint8Array(128).fill(otherKind)
  for (const [kind, chars] of kinds) {
    for (const char of chars) table[char.charCodeAt(0)] = kind
  }
  return table
}

function cuesOf(cues: readonly (readonly [number, string])[]): Uint8Array {
  const table = new Uint8Array(bucketCount)
  for (const [cue, words] of cues) {
    for (const word of words.split(' ')) table[bucketOf(hashWord(word))] = cue
  }
  return table
}

function hashWord(word: string): number {
  let hash = hashStart
  for (let at = 0; at < word.length; at += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(at), hashPrime)
  }
  return hash
}
