import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { headersForNpm } from '../../scripts/setup/node-headers.mjs'
import { checkPlatform } from '../../scripts/setup/prepare.mjs'

test('on Windows the set-up says that it does not work there, before it begins', () => {
  expect(() => checkPlatform('win32')).toThrow('cannot be set up on Windows yet')
  expect(() => checkPlatform('linux')).not.toThrow()
  expect(() => checkPlatform('darwin')).not.toThrow()
})

test('add-ons are compiled with Linux’s headers on Linux only', async () => {
  const cacheDir = await mkdtemp(join(tmpdir(), 'modelport-headers-'))
  onTestFinished(() => rm(cacheDir, { recursive: true }))
  await mkdir(join(cacheDir, 'node-headers-20.20.2'))

  expect(await headersForNpm(cacheDir, 'linux')).toHaveProperty('npm_config_nodedir')
  expect(await headersForNpm(cacheDir, 'darwin')).toEqual({})
  expect(await headersForNpm(cacheDir, 'win32')).toEqual({})
})
