import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeOnce } from '../../scripts/setup/cache.mjs'
import { withLock } from '../../scripts/setup/lock.mjs'
import { checkHash } from '../../scripts/setup/pinned-hash.mjs'
import {
  findRememberedFailure,
  forgetFailure,
  rememberFailure,
} from '../../scripts/setup/remembered-failure.mjs'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modelport-cache-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('a cache entry is created once and found the next time', async () => {
  const path = join(folder, 'entry')

  expect(await makeOnce({ path, make: writeWhole })).toBe(true)
  expect(await makeOnce({ path, make: writeWhole })).toBe(false)
  expect(await readFile(path, 'utf8')).toBe('whole')
})

test('a failure midway leaves neither an entry nor working files', async () => {
  const path = join(folder, 'entry')

  await expect(makeOnce({ path, make: breakMidway })).rejects.toThrow('the connection broke')
  expect(await readdir(folder)).toEqual([])
})

test('the leftovers of a killed launcher are removed, and its lock is taken over', async () => {
  const path = join(folder, 'entry')
  await startAndKill(path)
  const leftovers = await readdir(folder)
  expect(leftovers.filter((name) => name.includes('.partial-'))).toHaveLength(1)
  expect(leftovers).toContain('entry.lock')

  await makeOnce({ path, make: writeWhole })

  expect(await readdir(folder)).toEqual(['entry'])
})

test('two simultaneous launchers create an entry only once', async () => {
  const path = join(folder, 'entry')
  let made = 0
  const make = async (partialPath: string) => {
    made += 1
    await sleep(50)
    await writeFile(partialPath, 'whole')
  }

  await Promise.all([makeOnce({ path, make }), makeOnce({ path, make })])

  expect(made).toBe(1)
})

test('a lock is held while a command of its dead holder runs', async () => {
  const lockFile = join(folder, 'lock')
  const orphan = spawn('sleep', ['30'])
  await withLock(lockFile, async (holdAlsoFor) => {
    holdAlsoFor(orphan.pid ?? 0)
    const holder = await readFile(lockFile, 'utf8')
    // As if the launcher had been killed: only the orphan is left in the lock.
    await writeFile(
      join(folder, 'orphaned'),
      holder.replace(`"pid":${process.pid}`, '"pid":999999'),
    )
  })
  await writeFile(lockFile, await readFile(join(folder, 'orphaned')))

  let isFree = false
  const taken = withLock(lockFile, async () => {
    isFree = true
  })
  await sleep(500)
  expect(isFree).toBe(false)
  orphan.kill()
  await taken
  expect(isFree).toBe(true)
})

test.each([
  [
    'sha512-nIqbPZatFZfXSxp4FqnqE6IxMOXUG6+DYlgyfpKqAaH+9fcoaGwqtuuOONTXvMf1jLBYp2ZHW0l7ZsNAYKjTSw==',
    false,
  ],
  ['sha256-2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824', true],
])('a file with the hash %s is accepted: %s', async (pinned, isRight) => {
  const file = join(folder, 'file')
  await writeFile(file, 'hello')

  const outcome = await checkHash(file, pinned).then(
    () => true,
    () => false,
  )

  expect(outcome).toBe(isRight)
})

test('a failed download is remembered for a day', async () => {
  await rememberFailure(folder, 'electron', 'no route')
  expect(await findRememberedFailure(folder, 'electron')).toBe('no route')

  await forgetFailure(folder, 'electron')
  expect(await findRememberedFailure(folder, 'electron')).toBeNull()

  const twoDaysAgo = { failedAtMs: Date.now() - 2 * 24 * 3_600_000, reason: 'no route' }
  await writeFile(join(folder, 'electron-failed.json'), JSON.stringify(twoDaysAgo))
  expect(await findRememberedFailure(folder, 'electron')).toBeNull()
})

async function writeWhole(partialPath: string): Promise<void> {
  await writeFile(partialPath, 'whole')
}

async function breakMidway(partialPath: string): Promise<void> {
  await writeFile(`${partialPath}.work`, 'half')
  throw new Error('the connection broke')
}

/** Runs a launcher that starts to create the entry, and kills it with SIGKILL midway. */
async function startAndKill(path: string): Promise<void> {
  const cacheModule = fileURLToPath(new URL('../../scripts/setup/cache.mjs', import.meta.url))
  const script = `
    import { writeFile } from 'node:fs/promises'
    import { makeOnce } from ${JSON.stringify(cacheModule)}
    await makeOnce({ path: ${JSON.stringify(path)}, make: async (partialPath) => {
      await writeFile(partialPath, 'half')
      process.stdout.write('half done')
      await new Promise((resolve) => setTimeout(resolve, 60_000))
    } })`
  const launcher = spawn(process.execPath, ['--input-type=module', '-e', script])
  await once(launcher.stdout, 'data')
  launcher.kill('SIGKILL')
  await once(launcher, 'close')
}
