import { expect, test } from 'vitest'
import { diffRows, nearChanges } from './diff-rows.ts'

/** `1 a|1 b` is a line of each. */
function shown(before: string, after: string): string[] {
  return diffRows(before, after).map(({ kind, before: left, after: right }) => {
    const words = [left, right].map((line) => (line ? `${line.number} ${line.text}` : '-'))
    return `${kind === 'same' ? '=' : '!'} ${words.join(' | ')}`
  })
}

test('a changed line is beside the old line', () => {
  expect(shown('a\nb\nc\n', 'a\nx\nc\n')).toEqual(['= 1 a | 1 a', '! 2 b | 2 x', '= 3 c | 3 c'])
})

test('an added line has nothing beside it', () => {
  expect(shown('a\nc\n', 'a\nb\nc\n')).toEqual(['= 1 a | 1 a', '! - | 2 b', '= 2 c | 3 c'])
  expect(shown('a\nb\n', 'a\n')).toEqual(['= 1 a | 1 a', '! 2 b | -'])
})

test('unchanged lines far from a change are left out', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  const after = before.with(10, 'other')
  const rows = nearChanges(diffRows(before.join('\n'), after.join('\n')))

  expect(rows.map((row) => row?.after?.text ?? '…')).toEqual([
    '…',
    'line 7',
    'line 8',
    'line 9',
    'other',
    'line 11',
    'line 12',
    'line 13',
    '…',
  ])
})
