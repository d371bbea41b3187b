import { expect, test } from 'vitest'
import { highlightCode } from './highlight-code.ts'

test('code is coloured by the kind of its words', () => {
  expect(highlightCode('const a = "b" // c', 'ts')).toEqual([
    ['const', 'keyword'],
    [' a = ', null],
    ['"b"', 'string'],
    [' ', null],
    ['// c', 'comment'],
  ])
})

test.each(['ts', 'PYTHON', 'bash', 'json', 'sql', 'rust', 'yaml', 'diff'])(
  'no character of %s code is lost',
  (language) => {
    const code = 'if (x < 1 && y) { "z" } # \\(a\\)\n+ added\n- removed\n'
    const parts = highlightCode(code, language) ?? []
    expect(parts.map(([text]) => text).join('')).toBe(code)
  },
)

test('an unknown language stays plain', () => {
  expect(highlightCode('x', 'klingon')).toBeNull()
})
