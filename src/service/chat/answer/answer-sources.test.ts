import { expect, test } from 'vitest'
import { withSources } from './answer-sources.ts'

function delta(annotations: unknown) {
  return [{ index: 0, delta: { annotations }, finish_reason: null }]
}

function cites(url: unknown, title: unknown = 'Tides') {
  return { type: 'url_citation', url_citation: { url, title, start_index: 0, end_index: 5 } }
}

const tides = { kind: 'source' as const, title: 'Tides', text: 'https://sea.example/tides' }

test('each page that an answer cites is kept once, in the order of its first citation', () => {
  const first = withSources([], delta([cites(tides.text), cites('http://moon.example/', null)]))
  const moon = { kind: 'source', title: '', text: 'http://moon.example/' }
  expect(first).toEqual([tides, moon])
  expect(withSources(first, delta([cites(moon.text), cites(tides.text, 'Other')]))).toEqual(first)
})

test.each([
  ['no list', 'x'],
  ['another kind', [{ type: 'file_citation', file_id: 'f' }]],
  ['no address', [cites(undefined)]],
  ['an address that is no page', [cites('javascript:alert(1)')]],
  ['an endless address', [cites(`https://sea.example/${'x'.repeat(5000)}`)]],
])('%s adds no source', (_what, annotations) => {
  const known = [tides]
  expect(withSources(known, delta(annotations))).toEqual(known)
})

test('an answer that cites pages without end keeps a hundred, with short titles', () => {
  const many = Array.from({ length: 5000 }, (_, at) =>
    cites(`https://sea.example/${at}`, 'x'.repeat(1000)),
  )
  const sources = withSources([], delta(many))
  expect(sources).toHaveLength(100)
  expect(sources[0]?.title).toHaveLength(300)
})
