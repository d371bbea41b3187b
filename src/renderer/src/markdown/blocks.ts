/**
 * Splits a growing markdown text into its top-level blocks, so that a streamed answer re-renders only the last
 * one. All blocks except the tail are final, and an append parses the text only from the last block that may
 * still change. A block may still change while only blank lines or an unfinished line follow it ("1. a", blank,
 * "2" may yet become "2. b", an item of the same list).
 *
 * Limitation: a reference link stays text when its definition is in another block.
 */
import { Lexer, type Token } from 'marked'

export interface Block {
  /** Offset in the text. Appends never move it, so it is a stable React key. */
  start: number
  kind: 'code' | 'markdown'
  /** The markdown source; for a code block only its content. */
  text: string
  /** The info string of fenced code; null for other blocks. */
  language: string | null
}

/** Blocks of a text so far. Immutable: an append gives a new value that shares the final blocks. */
export interface BlockSplit {
  text: string
  final: readonly Block[]
  tail: readonly Block[]
  tailStart: number
}

export const emptySplit: BlockSplit = { text: '', final: [], tail: [], tailStart: 0 }

/** The blocks after the text grew to `source`. Starts over when the text is a different one. */
export function splitBlocks(previous: BlockSplit, source: string): BlockSplit {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source
  if (text === previous.text) return previous
  const base = text.startsWith(previous.text) ? previous : emptySplit
  // Block grammar only: the content of a block is parsed when it is rendered.
  const tokens = placeTokens(new Lexer().blockTokens(text.slice(base.tailStart)), base.tailStart)
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
  if (type === 'heading' || type === 'code') return true
  // Without a blank line between them, a later underline (`===`) may still join the two.
  return raw.endsWith('\n\n') || block.start + raw.length < next.start
}

function toBlock({ token, start }: PlacedToken): Block {
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
