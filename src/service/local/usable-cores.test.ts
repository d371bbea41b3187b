import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { threadsFor, usableCores } from './usable-cores.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'modelport-cores-'))
})
afterEach(() => rm(root, { recursive: true }))

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), text)
}

test.each([
  [1, { prompt: 1, generation: 1 }],
  [2, { prompt: 2, generation: 1 }],
  [4, { prompt: 3, generation: 2 }],
  [8, { prompt: 7, generation: 4 }],
])('%i cores read the prompt and write the answer with %j', (cores, threads) => {
  expect(threadsFor(cores)).toEqual(threads)
})

test('without a control group every core is usable', () => {
  expect(usableCores(root)).toBe(availableParallelism())
})

test.each([
  ['our own group', 'sys/fs/cgroup/box/app/cpu.max'],
  ['a group above it', 'sys/fs/cgroup/box/cpu.max'],
  ['the root of the namespace', 'sys/fs/cgroup/cpu.max'],
])('a quota of %s limits the cores', async (_which, file) => {
  await write('proc/self/cgroup', '0::/box/app\n')
  await write(file, '150000 100000\n')

  expect(usableCores(root)).toBe(1)
})

test('a quota of version 1 limits the cores', async () => {
  await write('sys/fs/cgroup/cpu/cpu.cfs_quota_us', '50000\n')
  await write('sys/fs/cgroup/cpu/cpu.cfs_period_us', '100000\n')

  expect(usableCores(root)).toBe(1)
})

test.each([
  ['sys/fs/cgroup/cpu.max', 'max 100000\n'],
  ['sys/fs/cgroup/cpu/cpu.cfs_quota_us', '-1\n'],
])('no limit in %s leaves every core', async (file, text) => {
  await write(file, text)
  await write('sys/fs/cgroup/cpu/cpu.cfs_period_us', '100000\n')

  expect(usableCores(root)).toBe(availableParallelism())
})
