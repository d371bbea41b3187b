import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ShareBar } from './share-bar.tsx'

test.each([
  [1, '1 (&lt; 1 %)'],
  [1500, '1,500 (50 %)'],
  [2999, '2,999 (&gt; 99 %)'],
])('a share of %i of 3,000 is rounded neither to none nor to all', (count, text) => {
  const shown = renderToStaticMarkup(<ShareBar count={count} all={3000} color="red" />)
  expect(shown.replaceAll('<!-- -->', '')).toContain(text)
})
