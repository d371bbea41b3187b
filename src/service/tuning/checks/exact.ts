import type { CheckOfType } from '../../../shared/chat/prompt-check.ts'
import { boldTexts, boxedAnswer, codeBlocks, statedAnswers } from './final-answer.ts'
import { quote, right, wrong, type Grade } from './grade.ts'

type ExactCheck = CheckOfType<'exact'>

/** Accepts the expected text as the whole answer, or where an answer states its result. */
export function gradeExact({ expected, isCaseSensitive }: ExactCheck, answer: string): Grade {
  const form = (text: string): string => normalForm(text, isCaseSensitive ?? false)
  const forms = new Set(expected.map(form))
  const matches = results(answer).some((text) => forms.has(form(text)))
  if (matches) return right('The answer is the expected text.')
  const last = results(answer).at(-1) ?? ''
  return wrong(`The answer is ${quote(last)}; expected ${quote(expected[0] ?? '')}.`)
}

/** Parts in which an answer can state its result, from the whole of it to its last line. */
function results(answer: string): string[] {
  const blocks = codeBlocks(answer)
  const lines = answer.split('\n').filter((line) => line.trim() !== '')
  return [
    answer,
    ...(blocks.length === 1 ? blocks.map(({ text }) => text) : []),
    boxedAnswer(answer),
    statedAnswers(answer).at(-1),
    boldTexts(answer).at(-1),
    lines.at(-1),
  ].filter((text) => text !== null && text !== undefined)
}

/** The text without Markdown, quotes, surrounding spaces and a final full stop, and with one space between words. */
function normalForm(text: string, isCaseSensitive: boolean): string {
  const plain = text
    .normalize('NFKC')
    .replace(/\*\*|__|^`+|`+$/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s"'“”„‘’«»`*]+/, '')
    .replace(/[\s"'“”„‘’«»`*.。]+$/, '')
    .replace(/[’‘]/g, "'")
  return isCaseSensitive ? plain : plain.toLowerCase()
}
