/** A crash in the middle of a call: text, draft, file, call and its record are there, and nothing calls again. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startService } from '../../src/service/service.ts'
import { samplePng } from '../sample-files.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'

const child = join(import.meta.dirname, 'children', 'crashing-chat.ts')

test('a call that a crash cut off is kept, unknown, and not repeated', async () => {
  const dataDir = temporaryFolder()
  const log = join(dataDir, 'log')
  const writes = () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line === '"Hello"')
      : []
  const chat = spawn(process.execPath, ['--no-warnings', child, dataDir], { stdio: 'inherit' })
  onTestFinished(() => void chat.kill('SIGKILL'))
  await expect.poll(() => writes()).toHaveLength(1)
  const isGone = new Promise((resolve) => chat.once('exit', resolve))
  chat.kill('SIGKILL')
  await isGone

  const options = { dataDir, cacheDir: join(dataDir, 'cache'), allowSessionSecrets: true, env: {} }
  const service = await startService({ ...options, holder: 'serve', port: 0 })
  onTestFinished(() => service.close())

  const [conversation] = await service.conversations.list()
  const messages = await service.conversations.messages(conversation?.id ?? '')
  const answer = messages.find(({ role }) => role === 'assistant')
  expect(answer).toMatchObject({
    state: 'stopped',
    text: 'I write it.',
    toolSteps: [{ tool: 'write', arguments: '{"text":"Hello"}', allowedBy: 'always' }],
  })
  const draft = (await service.conversations.drafts())['new']
  expect(draft).toMatchObject({ text: 'And then?', attachments: [{ name: 'square.png' }] })
  const sha256 = draft?.attachments[0]?.sha256 ?? ''
  const stored = await service.conversations.attachmentData(sha256)
  expect(Buffer.from(stored, 'base64')).toEqual(samplePng(4, 4))
  const request = await service.usage.explain(answer?.id ?? '')
  expect(request?.toolCalls).toMatchObject([{ tool: 'write', outcome: 'unknown' }])
  expect((await service.mcp.list()).map(({ state }) => state)).toEqual(['stopped'])
  expect(writes()).toHaveLength(1)
})
