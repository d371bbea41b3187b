/**
 * Splits a growing markdown text into its top-level blocks, so that a streamed answer re-renders only the last
 * one. All blocks except the tail are final, and an append parses the text only from the last block that may
 * still change. A block may still change while only blank lines or an unfinished line follow it ("1. a", blank,
 * "2" may yet become "2. b", an item of the same list).
 *
 * Limitation: a reference link stays text when its definition is in another block.
 */
import { Lexer, Marked, type Token, type TokenizerAndRendererExtension } from 'marked'

export interface Block {
  /** Offset in the text. Appends never move it, so it is a stable React key. */
  start: number
  kind: 'code' | 'formula' | 'markdown'
  /** The markdown source; for code and formulas only their content. */
  text: string
  /** The info string of fenced code; null for other blocks. */
  language: string | null
}

/**
 * A formula of whole lines, between `\\[` and `\\]` or `$$` and `$$`. Without this, a line of it that begins with a
 * minus or a number sign would begin a list or a heading. Like TeX, it has no blank lines.
 */
const formula: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'block',
  start: formulaStart,
  tokenizer: (source) => {
    const opening = /^ {0,3}(\\\[|\$\$)/.exec(source)
    if (!opening) return undefined
    const blank = /\n[ \t]*(?:\n|$)/.exec(source)
    const lines = source.slice(0, blank?.index)
    const closing = opening[1] === '$$' ? /\$\$[ \t]*(?:\n|$)/ : /\\\][ \t]*(?:\n|$)/
    const closed = closing.exec(lines.slice(opening[0].length))
    // Before a blank line it is text. At the end of the text it may still be closed.
    if (!closed && blank && blank.index + blank[0].length < source.length) return undefined
    const length = opening[0].length + (closed ? closed.index : lines.length)
    const tex = lines.slice(opening[0].length, length)
    const raw = closed ? lines.slice(0, length + closed[0].length) : source
    return { type: 'formula', raw, text: tex.trim(), isClosed: closed !== null }
  },
}

/** A line that opens 64 quotes and lists in each other. It is shown as it is: the parsers recurse for each of them. */
const deepLine = /^[ \t]*(?:(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])[ \t]*){64}/

const deep: TokenizerAndRendererExtension = {
  name: 'deep',
  level: 'block',
  tokenizer: (source) => {
    const [raw = ''] = /^[^\n]*(?:\n|$)/.exec(source) ?? []
    if (!deepLine.test(raw) || /^ {0,3}([-*])(?:[ \t]*\1)+[ \t]*$/.test(raw.trimEnd()))
      return undefined
    return { type: 'code', raw, text: raw.trimEnd(), isDeep: true }
  },
}

/** Position where a formula may interrupt the paragraph at the beginning of the source. */
function formulaStart(source: string): number | undefined {
  const blank = /\n[ \t]*\n/.exec(source)
  return /\n {0,3}(?:\\\[|\$\$)/.exec(source.slice(0, blank?.index))?.index
}

const grammar = new Marked({
  extensions: [deep, formula],
  tokenizer: {
    // An underlined heading has no formula between its text and its line.
    lheading: (source) => {
      const start = formulaStart(source)
      const underline = /\n {0,3}(?:=+|-+)[ \t]*(?:\n|$)/.exec(source)
      return start !== undefined && underline && start < underline.index ? undefined : false
    },
  },
}).defaults

/** Blocks of a text so far. Immutable: an append gives a new value that shares the final blocks. */
export interface BlockSplit {
  text: string
  final: readonly Block[]
  tail: readonly Block[]
  tailStart: number
}

export const emptySplit: BlockSplit = { text: '', final: [], tail: [], tailStart: 0 }

/** Splits a text again and again while it grows. */
export function growingSplit(): (text: string) => BlockSplit {
  let split = emptySplit
  return (text) => (split = splitBlocks(split, text))
}

/** The blocks after the text grew to `source`. Starts over when the text is a different one. */
export function splitBlocks(previous: BlockSplit, source: string): BlockSplit {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source
  if (text === previous.text) return previous
  const base = text.startsWith(previous.text) ? previous : emptySplit
  // Block grammar only: the content of a block is parsed when it is rendered.
  const tokens = placeTokens(
    new Lexer(grammar).blockTokens(text.slice(base.tailStart)),
    base.tailStart,
  )
  const open = firstOpenToken(tokens, text.lastIndexOf('\n'))
  const tailStart = tokens[open]?.start ?? base.tailStart
  return {
    text,
    final: [...base.final, ...tokens.slice(0, open).map(toBlock)],
    tail: tokens.slice(open).map(toBlock),
    tailStart,
  }
}

interface PlacedToken {
  token: Token
  start: number
}

/** Drops blank space between blocks and records where each block starts. */
function placeTokens(tokens: readonly Token[], offset: number): PlacedToken[] {
  const placed: PlacedToken[] = []
  let start = offset
  for (const token of tokens) {
    if (token.type !== 'space') placed.push({ token, start })
    start += token.raw.length
  }
  return placed
}

/** The index of the first block that more text could still change. */
function firstOpenToken(tokens: readonly PlacedToken[], lastLineEnd: number): number {
  for (let index = tokens.length - 2; index >= 0; index -= 1) {
    const block = tokens[index]
    const next = tokens[index + 1]
    if (block && next && next.start < lastLineEnd && isFinalBefore(block, next)) return index + 1
  }
  return 0
}

/** Whether the block, followed by a complete line of the next one, can no longer change. */
function isFinalBefore(block: PlacedToken, next: PlacedToken): boolean {
  const { type, raw } = block.token
  // A link definition takes a quoted text on the next lines as its title once the quote closes.
  if (type === 'def') return !/^\s*["'(]/.test(next.token.raw)
  if (type === 'heading' || type === 'code' || type === 'formula') return true
  // Without a blank line between them, a later underline (`===`) may still join the two.
  return raw.endsWith('\n\n') || block.start + raw.length < next.start
}

/** Also within lists and quotes. A line of their code is none. */
function hasDeepLine(token: object): boolean {
  const { isDeep = false, items = [], tokens = [] }: Inner = token
  return isDeep || [...items, ...tokens].some(hasDeepLine)
}

/** What the tokens of lists, quotes and deep lines have. */
interface Inner {
  isDeep?: boolean
  items?: object[]
  tokens?: object[]
}

function toBlock({ token, start }: PlacedToken): Block {
  if (token.type === 'formula') {
    return { start, kind: 'formula', text: String(token.text), language: null }
  }
  if (token.type !== 'code' && hasDeepLine(token)) {
    return { start, kind: 'code', text: token.raw.trimEnd(), language: null }
  }
  if (token.type !== 'code') {
    return { start, kind: 'markdown', text: token.raw.trimEnd(), language: null }
  }
  const language = typeof token.lang === 'string' ? (token.lang.split(/\s/)[0] ?? '') : ''
  return {
    start,
    kind: 'code',
    text: typeof token.text === 'string' ? token.text : token.raw,
    language: language === '' ? null : language,
  }
}
