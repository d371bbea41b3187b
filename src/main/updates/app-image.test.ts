import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { appImageInstallation, nextFile } from './app-image.ts'

function openInstall() {
  const folder = temporaryFolder()
  const file = join(folder, 'Modelport für alle.AppImage')
  writeFileSync(file, 'version 0.1.0')
  chmodSync(file, 0o755)
  const downloaded = join(folder, 'downloaded.AppImage')
  writeFileSync(downloaded, 'version 0.2.0', { mode: 0o600 })
  const restarts: (() => Promise<void>)[] = []
  const installation = appImageInstallation(file, (work) => void restarts.push(work))
  const verified = { file: downloaded, version: '0.2.0', sha512: '' }
  return { folder, file, installation, verified, restarts }
}

const { signal } = new AbortController()

test('the new file takes the name and the mode of the old one after the app has stopped', async () => {
  const { file, installation, verified, restarts } = openInstall()
  await installation.assertReplaceable()
  await installation.prepare(verified, signal)
  await installation.install()
  expect(readFileSync(file, 'utf8')).toBe('version 0.1.0')
  await restarts[0]?.()
  expect(readFileSync(file, 'utf8')).toBe('version 0.2.0')
  expect(statSync(file).mode & 0o777).toBe(0o755)
  expect(existsSync(nextFile(file))).toBe(false)
})

test('a discarded or cancelled download leaves nothing beside the app', async () => {
  const { file, installation, verified } = openInstall()
  await installation.prepare(verified, signal)
  await installation.discard()
  expect(existsSync(nextFile(file))).toBe(false)
  const cancelled = AbortSignal.abort(new Error('cancelled'))
  await expect(installation.prepare(verified, cancelled)).rejects.toThrow('cancelled')
  expect(existsSync(nextFile(file))).toBe(false)
})

test('a folder that this user may not change is named before anything is downloaded', async () => {
  const installation = appImageInstallation('/proc/no-folder/app.AppImage', () => {})
  await expect(installation.assertReplaceable()).rejects.toMatchObject({ kind: 'read_only' })
})

test('the app starts again when its process has ended, and not before', async () => {
  const folder = temporaryFolder()
  const program = join(folder, 'the app')
  writeFileSync(
    program,
    `#!/bin/sh\nprintf '%s' "$*" > '${folder}/draft'\nmv '${folder}/draft' '${folder}/started'\n`,
  )
  chmodSync(program, 0o755)
  const started = join(folder, 'started')
  const module = JSON.stringify(join(import.meta.dirname, 'app-image.ts'))
  const code = `
    const { startAfterExit } = await import(${module})
    startAfterExit(${JSON.stringify(program)}, ['--no-sandbox'])
    process.stdout.write('waiting')
    process.stdin.resume()`
  const watcher = watch(folder)
  const app = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(app.stdout, 'data')
  expect(existsSync(started)).toBe(false)
  app.kill('SIGKILL')
  while (!existsSync(started)) await once(watcher, 'change')
  watcher.close()
  expect(readFileSync(started, 'utf8')).toBe('--no-sandbox')
})
