import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  addMissingPlatforms,
  findMissingPlatforms,
  type Lockfile,
} from '../../scripts/lockfile-platforms.mjs'

test('the lockfile lists the packages of every platform (else: npm run lockfile)', async () => {
  const file = new URL('../../package-lock.json', import.meta.url)
  const lockfile = JSON.parse(await readFile(file, 'utf8')) as Lockfile

  expect(findMissingPlatforms(lockfile).map(({ name }) => name)).toEqual([])
})

test('a missing package is added with the platform in its name', () => {
  const lockfile: Lockfile = {
    packages: {
      'node_modules/fast': {
        dev: true,
        optionalDependencies: {
          '@fast/linux-arm64-musl': '1.2.3',
          '@fast/mac-x64': '1.2.3',
          '@fast/wasm32-wasi': '1.2.3',
        },
      },
    },
  }

  addMissingPlatforms(lockfile)

  const common = { version: '1.2.3', dev: true, optional: true }
  expect(lockfile.packages).toMatchObject({
    'node_modules/@fast/linux-arm64-musl': {
      ...common,
      os: ['linux'],
      cpu: ['arm64'],
      libc: ['musl'],
    },
    'node_modules/@fast/mac-x64': { ...common, os: ['darwin'], cpu: ['x64'] },
    'node_modules/@fast/wasm32-wasi': { ...common, cpu: ['wasm32'] },
  })
})
