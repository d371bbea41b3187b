import type { CheckOfType } from '../../../shared/chat/prompt-check.ts'
import { right, wrong, type Grade } from './grade.ts'

type FactsCheck = CheckOfType<'facts'>

/** The share of required facts that the answer states. It does not recognise negations: forbid what must not appear. */
export function gradeFacts({ required, forbidden }: FactsCheck, answer: string): Grade {
  const text = comparable(answer)
  const stated = forbidden?.find((phrase) => states(text, phrase))
  if (stated !== undefined) return wrong(`The answer states "${stated}", which is wrong.`)
  const missing = required.filter((group) => !group.some((phrase) => states(text, phrase)))
  if (missing.length === 0) return right('The answer states all required facts.')
  const names = missing.map(([first = '']) => `"${first}"`).join(', ')
  return {
    score: (required.length - missing.length) / required.length,
    reason: `The answer does not state ${names}.`,
  }
}

/** The text without case, accents, Markdown and line breaks. */
function comparable(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[’‘]/g, "'")
    .replace(/[‐‑‒–−]/g, '-')
    .replace(/[*_`#"“”„«»\s]+/g, ' ')
    .trim()
}

function states(text: string, phrase: string): boolean {
  const isPrefix = phrase.endsWith('*')
  const wanted = comparable(isPrefix ? phrase.slice(0, -1) : phrase)
  const end = isPrefix ? '' : boundary('(?!', wanted.at(-1))
  return new RegExp(`${boundary('(?<!', wanted[0])}${escaped(wanted)}${end}`, 'u').test(text)
}

/** Chinese, Japanese and Korean put no spaces between words. */
function boundary(opening: '(?!' | '(?<!', edge: string | undefined): string {
  const hasWords = /[\p{L}\p{N}]/u.test(edge ?? '')
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(edge ?? '')
  return hasWords && !isUnspaced ? String.raw`${opening}[\p{L}\p{N}])` : ''
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
