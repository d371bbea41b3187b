import type { CheckOfType } from '../../../shared/chat/prompt-check.ts'
import { boldTexts, boxedAnswer, statedAnswers } from './final-answer.ts'
import { right, wrong, type Grade } from './grade.ts'
import { readNumbers, withoutLatex, type FoundNumber } from './read-numbers.ts'

type NumberCheck = CheckOfType<'number'>

/** Allows for the last binary digit of decimal fractions. */
const roundingError = 1e-9

/** Numbered lists and steps: their numbers are not results. */
const listMarker = /^[ \t>*_#]*(?:(?:step|schritt|étape|paso)\s+\d+|\d{1,2}[.)](?=\s))[ \t]*/gim

/** Compares the final number of the answer with the expected one. */
export function gradeNumber(check: NumberCheck, answer: string): Grade {
  const found = finalNumber(answer)
  if (found === null) return wrong('The answer contains no number.')
  const { value, alternatives } = found
  const inWords = Number(value.toPrecision(8))
  if ([value, ...alternatives].some((reading) => isWithin(check, reading))) {
    return right(`The final number is ${inWords}.`)
  }
  return wrong(`The final number is ${inWords}; expected ${check.expected}.`)
}

function isWithin({ expected, absoluteTolerance, relativeTolerance }: NumberCheck, found: number) {
  const tolerance = Math.max(absoluteTolerance ?? 0, (relativeTolerance ?? 0) * Math.abs(expected))
  const allowance = roundingError * Math.max(1, Math.abs(expected))
  return Math.abs(found - expected) <= tolerance + allowance
}

/** The number that is boxed; else stated as the answer; else in bold; else the last one of the text. */
function finalNumber(answer: string): FoundNumber | null {
  const text = answer.replace(listMarker, '')
  const boxed = boxedAnswer(text)
  const stated = statedAnswers(text.replace(/\*\*|__|`/g, '')).at(-1)
  const bold = boldTexts(text).findLast((inner) => /^[^\p{L}\d]{0,3}\d|[=≈]/u.test(inner))
  return (
    (boxed === null ? null : resultOf(boxed)) ??
    (stated === undefined ? null : resultOf(stated)) ??
    (bold === undefined ? null : resultOf(bold)) ??
    readNumbers(withoutLatex(text)).at(-1) ??
    null
  )
}

/** The result of "12 + 5 = 17 (as 12 is even)": the first number of the sentence, after its last equals sign. */
function resultOf(statement: string): FoundNumber | null {
  const text = withoutLatex(statement)
  const [sentence = ''] = text.split(/[.;!?](?:\s|$)|\s\(|,\s/, 1)
  const afterEquals = sentence.slice(
    Math.max(...['=', '≈'].map((sign) => sentence.lastIndexOf(sign))) + 1,
  )
  const [first] = [...readNumbers(afterEquals), ...readNumbers(sentence), ...readNumbers(text)]
  return first ?? null
}
