import { expect, test } from 'vitest'
import { editToml } from './edit-toml.ts'

const change = {
  values: { model: 'auto', model_provider: 'modelport' },
  table: { path: ['model_providers', 'modelport'] as const, values: { name: 'Modelport' } },
}

const mine = `# my file
model = "gpt-5.5"   # favourite
started = 2026-01-02

[mcp_servers.x]  # server
args = [ "a",
  "b", # two
]

[model_providers.other]
name = 'Other'
`

test('changes its own lines and keeps all others', () => {
  expect(editToml(mine, change)).toBe(`# my file
model = "auto"   # favourite
started = 2026-01-02
model_provider = "modelport"

[mcp_servers.x]  # server
args = [ "a",
  "b", # two
]

[model_providers.other]
name = 'Other'

[model_providers.modelport]
name = "Modelport"
`)
})

test('changes the table that it wrote before, and keeps what was added to it', () => {
  const before = `${editToml(mine, change)}request_max_retries = 9 # mine\n`
  const again = { ...change, table: { ...change.table, values: { name: 'New' } } }
  expect(editToml(before, again)).toBe(before.replace('name = "Modelport"', 'name = "New"'))
  expect(editToml(before, change)).toBe(before)
})

test('begins a file when there is none', () => {
  expect(editToml(null, change)).toBe(
    'model = "auto"\nmodel_provider = "modelport"\n\n[model_providers.modelport]\nname = "Modelport"\n',
  )
})

test('keeps the line ends of the file', () => {
  const after = editToml('a = 1\r\n[b]\r\nc = 2', change)
  expect(after.replaceAll('\r\n', '')).not.toContain('\n')
})

test.each([
  ['is not TOML', 'a = '],
  ['has another value at the table’s path', 'model_providers = 1\n'],
])('refuses a file that %s', (_name, before) => {
  expect(() => editToml(before, change)).toThrow(
    expect.objectContaining({ name: 'UnreadableFile' }),
  )
})
