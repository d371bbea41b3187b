import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { escapeWide } from '../../scripts/one-byte-sources.ts'

const code = String.raw`
  // A comment with “quotes”.
  const größe = 'é', 名 = { 値: '…' }
  JSON.stringify([
    größe, 名.値, "\—", '\\—', ${'`${名.値} → \\\\→ 😀`'},
    /\—+\\—/.exec('———\\—').index, /[\u{1f600}-😎]/u.test('😃'), /^[^–]{2}$/.test('😃'),
    /(?<名>→)/u.exec('→').groups.名, String.raw${'`\\—→${名.値}`'},
  ])
`

test('a script without wide characters does the same', () => {
  // The tagged template is the only place that keeps them.
  const escaped = escapeWide('code.js', code)
  expect(escaped.replace(/String\.raw`[^`]*`/, '')).toMatch(/^[\0-\xff]*$/)
  expect(escaped).toContain(String.raw`String.raw${'`\\—→'}`)
  expect(runInNewContext(escaped)).toBe(runInNewContext(code))
})

test('a text that would become larger stays as it is', () => {
  const japanese = `export default '${'ルーター'.repeat(20)}'`
  expect(escapeWide('ja.js', japanese)).toBe(japanese)
})
