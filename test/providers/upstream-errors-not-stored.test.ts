/** An upstream's error may quote the prompt, and prompts are not stored. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { errorOf } from '../error-of.ts'
import { errorReply } from '../fake-provider.ts'
import type { FakeReply } from '../fake-provider/script.ts'
import { hello, startTestService } from '../test-service.ts'

const quoting = 'Invalid prompt: "canary-prompt" is not allowed'

/** Files below a folder that hold the canary. */
function filesWithCanary(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file, 'latin1').includes('canary'))
}

test.each<[string, FakeReply]>([
  ['its message', errorReply(400, { message: quoting, code: 'invalid_prompt' })],
  ['its code', errorReply(400, { message: 'No.', code: quoting })],
  ['a message of 422', errorReply(422, { message: quoting })],
  ['a message of 500', errorReply(500, { message: quoting })],
])('a prompt quoted in %s is in no file, backup or ledger row', async (_where, reply) => {
  const { post, ledger, dataDir, service } = await startTestService({ models: { m: { reply } } })

  await (await post('chat/completions', hello)).text()
  await (await post('chat/completions', { ...hello, stream: true })).text()
  await ledger(2)
  const storage = await openStorage({ dataDir })
  await storage.maintenance.backup({ file: join(dataDir, 'copy.backup'), replaces: false })
  await storage.close()
  await service.close()

  expect(filesWithCanary(dataDir)).toEqual([])
})

test('the caller gets the upstream’s message, and the ledger only its codes', async () => {
  const reply = errorReply(400, { message: quoting, code: 'invalid_prompt' })
  const { post, get, ledger } = await startTestService({ models: { m: { reply } } })

  const answer = await post('chat/completions', hello)
  const id = answer.headers.get('x-request-id')
  await ledger(1)
  const record = await get(`v1/requests/${id}`)

  expect(await errorOf(answer)).toMatchObject({ status: 400, message: quoting })
  expect(await record.json()).toMatchObject({
    detail: {
      attempts: [
        {
          outcome: 'request',
          status: 400,
          message: 'the provider refused the request (invalid_prompt, invalid_request_error)',
        },
      ],
    },
  })
})
