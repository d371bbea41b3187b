/** Ranks entries by how well a query matches them. */

export interface Searchable {
  title: string
  /** Found by the beginnings of its words only. */
  keywords: string
}

/** The entries that match every word of the query, best first; all of them, in their order, for an empty query. */
export function rankEntries<Entry extends Searchable>(
  query: string,
  entries: readonly Entry[],
): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...entries]
  return entries
    .map((entry) => ({ entry, score: scoreOf(words, entry) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ entry }) => entry)
}

/** Greater for a better match; 0 when a word is not found. */
function scoreOf(words: readonly string[], { title, keywords }: Searchable): number {
  const [inTitle, inKeywords] = [title.toLowerCase(), keywords.toLowerCase()]
  let sum = 0
  for (const word of words) {
    const score = Math.max(scoreInText(word, inTitle), scoreInKeywords(word, inKeywords))
    if (score === 0) return 0
    sum += score
  }
  // Of two titles with the same match, the shorter one is more likely meant.
  return sum - inTitle.length / 1_000
}

const scores = { start: 100, word: 80, keyword: 40, inside: 30, letters: 10 } as const

function scoreInText(word: string, text: string): number {
  if (text.startsWith(word)) return scores.start
  const at = text.indexOf(word)
  if (at < 0) return hasLettersInOrder(word, text) ? scores.letters : 0
  return startsWord(word, text) ? scores.word : scores.inside
}

function scoreInKeywords(word: string, keywords: string): number {
  return startsWord(word, keywords) ? scores.keyword : 0
}

function startsWord(word: string, text: string): boolean {
  return text.split(/[^\p{L}\p{N}]+/u).some((other) => other.startsWith(word))
}

/** `nwr` matches "New router". One or two letters match nearly everything, so they must stand together. */
function hasLettersInOrder(word: string, text: string): boolean {
  if (word.length < 3) return false
  let at = 0
  for (const letter of word) {
    at = text.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
