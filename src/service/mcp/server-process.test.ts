import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { ServerProcess } from './server-process.ts'
import { isRunning } from '../../../test/is-running.ts'

/** Starts a program that runs on and holds the server's output, names it, and ends. */
const script = `
  const { spawn } = require('node:child_process')
  const { pid } = spawn('sleep', ['300'], { stdio: ['ignore', 'inherit', 'ignore'] })
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: 'started', params: { pid } }) + '\\n', () => process.exit(0))`

test('what a server started ends with it, also when it ends by itself', async () => {
  const cwd = temporaryFolder()
  const server = new ServerProcess({
    command: process.execPath,
    args: ['-e', script],
    cwd,
    env: { PATH: process.env['PATH'] ?? '' },
  })
  let startedPid = 0
  const closed = Promise.withResolvers<void>()
  const onmessage: ServerProcess['onmessage'] = (message) => {
    if ('params' in message) startedPid = Number(message.params?.['pid'])
  }
  Object.assign(server, { onmessage, onclose: closed.resolve })

  await server.start()
  await closed.promise

  expect(startedPid).toBeGreaterThan(0)
  await expect.poll(() => isRunning(startedPid)).toBe(false)
})
