import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import {
  assertReplaceable,
  exchangeFolders,
  nextFolder,
  previousFolder,
  removeLeftovers,
  unpackBeside,
  type FolderInstall,
} from './folder-install.ts'

const expected = { version: '0.2.0', signal: new AbortController().signal }

/** An app whose only file is its version. */
function appIn(folder: string, version: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  writeFileSync(join(folder, 'version'), version)
}

function versionOf(folder: string): string | null {
  const file = join(folder, 'version')
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function installed(version = '0.1.0'): FolderInstall {
  const folder = join(temporaryFolder(), 'Modelport für alle')
  appIn(folder, version)
  return { folder, fs, versionIn: async (each) => versionOf(each) }
}

function archiveOf(version: string): string {
  const parent = temporaryFolder()
  appIn(join(parent, 'modelport'), version)
  const file = join(parent, 'modelport.tar.gz')
  execFileSync('tar', [
    '--create',
    '--gzip',
    `--file=${file}`,
    `--directory=${parent}`,
    'modelport',
  ])
  return file
}

test('a new version is unpacked beside the running one, which stays until the exchange', async () => {
  const install = installed()
  const { folder } = install
  await unpackBeside(install, archiveOf('0.2.0'), expected)
  expect(versionOf(folder)).toBe('0.1.0')
  expect(statSync(nextFolder(folder)).mode).toBe(statSync(folder).mode)
  await exchangeFolders(install, nextFolder(folder))
  expect(versionOf(folder)).toBe('0.2.0')
  expect(versionOf(previousFolder(folder))).toBe('0.1.0')
  expect(existsSync(nextFolder(folder))).toBe(false)
})

test('the version before takes its place again, and the newer one stays beside it', async () => {
  const install = installed()
  const { folder } = install
  appIn(previousFolder(folder), '0.0.9')
  await exchangeFolders(install, previousFolder(folder))
  expect(versionOf(folder)).toBe('0.0.9')
  expect(versionOf(previousFolder(folder))).toBe('0.1.0')
})

test('an exchange that fails leaves the app where it was', async () => {
  const install = installed()
  await expect(exchangeFolders(install, nextFolder(install.folder))).rejects.toThrow('ENOENT')
  expect(versionOf(install.folder)).toBe('0.1.0')
  expect(existsSync(`${install.folder}.leaving`)).toBe(false)
})

test('an archive of another version, or one that is damaged, is not installed', async () => {
  const install = installed()
  await expect(unpackBeside(install, archiveOf('0.3.0'), expected)).rejects.toMatchObject({
    kind: 'bad_feed',
  })
  const damaged = join(temporaryFolder(), 'damaged.tar.gz')
  writeFileSync(damaged, 'not an archive')
  await expect(unpackBeside(install, damaged, expected)).rejects.toThrow('tar ended with')
  expect(existsSync(nextFolder(install.folder))).toBe(false)
  expect(versionOf(install.folder)).toBe('0.1.0')
})

test('a folder that this user may not change is named before anything is downloaded', async () => {
  const install = installed()
  const denied = Object.assign(new Error('denied'), { code: 'EACCES' })
  const readOnly = { ...install, fs: { ...fs, access: () => Promise.reject(denied) } }
  await expect(assertReplaceable(readOnly)).rejects.toMatchObject({ kind: 'read_only' })
  chmodSync(install.folder, 0o755)
  await expect(assertReplaceable(install)).resolves.toBeUndefined()
})

test('a download that is cancelled while it is unpacked leaves nothing beside the app', async () => {
  const install = installed()
  const cancel = new AbortController()
  const unpacked = unpackBeside(install, archiveOf('0.2.0'), {
    version: '0.2.0',
    signal: cancel.signal,
  })
  cancel.abort(new Error('cancelled'))
  await expect(unpacked).rejects.toThrow('cancelled')
  expect(existsSync(nextFolder(install.folder))).toBe(false)
})

test('a version that was unpacked and never installed is deleted at the next start', async () => {
  const install = installed()
  await unpackBeside(install, archiveOf('0.2.0'), expected)
  await removeLeftovers(install)
  expect(existsSync(nextFolder(install.folder))).toBe(false)
  expect(versionOf(install.folder)).toBe('0.1.0')
})

test('an exchange that a crash interrupted is completed at the next start', async () => {
  const install = installed('0.2.0')
  const { folder } = install
  appIn(previousFolder(folder), '0.0.9')
  appIn(`${folder}.leaving`, '0.1.0')
  await removeLeftovers(install)
  expect(versionOf(folder)).toBe('0.2.0')
  expect(versionOf(previousFolder(folder))).toBe('0.1.0')
  expect(existsSync(`${folder}.leaving`)).toBe(false)
})
