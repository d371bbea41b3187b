/** What `npm run package` decides, without building: `npm run package:check` tests the built app. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FuseV1Options } from '@electron/fuses'
import { expect, test } from 'vitest'
import { configuration, fuses } from '../packaging/electron-builder.mjs'
import { sourceDate } from '../packaging/linux-packages.mjs'
import { composeSbom } from '../packaging/sbom.mjs'
import { feedName, newUpdateKey, publicKeyOf, writeFeed } from '../packaging/update-feed.mjs'
import { readSignedFeed } from '../src/main/updates/signed-feed.ts'
import { temporaryFolder } from './storage/temporary-folder.ts'
import { shippedPackages } from '../scripts/third-party-notices.mjs'

const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)

test('every fuse of Electron is decided', () => {
  const known = Object.values(FuseV1Options).filter((name) => typeof name === 'string')
  // Electron 45 has it, the fallback does not. Its default, on, is right for the sandbox, which runs WebAssembly.
  const decided = [...Object.keys(fuses), 'wasmTrapHandlers']
  expect(known.map((name) => lowerFirst(name)).toSorted()).toEqual(decided.toSorted())
})

test('a release has the Electron of the lockfile, an exact version', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  expect(devDependencies.electron).toMatch(/^\d+\.\d+\.\d+$/)
  expect(packages['node_modules/electron'].version).toBe(devDependencies.electron)
})

test('the files of a package have the date of the commit', async () => {
  const folder = temporaryFolder()
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args])
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid']
  git('init', '--quiet')
  expect(await sourceDate(folder)).toBe('1767225600')
  const commit = ['commit', '--quiet', '--allow-empty', '--message=first']
  execFileSync('git', ['-C', folder, ...author, ...commit], {
    env: { ...process.env, GIT_COMMITTER_DATE: '1700000000 +0000' },
  })
  expect(await sourceDate(folder)).toBe('1700000000')
})

test('on Windows, the app has the name that the installer gives to its shortcut', () => {
  const found = { electronDist: '', electronVersion: '', sbom: '' }
  const config = configuration({ ...found, sqliteBinding: undefined, updateFeed: null })
  const [, name] =
    /setAppUserModelId\('([^']+)'\)/.exec(readFileSync('src/main/index.ts', 'utf8')) ?? []
  expect(config).toHaveProperty('appId', name)
})

test('the bill of materials names every package of the program, and is the same for the same packages', () => {
  const program = { name: 'modelport', version: '1.0.0', packages: shippedPackages() }
  const bill = composeSbom(program)
  expect(composeSbom(program)).toEqual(bill)
  const { version } = JSON.parse(readFileSync('node_modules/fastify/package.json', 'utf8'))
  expect(bill.components).toContainEqual({
    type: 'library',
    'bom-ref': `pkg:npm/fastify@${version}`,
    name: 'fastify',
    version,
    purl: `pkg:npm/fastify@${version}`,
    licenses: [{ expression: 'MIT' }],
  })
  expect(bill.components.length).toBe(program.packages.length)
  expect(bill.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test('the app accepts the feed that packaging writes, with the key that it printed', async () => {
  const outDir = temporaryFolder()
  const file = join(outDir, 'modelport-0.2.0-linux-x64.tar.gz')
  writeFileSync(file, 'package')
  const { privateKey, publicKey } = newUpdateKey()
  expect(publicKeyOf(privateKey)).toBe(publicKey)
  const date = new Date('2026-11-20T09:00:00Z')
  await writeFeed({ version: '0.2.0', files: [file], outDir, privateKey, notes: 'Faster.', date })
  const read = (suffix: string) => readFileSync(join(outDir, `${feedName()}${suffix}`), 'utf8')
  expect(readSignedFeed(read(''), read('.sig'), publicKey)).toEqual({
    version: '0.2.0',
    files: [
      {
        url: 'modelport-0.2.0-linux-x64.tar.gz',
        sha512: createHash('sha512').update('package').digest('base64'),
        size: 7,
      },
    ],
    releaseDate: date.toISOString(),
    releaseNotes: 'Faster.',
  })
})
