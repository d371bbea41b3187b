import { expect, test } from 'vitest'
import { editYamlList, editYamlValues } from './edit-yaml.ts'

const item = { name: 'Modelport', model: 'auto' }
const place = { path: ['models'], key: 'name', item }

const mine = `# mine
name: My assistant
models:
  - name: Other # keep
    apiBase: "http://localhost:1"
    roles: [chat, edit]

rules:
  - Answer briefly, and never in more than a hundred words, because nobody reads long answers anyway.
`

test('adds an item to a list and keeps everything else', () => {
  expect(editYamlList(mine, place)).toBe(
    mine.replace(
      '    roles: [chat, edit]\n',
      '    roles: [chat, edit]\n  - name: Modelport\n    model: auto\n',
    ),
  )
})

test('numbers that stay are written as they were', () => {
  const numbers = `a: 00412345678901234567
b: 12345678901234567890
c: 0042
d: 1e400
e: 0700
f: 1.50
g: 0xFF
h: [.inf, -0, +7, 1_000]
`
  expect(editYamlValues(numbers, { model: 'auto' }, {})).toBe(`${numbers}model: auto\n`)
  expect(editYamlValues('a: 007\n', { a: 'auto' }, {})).toBe('a: auto\n')
})

test('keeps the line ends of the file', () => {
  const windows = mine.replaceAll('\n', '\r\n')
  expect(editYamlList(windows, place)).toBe(editYamlList(mine, place).replaceAll('\n', '\r\n'))
})

test('changes the item of the same name, and keeps what was added to it', () => {
  const once = editYamlList(mine, place).replace(
    '  model: auto\n',
    '  model: auto # mine\n    x: 1\n',
  )
  const twice = editYamlList(once, { ...place, item: { ...item, model: 'other' } })
  expect(twice).toBe(once.replace('model: auto # mine', 'model: other'))
})

test('begins a file, also one that is a list', () => {
  expect(editYamlList(null, place, { version: '1' })).toBe(
    'version: "1"\nmodels:\n  - name: Modelport\n    model: auto\n',
  )
  expect(editYamlList(null, { ...place, path: [] })).toBe('- name: Modelport\n  model: auto\n')
})

test('sets values, and a line of a list once', () => {
  const lists = { 'set-env': { prefix: 'A=', line: 'A=2' } }
  const before = '## aider\nmodel: gpt-5 # mine\nset-env:\n  - A=1\n  - B=1\n'
  const after = '## aider\nmodel: auto # mine\nset-env:\n  - B=1\n  - A=2\n'
  expect(editYamlValues(before, { model: 'auto' }, lists)).toBe(after)
  expect(editYamlValues(after, { model: 'auto' }, lists)).toBe(after)
})

test.each(['a: [', 'models: text\n', '- a\n- b: [\n'])('refuses %j', (before) => {
  expect(() => editYamlList(before, place)).toThrow(
    expect.objectContaining({ name: 'UnreadableFile' }),
  )
})
