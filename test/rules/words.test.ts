/** One name for each thing: the window uses no other name for what docs/words.md names. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { catalogueFile } from '../../scripts/strings/read-strings.mjs'
import { root } from './tree-copy.ts'

const rows = readFileSync(path.join(root, 'docs/words.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** Texts in which such a word means something else, as the page's last column says. */
const exceptions = new Set([
  'Chat completions',
  'Company gateway or region',
  'Everything before /chat/completions, such as https://api.example.com/v1',
  'Everything before /chat/completions. Leave empty for the usual address.',
  'Nothing matches “{query}”.',
  'Responses',
  'Web shop backend',
  '{count, plural, one {1 thread} other {# threads}}',
])

const texts = Object.keys(JSON.parse(readFileSync(catalogueFile(root), 'utf8')))

test.each(rows.filter(([, , , others]) => others !== ''))(
  '%s%s: the window uses no other name for it',
  (_border, _word, _meaning, others = '') => {
    const names = others.split(', ').join('|')
    const other = new RegExp(String.raw`(?<!\{)\b(${names})(s|ies)?\b`, 'i')
    expect(texts.filter((text) => other.test(text) && !exceptions.has(text))).toEqual([])
  },
)

test('each exception is a text of the window', () => {
  expect([...exceptions].filter((text) => !texts.includes(text))).toEqual([])
})
