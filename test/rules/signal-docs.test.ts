/** docs/routing.md and the program agree on the signals. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settings } from '../../src/shared/app/settings.ts'
import {
  signalKinds,
  signalNames,
  signalsCountAtMost,
  unmarkedWeight,
} from '../../src/shared/requests/signals.ts'

const docs = readFileSync(new URL('../../docs/routing.md', import.meta.url), 'utf8')

test('docs/routing.md lists each signal with its setting and weights, and no others', () => {
  const rows = docs.split('\n').filter((line) => /^\| `\w+`: /.test(line))
  const documented = rows.map((row) =>
    row.split('|').map((cell) => cell.trim().replaceAll('`', '')),
  )
  const expected = signalNames.flatMap((name) => {
    const { setting, goodWeight, badWeight } = signalKinds[name]
    const good = goodWeight === null ? [] : [[name, setting, '1', `${goodWeight} answers`]]
    return [...good, [name, setting, '0', `${badWeight} answers`]]
  })
  expect(
    documented.map(([, text = '', ...cells]) => [text.split(':')[0], ...cells.slice(0, 3)]),
  ).toEqual(expected)
  expect(docs).toContain(`count as ${unmarkedWeight} good answers`)
  expect(docs).toContain(`count as at most ${signalsCountAtMost} judged answers`)
})

test('docs/routing.md names the only signal that is off by default', () => {
  const off = signalNames
    .map((name) => signalKinds[name].setting)
    .filter((name) => !settings[name].default)
  expect(off).toEqual(['signalAskedAgain'])
  expect(docs).toContain('All settings but `signalAskedAgain` are on.')
})
