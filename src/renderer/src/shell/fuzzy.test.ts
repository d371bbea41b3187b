import { expect, test } from 'vitest'
import { rankEntries } from './fuzzy.ts'

const entries = [
  { title: 'Requests', keywords: 'log history' },
  { title: 'Create router', keywords: 'new add' },
  { title: 'Routers', keywords: 'strategy models' },
  { title: 'Settings: Server', keywords: 'port certificate' },
  { title: 'Web shop', keywords: 'router' },
]

const titles = (query: string) => rankEntries(query, entries).map(({ title }) => title)

test('an empty query keeps all entries in their order', () => {
  expect(titles(' ')).toEqual(entries.map(({ title }) => title))
})

test('the beginning of a title comes before a later word, and that before a keyword', () => {
  expect(titles('rout')).toEqual(['Routers', 'Create router', 'Web shop'])
})

test('every word of the query must match', () => {
  expect(titles('settings port')).toEqual(['Settings: Server'])
  expect(titles('settings router')).toEqual([])
})

test('three letters in order find a title, two do not', () => {
  expect(titles('crr')).toEqual(['Create router'])
  expect(titles('cr')).toEqual(['Create router'])
  expect(titles('wp')).toEqual([])
})

test('case does not matter', () => {
  expect(titles('WEB')).toEqual(['Web shop'])
})
