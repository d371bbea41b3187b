import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { DataFolderInUse, defaultDataDir, lockDataFolder } from './data-folder.ts'

/** Starts another process that locks the folder and runs until it is killed. */
async function startHolder(dataDir: string) {
  const module = new URL('./data-folder.ts', import.meta.url).href
  const code = `
    import { lockDataFolder } from ${JSON.stringify(module)}
    lockDataFolder({ dataDir: ${JSON.stringify(dataDir)}, holder: 'desktop' })
    // Nothing refers to the lock any more.
    gc()
    process.stdout.write('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  return { pid: child.pid, kill: () => (child.kill('SIGKILL'), exited) }
}

test('names the process that holds the folder', async () => {
  const dataDir = temporaryFolder()
  const holder = await startHolder(dataDir)
  const lock = () => lockDataFolder({ dataDir, holder: 'serve' })
  expect(lock).toThrow(DataFolderInUse)
  expect(lock).toThrow(`used by the desktop app (process ${holder.pid})`)
})

test('is free again at once when its holder was killed', async () => {
  const dataDir = temporaryFolder()
  const holder = await startHolder(dataDir)
  await holder.kill()
  const release = lockDataFolder({ dataDir, holder: 'serve' })
  expect(release).toBeTypeOf('function')
  release()
})

test('is free again when released', () => {
  const dataDir = temporaryFolder()
  lockDataFolder({ dataDir, holder: 'serve' })()
  const release = lockDataFolder({ dataDir, holder: 'desktop' })
  expect(() => lockDataFolder({ dataDir, holder: 'serve' })).toThrow('the desktop app')
  release()
})

test.each([
  ['linux', { XDG_CONFIG_HOME: '/x' }, join('/x', 'Modelport')],
  ['linux', {}, join(homedir(), '.config', 'Modelport')],
  ['darwin', {}, join(homedir(), 'Library', 'Application Support', 'Modelport')],
  ['win32', { APPDATA: '/roaming' }, join('/roaming', 'Modelport')],
] as const)('is the desktop app’s folder by default on %s with %o', (platform, env, expected) => {
  expect(defaultDataDir(env, platform)).toBe(expected)
})
