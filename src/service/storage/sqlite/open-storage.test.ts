import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { describeStorage } from '../../../../test/storage/describe-storage.ts'
import { openStorage } from './open-storage.ts'

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

describeStorage('SQLite in a worker thread', () => {
  const folder = mkdtempSync(join(tmpdir(), 'modelport-test-'))
  folders.push(folder)
  return openStorage({ dataDir: folder })
})
