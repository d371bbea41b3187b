/** The window's texts: one catalogue, complete and up to date, which a translation replaces. */
import { readFile } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { catalogueFile, readSource, readStrings } from '../../scripts/strings/read-strings.mjs'
import { languageOf } from '../../src/shared/strings/languages.ts'
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
  ["const name = key ?? 'Deleted key'", '“Deleted key” is not in t()'],
  ["const columns = column('Errors', t('Errors'))", '“Errors” is not in t()'],
  ["const text = isOver ? t('replaced') : 'expired'", '“expired” is not in t()'],
  [
    "const words = { lost: t('cut off'), sent: t('sent'), timeout: 'too late' }",
    '“too late” among texts is not in t()',
  ],
  ['<CopyButton what={`${count} models`} />', '“${count} models” is not in t()'],
  ['const name = `Share of ${measure}`', '“Share of ${measure}” is not in t()'],
  ["const column = { name: 'p95 latency' }", "name: 'p95 latency' is not in t()"],
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
  const source = [
    "const keys = ['Escape', 'p95']",
    "const choice = { value: 'file', label: t('Run'), hint: t('Run') }",
    "throw new Error('There is no such run.')",
    '<p className={`flex ${look} items-center`}>{t("Run")} <code>npm start</code></p>',
    'const unit = `${seconds} s`',
    "if (types.includes('Files')) attach()",
  ].join(';\n')
  expect(readSource('page.tsx', source)).toEqual({ messages: ['Run', 'Run', 'Run'], problems: [] })
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
  ['de-AT', 'de'],
  ['fr', 'fr'],
  ['zh-CN', 'zh'],
  ['zh-TW', 'en'],
  ['pt-BR', 'en'],
])('a system in %s has the window in %s', (systemLanguage, language) => {
  expect(languageOf('system', systemLanguage)).toBe(language)
  expect(languageOf('es', systemLanguage)).toBe('es')
})
