/** The changes that `npm run mutate` makes. */
import { expect, test } from 'vitest'
import { mutationsOf } from '../../scripts/mutations.ts'

const source = `function f(a: number, isOpen: boolean) {
  if (a < 3 && isOpen) return 'ü'
  return isOpen ? a : null
}
`

test('each comparison, logical operator and condition is changed on its own', () => {
  const changes = mutationsOf('a.ts', source).map(({ line, before, after }) => [
    line,
    before,
    after,
  ])

  expect(changes).toEqual([
    [2, '&&', '||'],
    [2, '<', '<='],
    [3, 'isOpen', '!(isOpen)'],
  ])
})

test('a change leaves the rest of the source as it is', () => {
  const texts = mutationsOf('a.ts', source).map(({ text }) => text)

  expect(texts[2]).toBe(source.replace('isOpen ?', '!(isOpen) ?'))
})

test('a source that cannot be parsed is an error that names it', () => {
  expect(() => mutationsOf('a.ts', 'if (')).toThrow('a.ts cannot be parsed')
})
