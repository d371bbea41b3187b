/** electron-updater's own installers, on a machine whose pkexec and package managers are scripts. */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js'
import type { AppUpdater } from 'electron-updater'
import { DownloadedUpdateHelper } from 'electron-updater/out/DownloadedUpdateHelper.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { AppImageInstaller, DebInstaller, RpmInstaller } from './linux-updaters.ts'
import { toUpdateProblem } from './update-problem.ts'

const noApp: AppAdapter = {
  version: '0.1.0',
  name: 'Modelport',
  isPackaged: true,
  appUpdateConfigPath: '',
  userDataPath: '',
  baseCachePath: '',
  whenReady: () => Promise.resolve(),
  relaunch: () => {},
  quit: () => {},
  onQuit: () => {},
}

/** Writes a file as if version 0.2.0 had been downloaded. @param content  what another program made of it */
function download(updater: AppUpdater, name: string, { content = 'version 0.2.0' } = {}) {
  const folder = temporaryFolder()
  const file = join(folder, name)
  writeFileSync(file, content, { mode: 0o600 })
  const sha512 = createHash('sha512').update('version 0.2.0').digest('base64')
  const downloaded = new DownloadedUpdateHelper(folder)
  Reflect.set(downloaded, '_file', file)
  Reflect.set(downloaded, '_downloadedFileInfo', {
    fileName: name,
    sha512,
    isAdminRightsRequired: false,
  })
  Reflect.set(updater, 'downloadedUpdateHelper', downloaded)
  // oxlint-disable-next-line id-denylist -- electron-updater's name
  Reflect.set(updater, 'updateInfoAndProvider', { info: { files: [{ sha512 }] } })
  updater.logger = null
  return folder
}

/** @returns the problem of the installation; empty when it succeeded */
function problemOf(updater: { install(): boolean } & AppUpdater): string {
  const problems: string[] = []
  updater.on('error', (error) => problems.push(toUpdateProblem(error).kind))
  expect(updater.install()).toBe(problems.length === 0)
  return problems.join()
}

const kinds = {
  deb: { Installer: DebInstaller, program: 'apt' },
  rpm: { Installer: RpmInstaller, program: 'zypper' },
} as const

interface Machine {
  pkexec?: string
  install?: string
  content?: string
}

/** The package manager copies the package, as an installation would. pkexec runs its arguments without another user. */
function openMachine(kind: keyof typeof kinds, machine: Machine = {}) {
  const { Installer, program } = kinds[kind]
  const updater = new Installer(null, noApp)
  Reflect.set(updater, 'isRunningAsRoot', () => false)
  const folder = download(updater, `the "new" package.${kind}`, machine)
  const write = (name: string, code: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\ncd '${folder}'\n${code}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  write('pkexec', `echo asked >>asked\nshift\n${machine.pkexec ?? 'exec "$@"'}`)
  const lastOne = 'for package; do :; done'
  write(program, `${lastOne}\n${machine.install ?? 'cp -- "$package" installed'}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`)
  const textOf = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null
  return { updater, installed: () => textOf('installed'), asked: () => textOf('asked') }
}

test.each(['deb', 'rpm'] as const)('root installs a %s that the signed feed describes', (kind) => {
  const { updater, installed, asked } = openMachine(kind)
  expect(problemOf(updater)).toBe('')
  expect([installed(), asked()]).toEqual(['version 0.2.0', 'asked\n'])
})

test.each(['deb', 'rpm'] as const)(
  'a %s that another program changed after its verification is not installed',
  (kind) => {
    const { updater, installed, asked } = openMachine(kind, { content: 'version 6.6.6' })
    expect(problemOf(updater)).toBe('damaged_package')
    expect([installed(), asked()]).toEqual([null, 'asked\n'])
  },
)

test('root installs the copy that it checked, also if the package changes meanwhile', () => {
  const install = 'rm -- *.deb; cp -- "$package" installed'
  const { updater, installed } = openMachine('deb', { install })
  expect(problemOf(updater)).toBe('')
  expect(installed()).toBe('version 0.2.0')
})

test('a closed question installs nothing, and is asked once', () => {
  const { updater, installed, asked } = openMachine('deb', { pkexec: 'exit 126' })
  expect(problemOf(updater)).toBe('not_authorized')
  expect([installed(), asked()]).toEqual([null, 'asked\n'])
})

test.each([
  ['a package manager that fails', { install: 'exit 100' }],
  ['a system without pkexec', { pkexec: 'exit 127' }],
])('%s is named', (_what, machine) => {
  const { updater, installed } = openMachine('deb', machine)
  expect(problemOf(updater)).toBe('installer_refused')
  expect(installed()).toBeNull()
})

function openAppImage() {
  const folder = temporaryFolder()
  const file = join(folder, 'Modelport-0.1.0 für alle.AppImage')
  writeFileSync(file, 'version 0.1.0')
  chmodSync(file, 0o755)
  const updater = new AppImageInstaller(file, noApp)
  download(updater, 'Modelport-0.2.0.AppImage')
  return { folder, file, updater }
}

test('a new AppImage takes the name and the mode of the old one', () => {
  const { folder, file, updater } = openAppImage()
  expect(problemOf(updater)).toBe('')
  expect(readFileSync(file, 'utf8')).toBe('version 0.2.0')
  expect(statSync(file).mode & 0o777).toBe(0o755)
  expect(readdirSync(folder)).toEqual(['Modelport-0.1.0 für alle.AppImage'])
})

test('an AppImage that cannot be copied leaves the old one whole', () => {
  const { folder, file, updater } = openAppImage()
  Reflect.set(Reflect.get(updater, 'downloadedUpdateHelper'), '_file', join(folder, 'gone'))
  expect(problemOf(updater)).toBe('unexpected')
  expect(readFileSync(file, 'utf8')).toBe('version 0.1.0')
})

test('a folder that this user may not change is named before anything is downloaded', async () => {
  const updater = new AppImageInstaller('/proc/no-folder/app.AppImage', noApp)
  await expect(updater.assertReplaceable()).rejects.toMatchObject({ kind: 'read_only' })
})
