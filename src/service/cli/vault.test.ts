import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'

const newKey = () => randomBytes(32).toString('base64')
const add = ['provider', 'add', 'openai', '--type', 'openai', '--key-env', 'KEY']

test('a rewrapped vault opens with the new key only', async () => {
  const { run, dataDir } = newModelport()
  const [first, second] = [newKey(), newKey()]
  await writeFile(join(dataDir, 'new-key'), second)
  const stored = await run(add, { env: { KEY: 'sk-secret', MODELPORT_VAULT_KEY: first } })
  expect(stored).toMatchObject({ code: 0, stderr: '' })

  const args = ['vault', 'rewrap', '--new-key-file', join(dataDir, 'new-key')]
  const rewrapped = await run(args, { env: { MODELPORT_VAULT_KEY: first } })

  expect(rewrapped).toMatchObject({ code: 0 })
  const rewrapWith = (key: string) =>
    run(['vault', 'rewrap', '--new-key-env', 'NEW'], {
      env: { MODELPORT_VAULT_KEY: key, NEW: newKey() },
    })
  expect((await rewrapWith(first)).stderr).toContain('another key than MODELPORT_VAULT_KEY')
  expect(await rewrapWith(second)).toMatchObject({ code: 0 })
})

test.each([
  [['vault', 'rewrap'], {}, 2, 'Give the new key'],
  [['vault', 'rewrap', '--new-key-env', 'NONE'], {}, 2, 'NONE is empty or not set'],
  [['vault', 'rewrap', '--new-key-env', 'NEW'], { NEW: 'x' }, 1, '32 bytes in base64'],
  [['key', 'list'], { MODELPORT_VENDOR_KEYS: 'maybe' }, 2, 'MODELPORT_VENDOR_KEYS: Expected on'],
])('%j with %j fails with %i and says why', async (args, env, code, words) => {
  const result = await newModelport().run(args, { env })

  expect(result).toMatchObject({ code, stderr: expect.stringContaining(words) })
})
