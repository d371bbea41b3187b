import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { readVersionHistory } from '../../service/service.ts'
import { goBackWith } from './go-back.ts'

const restoreFrom = { file: '/copies/before-0.2.0.db', forVersion: '0.1.0' }

async function openInstall() {
  const dataDir = temporaryFolder()
  const folder = join(dataDir, 'app')
  for (const name of ['updates', 'app', 'app.previous'])
    await fs.mkdir(join(dataDir, name), { recursive: true })
  await fs.writeFile(join(dataDir, 'updates', 'version.json'), '{"version":"0.2.0"}')
  return { dataDir, folder }
}

test('the copy to restore is on the disk before the folders are exchanged', async () => {
  const { dataDir, folder } = await openInstall()
  const seen: unknown[] = []
  const rename: typeof fs.rename = async (from, to) => {
    if (from === folder) seen.push((await readVersionHistory(dataDir))?.restoreFrom)
    await fs.rename(from, to)
  }
  await goBackWith({ folder, fs: { ...fs, rename } }, { dataDir, restoreFrom })
  expect(seen).toEqual([restoreFrom])
})

test('a failed exchange leaves nothing to restore', async () => {
  const { dataDir, folder } = await openInstall()
  const rename = () => Promise.reject(new Error('read-only'))
  const back = goBackWith({ folder, fs: { ...fs, rename } }, { dataDir, restoreFrom })
  await expect(back).rejects.toThrow('read-only')
  expect(await readVersionHistory(dataDir)).toMatchObject({ restoreFrom: null })
})
