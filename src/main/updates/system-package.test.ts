import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { systemInstallation } from './system-package.ts'

/**
 * A machine whose pkexec and package manager are scripts. pkexec runs the program without another user; the package
 * manager copies the package, as an installation would.
 */
function openMachine({ pkexec = 'exec "$@"', aptGet = 'cp "$5" installed' } = {}) {
  const folder = temporaryFolder()
  const program = (name: string, code: string) => {
    const file = join(folder, name)
    writeFileSync(file, `#!/bin/sh\ncd '${folder}'\n${code}\n`)
    chmodSync(file, 0o755)
    return file
  }
  program('apt-get', aptGet)
  const asRoot = [program('pkexec', `PATH='${folder}':$PATH\n${pkexec}`)]
  const file = join(folder, 'the new package.deb')
  writeFileSync(file, 'version 0.2.0')
  const sha512 = createHash('sha512').update('version 0.2.0').digest('base64')
  const restarts: (() => Promise<void>)[] = []
  const restartAfter = (work: () => Promise<void>) => void restarts.push(work)
  const installation = systemInstallation({ kind: 'deb', restartAfter, asRoot })
  const { signal } = new AbortController()
  return {
    folder,
    file,
    sha512,
    asRoot,
    installation,
    restarts,
    prepare: () => installation.prepare({ file, version: '0.2.0', sha512 }, signal),
    installed: () => {
      const installed = join(folder, 'installed')
      return existsSync(installed) ? readFileSync(installed, 'utf8') : null
    },
  }
}

test('the package is installed only after the app has stopped', async () => {
  const { installation, prepare, restarts, installed } = openMachine()
  await prepare()
  await installation.install()
  expect(restarts).toHaveLength(1)
  expect(installed()).toBeNull()
  await restarts[0]?.()
  expect(installed()).toBe('version 0.2.0')
})

test('while the password is asked nothing stops, and a closed question installs nothing', async () => {
  const asked = openMachine({ pkexec: 'touch asked\nexit 126' })
  await asked.prepare()
  await expect(asked.installation.install()).rejects.toMatchObject({ kind: 'not_authorized' })
  expect(asked.restarts).toEqual([])
  expect(asked.installed()).toBeNull()
})

test('an installation can be tried again after a closed question', async () => {
  const again = 'if test -e asked; then exec "$@"; fi\ntouch asked\nexit 126'
  const { installation, prepare, restarts, installed } = openMachine({ pkexec: again })
  await prepare()
  await expect(installation.install()).rejects.toMatchObject({ kind: 'not_authorized' })
  await installation.install()
  await restarts[0]?.()
  expect(installed()).toBe('version 0.2.0')
})

test('a package that another program changed after its verification is not installed', async () => {
  const { installation, file, prepare, restarts, installed } = openMachine()
  await prepare()
  writeFileSync(file, 'version 6.6.6')
  const error = await installation.install().catch((reason: unknown) => reason)
  expect(error).toMatchObject({ kind: 'damaged_package' })
  expect(restarts).toEqual([])
  expect(installed()).toBeNull()
})

test('an app that ends before the installation begins installs nothing', async () => {
  const { folder, file, sha512, asRoot, installed } = openMachine({ pkexec: '"$@"\ntouch ended' })
  const module = JSON.stringify(join(import.meta.dirname, 'system-package.ts'))
  const code = `
    const { systemInstallation } = await import(${module})
    const restartAfter = () => process.stdout.write('authorized')
    const installation = systemInstallation({ kind: 'deb', restartAfter, asRoot: ${JSON.stringify(asRoot)} })
    await installation.prepare(${JSON.stringify({ file, version: '0.2.0', sha512 })})
    await installation.install()`
  const watcher = watch(folder)
  const app = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(app.stdout, 'data')
  app.kill('SIGKILL')
  while (!existsSync(join(folder, 'ended'))) await once(watcher, 'change')
  watcher.close()
  expect(installed()).toBeNull()
})

test('a package manager that fails is named with its own words', async () => {
  const { installation, prepare, restarts } = openMachine({
    aptGet: 'echo "E: Unmet dependencies." >&2\nexit 100',
  })
  await prepare()
  await installation.install()
  await expect(restarts[0]?.()).rejects.toMatchObject({
    kind: 'installer_refused',
    cause: { message: 'The package manager ended with 100: E: Unmet dependencies.\n' },
  })
})

test('without pkexec, the user installs by hand', async () => {
  const { signal } = new AbortController()
  const asRoot = ['/nowhere/pkexec']
  const restarts: unknown[] = []
  const restartAfter = (work: unknown) => void restarts.push(work)
  const installation = systemInstallation({ kind: 'deb', restartAfter, asRoot })
  await installation.prepare({ file: '/any', version: '0.2.0', sha512: '' }, signal)
  await expect(installation.install()).rejects.toMatchObject({ kind: 'installer_refused' })
  expect(restarts).toEqual([])
})
