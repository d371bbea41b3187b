/**
 * The kind of a prompt's text, by its characters. Tokenizers differ most between scripts and between prose and code, so
 * counts are compared within one kind only. It reads some windows of the text, and keeps nothing of it.
 */
import { createHash } from 'node:crypto'
import type { ChatRequest } from '../../../shared/chat/chat.ts'

const windows = 8
const windowCharacters = 256

export interface TextClass {
  /** Such as `latin-m0` for prose, `cjk-2-m0`, or `latin-m3-w-t` for indented code with tools. */
  name: string
  /** English prose without tools: every tokenizer counts it within known bounds. */
  isProse: boolean
}

export function textClass(body: ChatRequest): TextClass {
  const sample = sampleOf(textsOf(body))
  const { length } = sample
  const share = (pattern: RegExp) => (sample.match(pattern)?.length ?? 0) / Math.max(1, length)
  const foreign = share(/[^\p{ASCII}]/gu)
  const script = foreign < 0.03 ? 'latin' : scriptOf(sample)
  const amount = foreign < 0.03 ? '' : `-${foreign < 0.3 ? 0 : foreign < 0.7 ? 1 : 2}`
  const marks = share(/[!-/:-@[-`{-~0-9]/g)
  // English prose has 2 to 3 %. With some code in it, a prompt has up to half more tokens.
  const level = [0.035, 0.07, 0.14, 0.25].filter((least) => marks >= least).length
  const runs = share(/\s(?=\s)/g) >= 0.06 ? '-w' : ''
  const tools = (body.tools?.length ?? 0) > 0 ? '-t' : ''
  const name = `${script}${amount}-m${level}${runs}${tools}`
  return { name, isProse: name === 'latin-m0' || name === 'latin-m1' }
}

const scripts: readonly (readonly [string, RegExp])[] = [
  ['cjk', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu],
  ['cyrillic', /\p{Script=Cyrillic}/gu],
  ['arabic', /[\p{Script=Arabic}\p{Script=Hebrew}]/gu],
  ['indic', /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Thai}]/gu],
  ['accented', /\p{Script=Latin}/gu],
]

function scriptOf(sample: string): string {
  const foreign = sample.replace(/\p{ASCII}/gu, '')
  const counts = scripts.map(
    ([name, pattern]) => [name, foreign.match(pattern)?.length ?? 0] as const,
  )
  const most = counts.reduce((best, one) => (one[1] > best[1] ? one : best))
  return most[1] * 2 > foreign.length ? most[0] : 'mixed'
}

/** Names the conversation by the beginning of its first texts: later turns count the same texts again. */
export function conversationOf(body: ChatRequest): string {
  const [first = '', second = ''] = textsOf(body)
  const head = `${first.slice(0, 2_000)}\n${first.length}\n${second.slice(0, 2_000)}\n${second.length}`
  return createHash('sha256').update(head).digest('base64url').slice(0, 12)
}

function textsOf({ messages }: ChatRequest): string[] {
  return messages.flatMap(({ content }) => {
    if (typeof content === 'string') return [content]
    return (content ?? []).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  })
}

/** Windows spread evenly over all texts. */
function sampleOf(texts: readonly string[]): string {
  const total = texts.reduce((sum, { length }) => sum + length, 0)
  if (total <= windows * windowCharacters) return texts.join('')
  const step = total / windows
  let sample = ''
  let passed = 0
  let next = 0
  for (const text of texts) {
    while (next < passed + text.length) {
      sample += text.slice(next - passed, next - passed + windowCharacters)
      next += step
    }
    passed += text.length
  }
  return sample
}
