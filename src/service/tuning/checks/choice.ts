import type { CheckOfType } from '../../../shared/chat/prompt-check.ts'
import { boldTexts, boxedAnswer, statedAnswers } from './final-answer.ts'
import { quote, right, wrong, type Grade } from './grade.ts'
import { withoutLatex } from './read-numbers.ts'

type ChoiceCheck = CheckOfType<'choice'>

/**
 * Grades the one letter that the answer names. The most explicit place that names any letter counts, and an answer
 * that names two different letters there is wrong.
 */
export function gradeChoice(check: ChoiceCheck, answer: string): Grade {
  const letters = namedLetters(check, answer)
  if (letters.length === 0) return wrong(`The answer names no option: ${quote(answer)}`)
  if (letters.length > 1) return wrong(`The answer names several options: ${letters.join(', ')}.`)
  const [letter] = letters
  if (letter === check.expected) return right(`The answer is ${letter}.`)
  return wrong(`The answer is ${letter}; expected ${check.expected}.`)
}

function namedLetters({ options }: ChoiceCheck, answer: string): string[] {
  const text = withoutLatex(answer)
  const boxed = boxedAnswer(answer)
  const places = [
    boxed === null ? [] : leadingLetters(withoutLatex(boxed), options),
    loneLetter(text, options),
    statedAnswers(text.replace(/\*\*|__|`/g, '')).flatMap((rest) => leadingLetters(rest, options)),
    calledCorrect(text, options),
    boldTexts(text).flatMap((inner) => leadingLetters(inner, options)),
    marked(text, options),
  ]
  const found = places.find((letters) => letters.length > 0) ?? []
  return [...new Set(found)].toSorted()
}

/** An answer that is only a letter, perhaps in brackets or in bold; lower case is accepted here. */
function loneLetter(text: string, options: string): string[] {
  const letter = /^[^\p{L}\p{N}]*(\p{Lu}|\p{Ll})[^\p{L}\p{N}]*$/u.exec(text)?.[1]?.toUpperCase()
  return letter !== undefined && options.includes(letter) ? [letter] : []
}

const join = String.raw`\s*(?:,|\/|or|and|oder|und|ou|et|o|y|或|和)\s*`

/** "B", "(B) Paris" or "option B", and the others of "A or B", at the beginning of a text. */
function leadingLetters(text: string, options: string): string[] {
  const letter = String.raw`(?:option\s+|choice\s+|opción\s+)?["'(\[]?([${options}])["')\]]?(?![\p{L}\p{N}'’])`
  const first = new RegExp(`^[^\\p{L}\\p{N}]*${letter}`, 'iu').exec(text)
  if (first?.[1] === undefined) return []
  // "a" is also an English article.
  if (first[1] === 'a' && /^\s+\p{L}/u.test(text.slice(first[0].length))) return []
  const rest = text.slice(first[0].length)
  const second = new RegExp(`^${join}${letter}`, 'iu').exec(rest)?.[1]
  const isAlternative = second !== undefined && second === second.toUpperCase()
  return [first[1].toUpperCase(), ...(isAlternative ? [second] : [])]
}

/** "Option B is correct". */
function calledCorrect(text: string, options: string): string[] {
  const correct = String.raw`(?:the\s+)?(?:correct|right|richtig|correcte?|correcta|正确)`
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}])["'(*]{0,4}([${options}])[)"'*]{0,4}\s?(?:is|ist|est|es|是)\s?${correct}(?!\p{Ll})`,
    'gu',
  )
  return [...text.matchAll(pattern)].map(([, letter = '']) => letter)
}

/** "B)" and "option B" anywhere, and "B." or "B:" at the start of a line. */
function marked(text: string, options: string): string[] {
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}])([${options}])\)|\b[Oo]ption\s+([${options}])(?![\p{L}\p{N}])|^[ \t]*([${options}])(?:[.:]|[ \t]*$)`,
    'gmu',
  )
  return [...text.matchAll(pattern)].map(([, inBrackets, named, atStart]) => {
    return inBrackets ?? named ?? atStart ?? ''
  })
}
