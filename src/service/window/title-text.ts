/** What a model answered as a title of a conversation, as far as it can be used. */

const mostCharacters = 80
const leastWords = 2
const mostWords = 8
/** Of scripts that write no spaces between words. */
const mostUnspaced = 30

/** Japanese is written with both of the last two. */
const scripts = [
  ['Latin', /\p{Script=Latin}/gu],
  ['Cyrillic', /\p{Script=Cyrillic}/gu],
  ['Greek', /\p{Script=Greek}/gu],
  ['Arabic', /\p{Script=Arabic}/gu],
  ['Hebrew', /\p{Script=Hebrew}/gu],
  ['Devanagari', /\p{Script=Devanagari}/gu],
  ['Hangul', /\p{Script=Hangul}/gu],
  ['Thai', /\p{Script=Thai}/gu],
  ['East Asian', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu],
] as const

const unspaced: ReadonlySet<string> = new Set(['Thai', 'East Asian'])

/** Line ends, marks of what a title is not, and what shows nothing. */
const refused = /["“”„‟«»‹›「」『』`*_#<>[\]{}|\\]|\p{C}|\p{Zl}|\p{Zp}|^title\b|:$/iu

/** @returns the title; null unless it is one line of 2 to 8 words without quotes, in the script of the question */
export function titleOf(answer: string, question: string): string | null {
  const title = answer.trim().replace(/[.。]$/u, '')
  if (title.length > mostCharacters || refused.test(title)) return null
  const script = scriptOf(title)
  if (script === null || script !== scriptOf(question)) return null
  if (unspaced.has(script)) return title.length <= mostUnspaced ? title : null
  const words = title.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  return words >= leastWords && words <= mostWords ? title : null
}

/** The script of most letters; null without a letter of a known one. */
function scriptOf(text: string): string | null {
  const counts = scripts.map(([name, letter]) => ({ name, count: text.match(letter)?.length ?? 0 }))
  const [first] = counts.toSorted((a, b) => b.count - a.count)
  return first && first.count > 0 ? first.name : null
}
