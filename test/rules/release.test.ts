/** What a release states, and that no page sends anyone to a registry before there is one. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checksumsOf, provenanceOf, publishingCommands } from '../../scripts/release/statements.mjs'

const root = join(import.meta.dirname, '../..')
const names = [
  'SHA256SUMS',
  'latest-linux.yml',
  'latest-linux.yml.sig',
  'modelport-0.2.0-linux-x64.tar.gz',
  'modelport-0.2.0-py3-none-any.whl',
  'modelport-0.2.0.tar.gz',
  'modelport-0.2.0.tgz',
  'modelport-sdk-0.2.0.tgz',
  'modelport_0.2.0_amd64.deb',
  'provenance.json',
  'sbom.cdx.json',
]
const files = [{ name: 'modelport-0.2.0.tgz', sha256: 'ab'.repeat(32) }]

test('checksums have the form of sha256sum', () => {
  expect(checksumsOf(files)).toBe(`${'ab'.repeat(32)}  modelport-0.2.0.tgz\n`)
})

test('the provenance names each file, the source and the lockfiles', () => {
  const lockfiles = [{ name: 'package-lock.json', sha256: 'cd'.repeat(32) }]
  const source = { version: '0.2.0', commit: 'c0ffee', isChanged: false, node: 'v24.21.0' }
  const statement = provenanceOf(files, { ...source, date: '2026-11-28T00:00:00Z', lockfiles })
  expect(statement).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'modelport-0.2.0.tgz', digest: { sha256: 'ab'.repeat(32) } }],
    predicateType: 'https://slsa.dev/provenance/v1',
  })
  expect(statement.predicate.buildDefinition.resolvedDependencies).toEqual([
    { name: 'source', digest: { gitCommit: 'c0ffee' } },
    { name: 'package-lock.json', digest: { sha256: 'cd'.repeat(32) } },
  ])
})

test('the commands publish every package where it belongs, and the list of updates last', () => {
  const commands = publishingCommands({ version: '0.2.0', names })
  const of = (start: string) => commands.filter((command) => command.startsWith(start))
  expect(of('npm publish')).toEqual([
    'npm publish dist/modelport-0.2.0.tgz --access public',
    'npm publish dist/modelport-sdk-0.2.0.tgz --access public',
  ])
  expect(of('python3 -m twine')).toEqual([
    'python3 -m twine upload dist/modelport-0.2.0-py3-none-any.whl dist/modelport-0.2.0.tar.gz',
  ])
  expect(of('rsync')).toEqual([
    'rsync dist/modelport-0.2.0-linux-x64.tar.gz dist/modelport_0.2.0_amd64.deb "$FEED_HOST:$FEED_FOLDER/"',
    'rsync dist/latest-linux.yml dist/latest-linux.yml.sig "$FEED_HOST:$FEED_FOLDER/"',
  ])
})

/** Installations by a name that no registry has. */
const fromRegistry =
  /(?:npm (?:i|install|add)|pnpm add|yarn add|bun add|npx|pip3? install|pipx install|uv add)(?: -{1,2}[\w-]+)* (?:@modelport\/|modelport(?![\w./-]))[^\n]*/g

test('nothing is installed by a name that does not exist', () => {
  const pages = globSync(
    '{*.md,docs/**/*.md,sdk/*.md,sdk/examples/**/*,sdk-python/*.md,sdk-python/examples/**/*,src/**/*.{ts,tsx,json}}',
    { cwd: root },
  )
  const found = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(fromRegistry)].map(
      ([text]) => `${page}: ${text}`,
    ),
  )
  expect(pages.length).toBeGreaterThan(100)
  expect(found).toEqual([])
})

test.each([
  'npm install @modelport/sdk openai',
  'pip install --upgrade modelport',
  'npx modelport',
])('the search finds “%s”', (text) => expect(text).toMatch(new RegExp(fromRegistry.source)))

test.each([
  'npm install ./modelport-sdk-0.2.0.tgz',
  'pip install modelport-0.2.0-py3-none-any.whl',
])('and not “%s”', (text) => expect(text).not.toMatch(new RegExp(fromRegistry.source)))
