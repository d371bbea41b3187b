import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { forkChildProcess } from './fork-child-process.ts'

test('the process gets only the environment variables the system needs, and no secrets', async () => {
  vi.stubEnv('MODELPORT_VAULT_PASSPHRASE', 'canary passphrase')
  vi.stubEnv('MODELPORT_KEY_OPENAI', 'sk-canary')
  vi.stubEnv('OPENAI_API_KEY', 'sk-canary')
  vi.stubEnv('CUDA_VISIBLE_DEVICES', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const entry = join(temporaryFolder(), 'entry.mjs')
  await writeFile(entry, 'process.send({ ...process.env })')

  const child = forkChildProcess(entry)
  onTestFinished(() => child.kill())
  const received = await new Promise<unknown>((resolve) => {
    child.onMessage(resolve)
  })

  expect(received).toMatchObject({ PATH: process.env['PATH'], CUDA_VISIBLE_DEVICES: '0' })
  expect(JSON.stringify(received)).not.toContain('canary')
})
