import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import type { SecurityTarget } from './attack.ts'
import { checkKeyInFiles } from './file-checks.ts'

const canaryKey = `mp_${'c4'.repeat(18)}`
const mib = 1024 * 1024

function targetOf(dataDir: string): SecurityTarget {
  return {
    dataDir,
    canaryKey,
    port: 0,
    ca: '',
    allowedHosts: [],
    isOnNetwork: false,
    slowLimitMs: 0,
  }
}

test('the key is found at the end of a file of 70 MiB', async () => {
  const dataDir = temporaryFolder()
  writeFileSync(
    join(dataDir, 'modelport.db'),
    Buffer.concat([Buffer.alloc(70 * mib), Buffer.from(canaryKey)]),
  )

  expect(await checkKeyInFiles(targetOf(dataDir))).toMatchObject({
    status: 'failed',
    seen: 'found in modelport.db',
  })
})

test('the key is found across the border of two pieces', async () => {
  const dataDir = temporaryFolder()
  const file = Buffer.alloc(9 * mib)
  file.write(canaryKey, 4 * mib - 5)
  writeFileSync(join(dataDir, 'modelport.log'), file)

  expect(await checkKeyInFiles(targetOf(dataDir))).toMatchObject({ status: 'failed' })
})

test('the weights of local models are skipped, which the check says', async () => {
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'models'))
  writeFileSync(join(dataDir, 'models', 'small.gguf'), canaryKey)
  writeFileSync(join(dataDir, 'models', 'notes.json'), '{}')

  expect(await checkKeyInFiles(targetOf(dataDir))).toMatchObject({
    status: 'ok',
    tried: expect.stringMatching(/in 1 files, .*, without 1 in the folder of local models$/),
  })
})
