/** The load of streamed answers that the benches and the checks share. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { streamWith } from '../../bench/stream-load.ts'

test('a connection that the server closed before its request ends the load with an error', async () => {
  const kept: Socket[] = []
  const server = createServer((socket) => {
    // The first one gets no answer, so that only the second can end the load.
    if (kept.length === 0) kept.push(socket)
    else socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of kept) socket.destroy()
    server.close()
  })
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  const target = { port, ca: null, pid: process.pid, path: '/', headers: {}, marker: '' }
  const plan = { pieces: 1, everyMs: 500 }

  const load = streamWith(target, { connections: 2, durationMs: 0, plan })

  await expect(load).rejects.toThrow('the server closed the')
})
