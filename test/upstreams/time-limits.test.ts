/**
 * How late the time limits of an attempt are, compared with a plain timer that starts together with the attempt: a
 * busy machine delays both. The next upstream is asked in the same iteration of the event loop.
 */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TimeLimits } from '../../src/shared/routers/time-limits.ts'
import { openAiChat } from '../../src/service/families/openai-chat/openai-chat.ts'
import { askedStreamed, askedWhole } from './ask-in-turn.ts'
import { answerOf } from './harness.ts'
import { openAiFormat } from './openai-chat/fake.ts'
import { createAdapter, readWhole, type StartedWire } from './read-answer.ts'
import { startWireServer, type FakeScript } from './wire-server.ts'

const allowedMs = 50
const tries = 3

const answer = answerOf({ texts: ['One ', 'two'] })
const hangsAfter = (afterEvents: number): FakeScript => ({
  answer,
  break: { afterEvents, how: 'hang' },
})
const first = {} as StartedWire
const second = {} as StartedWire
const silent: { port: number; sockets: Socket[]; close: () => void } = {
  port: 0,
  sockets: [],
  close: () => {},
}

beforeAll(async () => {
  for (const wire of [first, second]) {
    const server = await startWireServer(openAiFormat)
    const provider = createAdapter({ wire: openAiChat, basePath: '/v1' }, server.origin)
    Object.assign(wire, { server, provider, model: 'm' })
    server.script({ answer })
    await readWhole(wire)
  }
  // Accepts connections and never answers the TLS handshake.
  const server = createServer((socket) => {
    silent.sockets.push(socket.on('error', () => {}).resume())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server's address is an AddressInfo.
  silent.port = (server.address() as AddressInfo).port
  silent.close = () => {
    for (const socket of silent.sockets) socket.destroy()
    server.close()
  }
})
afterAll(async () => {
  silent.close()
  for (const { provider, server } of [first, second]) {
    await provider.close()
    await server.close()
  }
})

/** How much later than a timer of the same length the attempt failed. */
async function latenessMs(
  ask: typeof askedStreamed,
  wire: StartedWire,
  limits: Partial<TimeLimits>,
): Promise<number> {
  const [limitMs = 0] = Object.values(limits)
  const dueAt = new Promise<number>((resolve) => {
    setTimeout(() => resolve(performance.now()), limitMs)
  })
  const asked = await ask([wire, second], limits)
  expect(asked.failures).toMatchObject([{ kind: 'timeout' }])
  return (asked.failedAt[0] ?? Infinity) - (await dueAt)
}

async function smallest(measure: () => Promise<number>): Promise<number> {
  let least = Infinity
  for (let time = 0; time < tries && least > allowedMs; time += 1) {
    least = Math.min(least, await measure())
  }
  return least
}

test.each<[string, typeof askedStreamed, FakeScript, Partial<TimeLimits>]>([
  ['a first token that never comes', askedStreamed, 'hang', { firstTokenMs: 150 }],
  ['a first token after the role', askedStreamed, hangsAfter(1), { firstTokenMs: 150 }],
  ['the next piece of an answer', askedStreamed, hangsAfter(2), { betweenChunksMs: 150 }],
  ['the end of a stream', askedStreamed, hangsAfter(2), { totalMs: 150 }],
  ['a whole answer', askedWhole, 'hang', { totalMs: 150 }],
])('the limit for %s passes at most 50 ms late', async (_what, ask, script, limits) => {
  first.server.script(script)

  expect(await smallest(() => latenessMs(ask, first, limits))).toBeLessThan(allowedMs)
})

test('the limit for opening a connection passes at most 50 ms late, and the socket is closed', async () => {
  const create = () =>
    createAdapter({ wire: openAiChat, basePath: '/v1' }, `https://127.0.0.1:${silent.port}`)
  const measure = async () => {
    const provider = create()
    const lateness = await latenessMs(askedWhole, { ...first, provider }, { connectMs: 150 })
    await provider.close()
    return lateness
  }

  expect(await smallest(measure)).toBeLessThan(allowedMs)
  for (const socket of silent.sockets) if (!socket.closed) await once(socket, 'close')
})

test('the next upstream is asked in the same iteration of the event loop', async () => {
  for (const script of ['hang', { reply: { status: 500, headers: {}, body: '{}' } }] as const) {
    first.server.script(script)
    const { turns } = await askedWhole([first, second], { totalMs: 100 })

    expect(turns.slice(0, 3)).toEqual(['p:0', 'failed', 'p:1'])
  }
})
