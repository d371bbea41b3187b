import { describe, expect, test } from 'vitest'
import { emptySplit, splitBlocks, type Block } from './blocks.ts'

function blocksOf(slices: readonly string[]): Block[] {
  let split = emptySplit
  let text = ''
  for (const slice of slices) {
    text += slice
    split = splitBlocks(split, text)
  }
  return [...split.final, ...split.tail]
}

/** A small seeded generator (mulberry32), so that a failure can be run again. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function slicesOf(text: string, random: () => number): string[] {
  const slices: string[] = []
  let rest = text
  while (rest !== '') {
    const length = 1 + Math.floor(random() * random() * 24)
    slices.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return slices
}

const fragments = [
  'A paragraph.\n\n',
  'two lines\nof text\n',
  '# Heading\n',
  'Setext\n===\n\n',
  '---\n',
  '- item\n',
  '- item\n\n  still the item\n',
  '* star\n',
  '1. one\n\n2. two\n\n',
  '3) three\n',
  '  - nested\n',
  '> quote\nlazy\n',
  '> - list in quote\n\n',
  '```ts\nconst a = 1\n\n- no list\n```\n',
  '~~~\ntilde\n~~~\n\n',
  '    indented code\n\n',
  '| a | b |\n| - | - |\n| 1 | 2 |\n\n',
  '<div>\nhtml\n</div>\n\n',
  '<!-- a comment\n\nwith a blank line -->\n',
  '[ref]: https://example.com\n',
  '[ref]: https://example.com\n"a title"\n',
  '"quoted\n\ntext"\n',
  '![image](x.png) and [link](https://example.com)\n\n',
  '**bold\nand** `code`\n\n',
  '$5 and \\$6\n',
  'The sum is\n\\[\na\n- b\n# c\n\\]\n',
  '\\[ x \\] and more\n\n',
  '$$\nx = 1\n$$\n',
  '\\[ never closed\n- item\n\n',
  '\n\n',
  '\t\n',
  'no newline at the end',
]

function randomDocument(random: () => number): string {
  const length = 1 + Math.floor(random() * 14)
  return Array.from(
    { length },
    () => fragments[Math.floor(random() * fragments.length)] ?? '',
  ).join('')
}

test('a text has the same blocks however its stream is split', () => {
  for (let seed = 1; seed <= 3000; seed += 1) {
    const random = seeded(seed)
    const text = randomDocument(random)
    expect(blocksOf(slicesOf(text, random)), `seed ${seed}: ${JSON.stringify(text)}`).toEqual(
      blocksOf([text]),
    )
  }
})

test('a numbered item after a blank line joins its list', () => {
  expect(blocksOf(['1. one\n\n', '2', '. two'])).toHaveLength(1)
})

test('an append keeps the same final blocks, so that they are not rendered again', () => {
  const before = splitBlocks(emptySplit, 'one\n\ntwo\n\nthree\n')
  const after = splitBlocks(before, 'one\n\ntwo\n\nthree\n\nfour')
  expect(before.final.length).toBeGreaterThan(0)
  expect(after.final[0]).toBe(before.final[0])
})

test('only the tail is parsed again: 400 appends to a long text stay fast', () => {
  const paragraph = 'Some words of a paragraph that goes on for a while.\n\n'
  const startedAtMs = performance.now()
  let split = splitBlocks(emptySplit, paragraph.repeat(4000))
  const wholeMs = performance.now() - startedAtMs
  for (let index = 0; index < 400; index += 1) split = splitBlocks(split, `${split.text}word `)
  const appendsMs = performance.now() - startedAtMs - wholeMs
  // All of them take half of one whole split. If each split the whole text, they would take 400 times as long.
  expect(appendsMs).toBeLessThan(20 * wholeMs)
})

test('a text that is not a continuation starts over', () => {
  const first = splitBlocks(emptySplit, '# One\n\ntext\n')
  expect(splitBlocks(first, 'Other').tail).toMatchObject([{ text: 'Other', start: 0 }])
})

test('carriage returns do not move the blocks', () => {
  expect(blocksOf(['one\r\n\r', '\ntwo\r\n\r\n', 'three'])).toEqual(
    blocksOf(['one\n\ntwo\n\nthree']),
  )
})

describe('a formula', () => {
  test('keeps its lines together, even those that look like a list', () => {
    expect(blocksOf(['The sum:\n\\[\na\n- b\n\\]\nis zero.'])).toMatchObject([
      { kind: 'markdown', text: 'The sum:' },
      { kind: 'formula', text: 'a\n- b' },
      { kind: 'markdown', text: 'is zero.' },
    ])
  })

  test('that is not closed before a blank line is text', () => {
    expect(blocksOf(['\\[ a\n\nb'])).toMatchObject([{ kind: 'markdown' }, { kind: 'markdown' }])
  })
})

describe('code', () => {
  test('an open fence is a code block with its language', () => {
    expect(blocksOf(['```ts\nconst a'])).toEqual([
      { start: 0, kind: 'code', text: 'const a', language: 'ts' },
    ])
  })

  test('a fence without an info string has no language', () => {
    expect(blocksOf(['```\nplain\n```'])).toMatchObject([{ language: null, text: 'plain' }])
  })
})
