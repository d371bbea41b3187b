import { chownSync, linkSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { createFile, replaceFile } from './durable-file.ts'
import { giveToOwner } from './folder-owner.ts'

const isRoot = process.getuid?.() === 0
const service = isRoot ? 65_534 : (process.getuid?.() ?? 0)

/** The data folder of a service that runs as another user, if this process may make one. */
function folderOfService(): string {
  const folder = temporaryFolder()
  if (isRoot) chownSync(folder, service, service)
  return folder
}

const ownerOf = (path: string) => statSync(path).uid

test('a file that is written in the folder of another user belongs to that user', async () => {
  const folder = folderOfService()
  const [created, replaced] = [join(folder, 'created'), join(folder, 'replaced')]

  await createFile(created, 'a')
  await replaceFile(replaced, 'b')

  expect([created, replaced].map(ownerOf)).toEqual([service, service])
})

test('what a command made in the folder is given to its owner, but no file with another name', async () => {
  const folder = folderOfService()
  const outside = join(temporaryFolder(), 'outside')
  writeFileSync(outside, '')
  mkdirSync(join(folder, 'logs'))
  writeFileSync(join(folder, 'logs', 'modelport.log'), '')
  linkSync(outside, join(folder, 'linked'))

  await giveToOwner(folder)

  expect(['logs', 'logs/modelport.log'].map((name) => ownerOf(join(folder, name)))).toEqual([
    service,
    service,
  ])
  expect(ownerOf(outside)).toBe(process.getuid?.())
})

test('a folder that does not exist yet needs nothing', async () => {
  await expect(giveToOwner(join(temporaryFolder(), 'none'))).resolves.toBeUndefined()
})
