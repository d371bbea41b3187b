import { expect, test } from 'vitest'
import { withSources } from './answer-sources.ts'

function delta(annotations: unknown) {
  return [{ index: 0, delta: { annotations }, finish_reason: null }]
}

function cites(url: unknown, title: unknown = 'Tides', [start, end]: unknown[] = [0, 5]) {
  return { type: 'url_citation', url_citation: { url, title, start_index: start, end_index: end } }
}

const tides = { kind: 'source' as const, title: 'Tides', text: 'https://sea.example/tides' }
const none = { sources: [], citations: [] }

test('each page that an answer cites is kept once, in the order of its first citation', () => {
  const first = withSources(
    none,
    delta([cites(tides.text), cites('http://moon.example/', null)]),
    0,
  )
  const moon = { kind: 'source', title: '', text: 'http://moon.example/' }
  expect(first.sources).toEqual([tides, moon])
  const again = withSources(first, delta([cites(moon.text), cites(tides.text, 'Other')]), 0)
  expect(again).toEqual(first)
})

test('each place where a page is cited is kept once, from the beginning of the whole answer', () => {
  const moon = 'https://moon.example/'
  const first = withSources(none, delta([cites(tides.text), cites(moon)]), 100)
  const second = delta([cites(tides.text), cites(tides.text, 'Tides', [6, 20])])
  expect(withSources(first, second, 100).citations).toEqual([
    { source: 0, at: 105 },
    { source: 1, at: 105 },
    { source: 0, at: 120 },
  ])
})

test.each([
  ['no places', [undefined, undefined]],
  ['an empty text', [22, 22]],
  ['an end before the beginning', [9, 3]],
  ['places that are no counts', ['1', -2]],
])('a page that is cited with %s is only listed', (_what, places) => {
  const annotations = delta([cites(tides.text, 'Tides', places)])
  expect(withSources(none, annotations, 0)).toEqual({ sources: [tides], citations: [] })
})

test.each([
  ['no list', 'x'],
  ['another kind', [{ type: 'file_citation', file_id: 'f' }]],
  ['no address', [cites(undefined)]],
  ['an address that is no page', [cites('javascript:alert(1)')]],
  ['an endless address', [cites(`https://sea.example/${'x'.repeat(5000)}`)]],
])('%s adds no source', (_what, annotations) => {
  const known = { sources: [tides], citations: [{ source: 0, at: 5 }] }
  expect(withSources(known, delta(annotations), 0)).toEqual(known)
})

test('an answer that cites pages without end keeps a hundred, with short titles', () => {
  const many = Array.from({ length: 5000 }, (_, at) =>
    cites(`https://sea.example/${at}`, 'x'.repeat(1000)),
  )
  const { sources, citations } = withSources(none, delta(many), 0)
  expect(sources).toHaveLength(100)
  expect(sources[0]?.title).toHaveLength(300)
  expect(citations).toHaveLength(100)
})

test('a page that is cited at places without end keeps five hundred of them', () => {
  const many = Array.from({ length: 5000 }, (_, at) => cites(tides.text, 'Tides', [at, at + 1]))
  expect(withSources(none, delta(many), 0).citations).toHaveLength(500)
})
