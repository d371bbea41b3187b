/** What the window, the errors and docs/troubleshooting.md say that the log tells. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startService, type ServiceOptions } from '../../src/service/service.ts'
import { errorReply } from '../fake-provider.ts'
import { hello, startTestService } from '../test-service.ts'

function linesOf(dataDir: string): unknown[] {
  const text = readFileSync(join(dataDir, 'logs', 'modelport.log'), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
}

function newFolder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'modelport-lines-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, maxRetries: 5 }))
  return dataDir
}

const options = (dataDir: string): ServiceOptions => ({
  dataDir,
  cacheDir: join(dataDir, 'cache'),
  allowSessionSecrets: true,
  env: {},
  holder: 'serve',
  port: 0,
})

test('a provider that fails is named with its status, without the text of the upstream', async () => {
  const reply = errorReply(500, { message: 'canary-of-the-upstream' })
  const running = await startTestService({ models: { down: { reply } } })

  const content = 'canary-of-the-prompt'
  await running.post('chat/completions', { messages: [{ role: 'user', content }] })

  await expect
    .poll(() => linesOf(running.dataDir))
    .toContainEqual(
      expect.objectContaining({ what: 'a provider failed', provider: 'fake', status: '500' }),
    )
  expect(JSON.stringify(linesOf(running.dataDir))).not.toContain('canary')
})

test('a start that fails says why', async () => {
  const dataDir = newFolder()
  writeFileSync(join(dataDir, 'modelport.db'), 'not a database'.repeat(1_000))

  await expect(startService(options(dataDir))).rejects.toThrow('not a database')

  expect(linesOf(dataDir)).toContainEqual(expect.objectContaining({ where: 'start' }))
})

test('a port that is in use is named', async () => {
  const dataDir = newFolder()
  mkdirSync(dataDir, { recursive: true })
  const other = createServer()
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo

  const service = await startService({ ...options(dataDir), port })
  await service.close()

  expect(linesOf(dataDir)).toContainEqual(
    expect.objectContaining({ what: 'the endpoint does not listen' }),
  )
})

test('nothing of an ordinary request is logged', async () => {
  const running = await startTestService()

  expect((await running.post('chat/completions', hello)).status).toBe(200)
  await running.service.close()

  expect(linesOf(running.dataDir)).toEqual([])
})
