/** The window's texts: one catalogue, complete and up to date, which a translation replaces. */
import { readFile } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { catalogueFile, readSource, readStrings } from '../../scripts/strings/read-strings.mjs'
import { chooseTranslation } from '../../src/shared/strings/choose-translation.ts'
import { setFormatLocale } from '../../src/shared/strings/format-locale.ts'
import { setTranslation, t, textParts } from '../../src/shared/strings/strings.ts'

const root = new URL('../..', import.meta.url).pathname

afterEach(() => {
  setTranslation({ language: 'en', texts: {} })
  setFormatLocale('en-US')
})

test('texts in elements, attributes and labels are messages with their values, and en.json lists them', async () => {
  const { catalogue, problems } = await readStrings(root)
  expect(problems).toEqual([])
  expect(await readFile(catalogueFile(root), 'utf8'), 'run `npm run strings`').toBe(catalogue)
})

test.each([
  ['<p>Save all</p>', '“Save all” is not in t()'],
  ['<Button label="Save all" />', 'label="Save all" is not in t()'],
  ['<p>{isNew ? "Created" : t("Saved")}</p>', '“Created” is not in t()'],
  ["const columns = ['Key', t('Created')]", '“Key” in a list is not in t()'],
  ["const column = { name: 'Expires' }", "name: 'Expires' is not in t()"],
  ["const tab = { label: 'All keys' }", "label: 'All keys' is not in t()"],
  ['t(`Saved ${count}`)', 'the message must be a literal text'],
  ["t('Saved {count}')", 'no value for count'],
  ["t('Saved', { count })", 'the message does not name count'],
  ["t('Saved {count')", 'the message cannot be parsed: EXPECT_ARGUMENT_CLOSING_BRACE'],
  ["t(' and more')", 'the message begins or ends with a space'],
  ["rich('New file ', {})", 'the message begins or ends with a space'],
  ["t(', at most 3')", 'the message begins in the middle of a sentence'],
  ["t('{value} rows', { value })", '{value} does not say what it stands for'],
  ["t('{length} rows', { length })", '{length} does not say what it stands for'],
  ["t('{rows} of {rows2}', { rows, rows2 })", '{rows2} does not say what it stands for'],
  ["t('Such as: {{ input }}')", 'the message contains code'],
  [`t("{'{% if %}'}")`, 'the message contains code'],
])('%s is a problem: %s', (source, problem) => {
  expect(readSource('page.tsx', source).problems).toEqual([`page.tsx:1: ${problem}`])
})

test('code, and texts in t(), are no problem', () => {
  const source = "const keys = ['Escape', 'p95']; <p>{t('Run')} <code>npm start</code></p>"
  expect(readSource('page.tsx', source)).toEqual({ messages: ['Run'], problems: [] })
})

test('a translation replaces texts, plurals follow its language, and the rest stays English', () => {
  const rows = '{count, plural, one {# row} other {# rows}}'
  setTranslation({
    language: 'pl',
    texts: {
      Save: 'Zapisz',
      [rows]: '{count, plural, one {# wiersz} few {# wiersze} other {# wierszy}}',
    },
  })
  expect([t('Save'), t('Cancel')]).toEqual(['Zapisz', 'Cancel'])
  expect([1, 2, 5].map((count) => t(rows, { count }))).toEqual([
    '1 wiersz',
    '2 wiersze',
    '5 wierszy',
  ])
})

test('counts have the format of all other numbers', () => {
  setFormatLocale('de-DE')
  expect(t('{count, plural, one {# row} other {# rows}}', { count: 12_345 })).toBe('12.345 rows')
})

test('a text with elements comes in parts', () => {
  const link = { href: '/keys' }
  expect(textParts('Create a {link}, then try again.', { link })).toEqual([
    'Create a ',
    link,
    ', then try again.',
  ])
})

test.each([
  ['pt-BR', 'pt-BR'],
  ['de-AT', 'de'],
  ['fr', 'en'],
])('a system in %s has the window in %s', (systemLanguage, language) => {
  const files = { '../strings/de.json': { Save: 'Sichern' }, '../strings/pt-BR.json': {} }
  expect(chooseTranslation(files, systemLanguage).language).toBe(language)
})
