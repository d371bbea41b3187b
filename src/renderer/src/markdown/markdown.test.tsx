import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'

// The worker of formulas and code looks for the window's policy of scripts, but starts only when it is needed.
vi.stubGlobal('window', {})
const { Markdown } = await import('./markdown.tsx')
vi.unstubAllGlobals()

/** What a person reads. */
function read(text: string): string {
  return renderToStaticMarkup(<Markdown {...{ text }} isArriving={false} />).replaceAll(
    /<[^>]*>/g,
    '',
  )
}

test.each([
  ['High at noon[^1].\n\n[^1]: Smith, p. 12.', ['High at noon[^1].', '[^1]: Smith, p. 12.']],
  ['See [1].\n\n[1]: https://sea.example/tides "Sea"', ['[1]: ', 'https://sea.example/tides']],
  ['Answer.\n\n[Note]: important', ['Answer.', '[Note]: important']],
])('%j is shown with its definitions', (text, parts) => {
  for (const part of parts) expect(read(text)).toContain(part)
})

test.each(['>', '> ', '- ', '1. ', '> - '])('3,000 times %j in one line is shown', (mark) => {
  const text = `${mark.repeat(3_000)}end`
  expect(read(`Before\n\n${text}\n\nafter`)).toContain('end')
  expect(read(`- one\n  ${text}\n- after`)).toContain('after')
})

test('quotes and lists in each other keep their form', () => {
  const html = renderToStaticMarkup(
    <Markdown text={'> > - one\n> >   - two\n\n- - -\n\n* * * *'} isArriving={false} />,
  )
  expect(html.match(/<(blockquote|ul|hr)/g)).toEqual([
    '<blockquote',
    '<blockquote',
    '<ul',
    '<ul',
    '<hr',
    '<hr',
  ])
})

test('a reference in the block of its definition is a link, and a list keeps its code', () => {
  const draw = (text: string) => renderToStaticMarkup(<Markdown {...{ text }} isArriving={false} />)
  expect(draw('- see [the docs][1]\n\n  [1]: https://x.example/a')).toContain('>the docs</a>')
  const listed = draw(`- run:\n\n  \`\`\`\n  ${'> '.repeat(80)}\n  \`\`\`\n- then`)
  expect(listed.match(/<li/g)).toHaveLength(2)
})
