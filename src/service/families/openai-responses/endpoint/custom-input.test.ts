/** The text of a custom tool, out of pieces of JSON. */
import { expect, test } from 'vitest'
import { CustomInput } from './custom-input.ts'

function read(pieces: readonly string[]): { input: string; deltas: string } {
  const custom = new CustomInput()
  const deltas = [...pieces.map((piece) => custom.push(piece)), custom.end()].join('')
  return { input: custom.input, deltas }
}

const texts = [
  '',
  'a',
  '"\\"',
  '\\n is not \n',
  'é\u2028\u{1F600}',
  '*** Begin\n-\t"x"\n',
  '\u0001\\u0041',
]

function escapedJson(text: string): string {
  const hex = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, '0')
  return JSON.stringify({ input: text }).replaceAll(/[^ -~]/g, (unit) => `\\u${hex(unit)}`)
}

test.each(texts)('the text %j comes out whole, wherever its JSON is cut', (text) => {
  for (const json of [JSON.stringify({ input: text }), escapedJson(text)]) {
    for (let size = 1; size <= 13; size += 1) {
      const count = Math.ceil(json.length / size)
      const pieces = Array.from({ length: count }, (_, nth) =>
        json.slice(nth * size, (nth + 1) * size),
      )
      expect(read(pieces)).toEqual({ input: text, deltas: text })
    }
  }
})

test('a raw line break, which JSON forbids, is a line break', () => {
  expect(read(['{"input":"a\n', 'b"}']).input).toBe('a\nb')
})

test('the text is passed on before its end', () => {
  const custom = new CustomInput()

  expect(custom.push('{"input": "line 1\\')).toBe('line 1')
  expect(custom.push('nline')).toBe('\nline')
})
