import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { createFile, replaceFile } from './durable-file.ts'
import { makeFolder } from './folder-owner.ts'

const isRoot = process.getuid?.() === 0
const service = isRoot ? 65_534 : (process.getuid?.() ?? 0)

test('what is made in the folder of another user belongs to that user', async () => {
  const folder = temporaryFolder()
  if (isRoot) chownSync(folder, service, service)
  const made = ['created', 'replaced', 'folder', 'folder/inside'].map((name) => join(folder, name))
  const [created = '', replaced = '', inner = '', inside = ''] = made

  await createFile(created, 'a')
  await replaceFile(replaced, 'b')
  await makeFolder(inner)
  await makeFolder(inner)
  await replaceFile(inside, 'c')

  expect(made.map((path) => statSync(path).uid)).toEqual(made.map(() => service))
})
