import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { lockDataFolder } from './data-folder.ts'
import { openNodeProcesses } from './node-processes.ts'

function lockedFolder(): string {
  const dataDir = temporaryFolder()
  onTestFinished(lockDataFolder({ dataDir, holder: 'serve' }))
  return dataDir
}

async function open(dataDir: string, bootId = 'boot-1') {
  const processes = await openNodeProcesses(dataDir, () => Promise.resolve(bootId))
  if (!processes) throw new Error('Expected processes')
  return processes
}

test('each process learns of those before it, until their leases have ended', async () => {
  const folder = lockedFolder()
  expect(await (await open(folder)).join('first')).toEqual([])
  const second = await open(folder)
  expect(await second.join('second')).toEqual(['first'])
  expect(await (await open(folder)).join('third')).toEqual(['first', 'second'])
  await second.leaveOnly('third')
  expect(await second.join('fourth')).toEqual(['third'])
})

test('a folder that moved to another computer of the same name lists no processes', async () => {
  const folder = lockedFolder()
  await (await open(folder)).join('first')
  const moved = await open(folder, 'boot-2')
  expect(await moved.join('second')).toEqual([])
  expect(await moved.join('third')).toEqual(['second'])
})

test('a copy of a folder lists no processes', async () => {
  const [folder, copy] = [lockedFolder(), lockedFolder()]
  await (await open(folder)).join('first')
  copyFileSync(join(folder, 'node.json'), join(copy, 'node.json'))
  expect(await (await open(copy)).join('second')).toEqual([])
})

test('a damaged file lists no processes and is replaced', async () => {
  const folder = lockedFolder()
  writeFileSync(join(folder, 'node.json'), '{"place":')
  const processes = await open(folder)
  expect(await processes.join('first')).toEqual([])
  expect(await processes.join('second')).toEqual(['first'])
})

test('a computer without an id of its start records no processes', async () => {
  expect(await openNodeProcesses(lockedFolder(), () => Promise.resolve(null))).toBeUndefined()
})
