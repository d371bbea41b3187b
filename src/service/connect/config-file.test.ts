/** Configuration files of tools that are no usual files: each is refused in a sentence, without waiting for it. */
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { replaceFile } from '../data-folder/durable-file.ts'
import { editJson } from './edit-json.ts'
import { editToml } from './edit-toml.ts'
import { editYamlValues } from './edit-yaml.ts'
import { backUp, checkPlans, planFile, restoreFiles, writePlans } from './tool-files.ts'

const key = 'mp_0123456789abcdefghijABCDEFGHIJab1234'
const change = [{ path: ['env', 'KEY'], value: key }]
const jsonFile = (path: string) => ({ path, edit: (text: string | null) => editJson(text, change) })

const strange: [string, (path: string) => Promise<void> | void][] = [
  ['a pipe', (path) => void execFileSync('mkfifo', [path])],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
  ['a folder', (path) => mkdirSync(path)],
  ['a socket', listenAt],
  ['a link that leads back to itself', (path) => symlinkSync('settings.json', path)],
  ['a link that leads back to itself', (path) => symlinkSync('missing/../settings.json', path)],
  ['larger than 128 KiB', (path) => (writeFileSync(path, ''), truncateSync(path, 2 ** 40))],
]

async function listenAt(path: string): Promise<void> {
  const server = createServer()
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => {
    server.listen(path, resolve)
  })
}

test.each(strange)('a file that is %s is refused, and stays (%#)', async (words, make) => {
  const path = join(temporaryFolder(), 'settings.json')
  await make(path)
  const { problem, after } = await planFile(jsonFile(path))
  expect(after).toBeNull()
  expect(problem).toContain(`It is ${words}`)
  expect(problem).toContain('change it by hand')
})

test('a file that became a pipe since it was read has changed', async () => {
  const path = join(temporaryFolder(), 'settings.json')
  const plan = await planFile(jsonFile(path))
  execFileSync('mkfifo', [path])
  await expect(checkPlans([plan])).rejects.toThrow(`${path} changed in the meantime.`)
})

const [deep, deepest] = [200, 50_000].map((levels) => '['.repeat(levels) + ']'.repeat(levels))
const tomlChange = { values: { model: 'auto' }, table: { path: ['a', 'b'], values: {} } } as const
const edits = {
  'a.json': (text: string | null) => editJson(text, change),
  'a.toml': (text: string | null) => editToml(text, tomlChange),
  'a.yaml': (text: string | null) => editYamlValues(text, { KEY: key }, {}),
}

test.each([
  ['a.json', `{"a": ${deep}}`, 'more than 100 levels'],
  ['a.json', `{"a": ${deepest}}`, 'more than 100 levels'],
  ['a.json', '{"env": ["A"]}', 'Its “env” must be an object.'],
  ['a.toml', `a = ${deep}`, 'more than 100 levels'],
  ['a.toml', `a = ${deepest}`, 'not valid TOML'],
  ['a.yaml', `a: ${deep}`, 'more than 100 levels'],
  ['a.yaml', '- '.repeat(50_000), 'not valid YAML'],
  ['a.yaml', 'a: &own [*own, *own]', 'more than 100 levels'],
  ['a.yaml', 'a: *missing', 'cannot be changed safely'],
  ['a.yaml', 'KEY: &key [1]\nother: *key\n', 'cannot be changed safely'],
  ['a.yaml', 'just a text', 'It has another value where a map belongs.'],
] as const)('%s with “%.25s” is refused in a sentence', async (name, text, words) => {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  expect(await planFile({ path, edit: edits[name] })).toMatchObject({
    problem: expect.stringContaining(words),
    after: null,
  })
})

test('a file that a program wrote in one long line stays in one', async () => {
  const path = join(temporaryFolder(), 'settings.json')
  writeFileSync(path, JSON.stringify({ seen: Array.from({ length: 30_000 }, (_, at) => at % 10) }))
  const { after } = await planFile(jsonFile(path))
  expect(after).toContain(`9],"env": {"KEY":"${key}"}}`)
})

test('owner and permissions are kept, without those of others beside a key, and restored', async () => {
  // Only the administrator can give a file away; the tests of the images run as this user.
  const [uid, gid] =
    process.getuid?.() === 0 ? [12_345, 54_321] : [process.getuid?.(), process.getgid?.()]
  const path = join(temporaryFolder(), 'settings.json')
  writeFileSync(path, '{}')
  const access = () => {
    const stats = statSync(path)
    return { uid: stats.uid, gid: stats.gid, mode: stats.mode & 0o7777 }
  }
  execFileSync('chown', [`${uid}:${gid}`, path])
  execFileSync('chmod', ['4755', path])

  const plans = [await planFile(jsonFile(path))]
  const written = await backUp(plans, { backupFolder: temporaryFolder(), earlier: [] })
  await writePlans(plans)
  expect(access()).toEqual({ uid, gid, mode: 0o700 })
  await restoreFiles(written)
  expect(access()).toEqual({ uid, gid, mode: 0o4755 })
  expect(readFileSync(path, 'utf8')).toBe('{}')
})

test('nothing is restored when the copy is missing', async () => {
  const path = join(temporaryFolder(), 'settings.json')
  writeFileSync(path, '{}')
  const plans = [await planFile(jsonFile(path))]
  const [written] = await backUp(plans, { backupFolder: temporaryFolder(), earlier: [] })
  await writePlans(plans)
  if (!written) throw new Error('one file was written')
  const restored = restoreFiles([{ ...written, backup: '/nowhere/copy' }])
  await expect(restored).rejects.toThrow('The copy /nowhere/copy is missing')
  expect(readFileSync(path, 'utf8')).toContain(key)
})

test('a write that fails leaves no file with the key behind', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'settings.json'))
  await expect(replaceFile(join(folder, 'settings.json'), key)).rejects.toThrow('is a folder')
  expect(readdirSync(folder)).toEqual(['settings.json'])
})
