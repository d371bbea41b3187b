import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import type { SourceMark } from './source-marks.ts'

// The worker of formulas and code looks for the window's policy of scripts, but starts only when it is needed.
vi.stubGlobal('window', {})
const { Markdown } = await import('./markdown.tsx')
vi.unstubAllGlobals()

const page = { title: 'Tides', address: 'https://sea.example/tides' }

/** The answer as HTML; each `‹1›` in the text is a place of the source with that number. */
function drawn(marked: string, isArriving = false): string {
  const marks: SourceMark[] = []
  let text = ''
  for (const part of marked.split(/(‹\d+›)/)) {
    const number = /^‹(\d+)›$/.exec(part)?.[1]
    if (number === undefined) text += part
    else marks.push({ at: text.length, number: Number(number), ...page })
  }
  return renderToStaticMarkup(<Markdown {...{ text, isArriving, marks }} />)
}

/** What a person reads, with the numbers in brackets; blocks and cells end with a bar. */
function read(marked: string): string {
  return drawn(marked)
    .replaceAll(/<sup.*?>(\d+)<.*?<\/sup>/g, '[$1]')
    .replaceAll(/<\/(?:p|li|td|th|h\d|pre)>/g, '|')
    .replaceAll(/<[^>]*>|\n/g, '')
    .replaceAll('&quot;', '"')
}

describe('the number of a source', () => {
  test.each([
    ['High at noon.‹1› Low at six.‹2›', 'High at noon.[1] Low at six.[2]|'],
    ['Both say so.‹1›‹2›\n\nNext.‹3›', 'Both say so.[1][2]|Next.[3]|'],
    ['**Bold**‹1› and *soft‹2›* text', 'Bold[1] and soft[2] text|'],
    ['**Bold*‹1›* text', 'Bold[1] text|'],
    ['- one‹1›\n- two‹2›', 'one[1]|two[2]|'],
    ['| a | b |\n| - | - |\n| c‹1› | d |‹2›', 'a|b|c[1]|d[2]|'],
    ['# Tides‹1›\nText‹2›', 'Tides[1]|Text[2]|'],
    ['See [the page](https://a.example/)‹1› now', 'See the pagea.example[1] now|'],
    ['See [the pa‹1›ge](https://a.example/) now', 'See the pagea.example[1] now|'],
    ['Run `npm‹1› start` now.', 'Run npm start[1] now.|'],
    ['A &amp; B‹1›.', 'A &amp; B.[1]|'],
    ['‹1›First.', '[1]First.|'],
    ['One.\r\nTwo.\r\n\r\nThree.‹1› Four.', 'One.Two.|Three.[1] Four.|'],
  ])('is shown after the cited words: %j', (marked, expected) => {
    expect(read(marked)).toBe(expected)
  })

  test('follows a code block and a formula of its own lines', () => {
    const code = drawn('```ts\nlet a‹1› = 1\n```\n\nText.')
    expect(code.indexOf('aria-label="Source 1')).toBeGreaterThan(code.indexOf('let a = 1'))
    expect(read('$$\na^2‹2›\n$$')).toContain('[2]')
  })

  test('is counted past formulas in the line', () => {
    expect(read('With $x_1$ and \\(y\\) so.‹1› End.')).toMatch(/ so\.\[1\] End\.\|$/)
    expect(read('With $x_‹1›1$ so.')).toMatch(/^With .*\[1\] so\.\|$/)
  })

  test('is named with title and host, and opens https only', () => {
    expect(drawn('So.‹1›')).toContain(
      'href="https://sea.example/tides" target="_blank" rel="noreferrer" aria-label="Source 1: Tides · sea.example">1<',
    )
    const marks = [{ at: 2, number: 1, title: '', address: 'http://old.example/a' }]
    const drawnOld = renderToStaticMarkup(<Markdown text="So." isArriving={false} marks={marks} />)
    expect(drawnOld).toContain('aria-label="Source 1: old.example. Copy link to old.example"')
    expect(drawnOld).not.toContain('href')
  })

  test.each([
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['"><script>', '&quot;&gt;&lt;script&gt;'],
    ['[a](javascript:alert(1)) **b**', '[a](javascript:alert(1)) **b**'],
  ])('keeps the title %j as text', (title, expected) => {
    const marks = [{ at: 2, number: 1, title, address: page.address }]
    const html = renderToStaticMarkup(<Markdown text="So." isArriving={false} marks={marks} />)
    expect(html).toContain(`aria-label="Source 1: ${expected} · sea.example">1<`)
  })

  test('is not made by a text that looks like one', () => {
    const text = '<cite data-number="1" data-address="https://a.example/">1</cite> \uE0000\uE001'
    expect(renderToStaticMarkup(<Markdown text={text} isArriving={false} />)).not.toContain('<sup')
  })
})
