/** The translations of the window's texts: all of them, with the same values, and the plural forms of their language. */
import { readdir, readFile } from 'node:fs/promises'
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { languageCodes } from '../../src/shared/strings/languages.ts'

const folder = new URL('../../src/shared/strings/', import.meta.url)
const textsSchema = z.record(z.string(), z.string())

async function readTexts(language: string) {
  return textsSchema.parse(JSON.parse(await readFile(new URL(`${language}.json`, folder), 'utf8')))
}

/** What stands in a message beside its values and forms. */
function wordsOf(nodes: readonly MessageFormatElement[]): string[] {
  return nodes.flatMap((node) => {
    if (node.type === TYPE.literal) return node.value.match(/\p{L}{2,}/gu) ?? []
    if (node.type !== TYPE.plural && node.type !== TYPE.select) return []
    return Object.values(node.options).flatMap(({ value }) => wordsOf(value))
  })
}

interface Parts {
  /** The values that it names, each with the kind of its place. */
  values: Set<string>
  /** The forms of each plural. */
  plurals: string[][]
}

function partsOf(nodes: readonly MessageFormatElement[], parts: Parts): Parts {
  for (const node of nodes) {
    if (node.type === TYPE.literal || node.type === TYPE.pound) continue
    parts.values.add(`${node.value}, ${TYPE[node.type]}`)
    if (node.type === TYPE.plural) parts.plurals.push(Object.keys(node.options))
    if (node.type !== TYPE.plural && node.type !== TYPE.select) continue
    for (const { value } of Object.values(node.options)) partsOf(value, parts)
  }
  return parts
}

const read = (message: string) =>
  partsOf(parse(message, { ignoreTag: true }), { values: new Set(), plurals: [] })

/** What is wrong with the translation of a message. */
function problemsOf(message: string, translated: string, language: string): string[] {
  const [before, after] = [read(message), read(translated)]
  const problems = []
  const names = [before, after].map(({ values }) => [...values].toSorted().join('; '))
  if (names[0] !== names[1]) problems.push('other values')
  if (translated !== translated.trim() || translated === '') problems.push('space at an end')
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  for (const forms of after.plurals) {
    // “many” is for a million and more, which is written with its digits; “other” is right for it.
    const missing = pluralCategories.filter((form) => form !== 'many' && !forms.includes(form))
    const hasOne = forms.includes('other') && (forms.length === 1 || forms.includes('=0'))
    if (missing.length > 0 && !hasOne) problems.push(`no plural form for ${missing.join()}`)
  }
  return problems
}

test('each language has its file, and each file its language', async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'))
  expect(files.toSorted()).toEqual(languageCodes.map((code) => `${code}.json`).toSorted())
})

describe.each(languageCodes.filter((code) => code !== 'en'))('%s', (language) => {
  test('translates each text, with its values and plural forms', async () => {
    const [messages, texts] = [await readTexts('en'), await readTexts(language)]
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(messages).toSorted())
    const problems = Object.entries(texts).flatMap(([message, translated]) =>
      problemsOf(message, translated, language).map((problem) => `${problem}: ${message}`),
    )
    expect(problems).toEqual([])
  })

  test('is not English', async () => {
    const texts = Object.entries(await readTexts(language))
    // A message of many words that stayed as it is was forgotten; names and short terms may stay.
    const same = texts.filter(
      ([message, translated]) =>
        message === translated && wordsOf(parse(message, { ignoreTag: true })).length > 3,
    )
    expect(same.map(([message]) => message)).toEqual([])
  })
})

test.each([
  ['{count, plural, one {# row} other {# rows}}', '{count, plural, other {# Zeilen}}', []],
  [
    '{count, plural, one {# row} other {# rows}}',
    '{count, plural, few {# Zeilen} other {# Zeilen}}',
    ['no plural form for one'],
  ],
  ['Saved {name}', 'Gespeichert', ['other values']],
  ['Saved {name}', '{name} gespeichert ', ['space at an end']],
])('“%s” as “%s” has the problems %j', (message, translated, problems) => {
  expect(problemsOf(message, translated, 'de')).toEqual(problems)
})
