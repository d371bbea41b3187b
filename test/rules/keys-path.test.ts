/** The way to the API keys is one: README, the documentation and the window name the same path. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const keysPath = 'profile menu → Settings → API Keys'
const root = join(import.meta.dirname, '../..')
const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
const texts = [
  'README.md',
  'sdk/README.md',
  'sdk-python/README.md',
  'src/shared/strings/en.json',
  ...guides.map((name) => `docs/${name}`),
]

function read(name: string): string {
  return readFileSync(join(root, name), 'utf8')
}

test.each([
  'README.md',
  'docs/api.md',
  'docs/cli.md',
  'docs/doors.md',
  'docs/sdk.md',
  'src/shared/strings/en.json',
])('%s names the path to the API keys', (name) => {
  expect(read(name)).toContain(keysPath)
})

test('no text names another path to them', () => {
  const others = texts.filter((name) =>
    /[→›>] *(API )?keys\b|keys page/i.test(read(name).replaceAll(keysPath, '')),
  )
  expect(others).toEqual([])
})
