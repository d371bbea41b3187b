import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Loaded } from './page.tsx'

test('a loading list shows bars in place of rows, and tells screen readers in words', () => {
  const list = { items: null, error: null, load: () => Promise.resolve() }
  const shown = renderToStaticMarkup(
    <Loaded list={list} what="routers">
      {() => 'the routers'}
    </Loaded>,
  )
  expect(shown).toMatch(/^<div aria-busy="true"/)
  expect(shown).toContain('<p class="sr-only">Loading routers…</p>')
  expect(shown.match(/bg-line/g)).toHaveLength(3)
})
