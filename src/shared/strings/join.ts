/** Words and sentences one after the other. Languages differ in what is between them. */
import { language, t } from './strings.ts'

/** `openai, 2 routers`. Empty words are left out. */
export function joinWords(words: readonly string[]): string {
  return words
    .filter(Boolean)
    .reduce((list, more) => (list === '' ? more : t('{list}, {more}', { list, more })), '')
}

/** `small and large` */
export function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat(language()).format(names)
}

/** `No fallback was needed. 3 failed.` Empty sentences are left out. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences
    .filter(Boolean)
    .reduce(
      (before, after) => (before === '' ? after : t('{before} {after}', { before, after })),
      '',
    )
}

/** `3 refused, 2 failed.` */
export function asSentence(words: readonly string[]): string {
  return t('{sentence}.', { sentence: joinWords(words) })
}

/** `Router: Web shop`; the name alone without details. */
export function nameWith(name: string, details: string): string {
  return details === '' ? name : t('{name}: {details}', { name, details })
}
