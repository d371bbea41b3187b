/** `Idempotency-Key` from the caller's view: over HTTPS, with a real upstream that counts its requests. */
import { once as onceEmitted } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Response } from 'undici'
import { beforeAll, expect, test } from 'vitest'
import { errorReply, type FakeModel } from '../fake-provider.ts'
import { chatRequest, dial } from '../http/raw-client.ts'
import { endOfGroup } from '../rules/end-of-group.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const path = 'chat/completions'
const once = { headers: { 'idempotency-key': 'order-17' } }
const streamed = { ...hello, stream: true, stream_options: { include_usage: true } }

/** Tests that only send requests share it, each with a key of its own. */
let ordinary: TestService
let keyCount = 0

const atEnd = endOfGroup()
beforeAll(async () => {
  ordinary = await startTestService({}, atEnd)
})

function withNewKey() {
  keyCount += 1
  return { headers: { 'idempotency-key': `order-of-its-own-${keyCount}` } }
}

/** The body, and whether it was replayed. */
async function read(answer: Response): Promise<{ text: string; replayed: string | null }> {
  return { text: await answer.text(), replayed: answer.headers.get('idempotent-replayed') }
}

test('the second request gets the first one’s answer, byte for byte, without another model call', async () => {
  const { post, fake, onlyRows } = await startTestService()

  const first = await post(path, hello, once)
  const second = await post(path, hello, once)

  const original = await read(first)
  expect(original.replayed).toBeNull()
  expect(await read(second)).toEqual({ text: original.text, replayed: 'true' })
  expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
  const left = 'x-ratelimit-remaining-requests'
  expect(second.headers.get(left)).toBe(first.headers.get(left))
  expect(fake.requestCount()).toBe(1)
  const rows = await onlyRows(1)
  expect(rows.map(({ id }) => `chatcmpl-${id}`)).toEqual([JSON.parse(original.text).id])
})

test('a stream is replayed as the same events, without the pauses', async () => {
  const { post, fake } = await startTestService({
    models: { m: { text: 'one two three', chunkDelayMs: 30 } },
  })

  const first = await post(path, streamed, once)
  const original = await read(first)
  const second = await post(path, streamed, once)

  expect(original.text).toMatch(/"usage":\{.*"_meta":\{.*\n\ndata: \[DONE\]\n\n$/)
  expect(await read(second)).toEqual({ text: original.text, replayed: 'true' })
  for (const name of ['content-type', 'cache-control', 'x-accel-buffering'])
    expect(second.headers.get(name)).toBe(first.headers.get(name))
  expect(fake.requestCount()).toBe(1)
})

test('each answer has its own request id, and the completion keeps the first one’s', async () => {
  const { post } = ordinary
  const sameKey = withNewKey()

  const ids = []
  for (const answer of [await post(path, hello, sameKey), await post(path, hello, sameKey)])
    ids.push([answer.headers.get('x-request-id'), JSON.parse(await answer.text()).id])

  const [first, second] = ids
  expect(first?.[1]).toBe(`chatcmpl-${first?.[0]}`)
  expect(second?.[1]).toBe(first?.[1])
  expect(second?.[0]).not.toBe(first?.[0])
})

test('of 100 simultaneous requests one is answered, 99 get a 409, and then all get its answer', async () => {
  const model = Promise.withResolvers<FakeModel>()
  const { get, post, fake, onlyRows } = await startTestService({
    models: { m: () => model.promise },
  })
  const hundred = <Value>(ask: () => Promise<Value>) =>
    Promise.all(Array.from({ length: 100 }, ask))
  // So that the test below does not wait for a hundred handshakes.
  for (const answer of await hundred(() => get('models'))) await answer.text()

  let refused = 0
  const asked = hundred(async () => {
    const answer = await post(path, hello, once)
    if (answer.status === 409) refused += 1
    return answer
  })
  // The model answers only then, so that no other request comes after its answer.
  await expect.poll(() => refused).toBe(99)
  model.resolve({})
  const answers = await asked
  const later = await hundred(() => post(path, hello, once))

  const waiting = answers.filter(({ status }) => status === 409)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(waiting).toHaveLength(99)
  expect(new Set(waiting.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['1']))
  expect(await waiting[0]?.json()).toMatchObject({
    error: {
      type: 'invalid_request_error',
      param: 'Idempotency-Key',
      code: 'idempotency_in_progress',
    },
  })
  expect(later.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(
    Array.from({ length: 100 }, () => 'true'),
  )
  expect(new Set(await Promise.all(later.map((answer) => answer.text()))).size).toBe(1)
  expect(fake.requestCount()).toBe(1)
  expect(await onlyRows(1)).toHaveLength(1)
})

test('OpenAI’s SDK waits for the answer in progress, and gets it', async () => {
  const { openai, fake } = await startTestService({ models: { m: { firstByteDelayMs: 500 } } })
  const request = { model: '', ...hello }
  // The SDK's option `idempotencyKey` sends nothing, because the SDK does not know the header's name.
  const options = { headers: { 'Idempotency-Key': 'sdk-1' }, maxRetries: 5 }

  const [first, second] = await Promise.all([
    openai().chat.completions.create(request, options),
    openai().chat.completions.create(request, options),
  ])

  expect(second).toEqual(first)
  expect(fake.requestCount()).toBe(1)
  await expect(
    openai().chat.completions.create({ ...request, n: 1 }, options),
  ).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' })
})

test('OpenAI’s SDK reads a replayed stream like the first one', async () => {
  const { openai, fake } = await startTestService({ models: { m: { text: 'All of it' } } })
  const stream = () =>
    openai()
      .chat.completions.stream({ model: '', ...hello }, { headers: { 'Idempotency-Key': 'sdk-2' } })
      .finalChatCompletion()

  const first = await stream()

  expect(await stream()).toEqual(first)
  expect(first.choices[0]?.message.content).toBe('All of it')
  expect(fake.requestCount()).toBe(1)
})

test('the same body with its fields in another order is the same request', async () => {
  const { post } = ordinary
  const sameKey = withNewKey()

  await (
    await post(path, '{"temperature":1,"messages":[{"role":"user","content":"Hi"}]}', sameKey)
  ).text()
  const again = await post(
    path,
    '{ "messages": [{"content":"Hi","role":"user"}], "temperature": 1.0 }',
    sameKey,
  )

  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

test('another body under the same key is refused', async () => {
  const { post, fake } = ordinary
  const sameKey = withNewKey()
  const before = fake.requestCount()

  await (await post(path, hello, sameKey)).text()
  const other = await post(path, { ...hello, temperature: 0 }, sameKey)

  expect(other.status).toBe(422)
  expect(await other.json()).toMatchObject({ error: { code: 'idempotency_key_reused' } })
  expect(fake.requestCount() - before).toBe(1)
})

test('the same body at an address of another form is another body', async () => {
  const { post } = ordinary
  const sameKey = withNewKey()
  const body = { ...hello, max_tokens: 10 }

  await (await post(path, body, sameKey)).text()
  const other = await post('v1/messages', body, sameKey)

  expect(other.status).toBe(422)
  expect(other.headers.get('x-modelport-error-code')).toBe('idempotency_key_reused')
})

test('a key belongs to one API key and one router', async () => {
  const { post, service, fake, routerId } = ordinary
  const sameKey = withNewKey()
  const before = fake.requestCount()
  const { key } = await service.dashboard.createApiKey({ name: 'other', routers: 'all' })
  const { id } = await service.dashboard.createRouter({
    name: 'Other',
    strategy: 'priority',
    models: ['fake:fake-model'],
  })

  const authorization = { authorization: `Bearer ${key}` }
  const answers = [
    await post(path, hello, sameKey),
    await post(path, hello, { headers: { ...sameKey.headers, ...authorization } }),
    await post(`/api/router/${id}/${path}`, { ...hello, seed: 7 }, sameKey),
    await post(`/api/router/${routerId}/v1/${path}`, hello, sameKey),
  ]

  const replayed = answers.map(({ headers }) => headers.get('idempotent-replayed'))
  expect(replayed).toEqual([null, null, null, 'true'])
  expect(fake.requestCount() - before).toBe(3)
})

test.each([
  ['empty', ''],
  ['of 256 characters', 'k'.repeat(256)],
  ['not printable ASCII', 'clé'],
])('a key that is %s is a 400 that names the header', async (_name, key) => {
  const { post, fake } = ordinary
  const before = fake.requestCount()

  const answer = await post(path, hello, { headers: { 'idempotency-key': key } })

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: { param: 'Idempotency-Key', code: 'invalid_parameter' },
  })
  expect(fake.requestCount() - before).toBe(0)
})

test('an invalid body is refused first, and the key stays unused', async () => {
  const { post } = ordinary
  const sameKey = withNewKey()

  const refused = await post(path, { messages: [] }, sameKey)
  const mended = await post(path, hello, sameKey)

  expect([refused.status, mended.status]).toEqual([400, 200])
  expect(mended.headers.get('idempotent-replayed')).toBeNull()
})

test.each([
  ['upstreams that fail', { reply: errorReply(404) }, 503],
  ['an upstream that refuses the request', { reply: errorReply(400) }, 400],
])('after %s the key is unused, and a retry can succeed', async (_name, broken, status) => {
  const { post } = await startTestService({
    models: { m: (_request, nth) => (nth === 1 ? broken : { text: 'Mended.' }) },
  })

  const failed = await post(path, hello, once)
  const retried = await post(path, hello, once)

  expect([failed.status, retried.status]).toEqual([status, 200])
  expect(await read(retried)).toMatchObject({ replayed: null })
})

test('a stream that broke off is not stored', async () => {
  const { post } = await startTestService({
    models: {
      m: (_request, nth) =>
        nth === 1 ? { fault: { kind: 'reset', afterEvents: 3 } } : { text: 'Whole.', chunks: 1 },
    },
  })

  const broken = await read(await post(path, streamed, once))
  const retried = await read(await post(path, streamed, once))

  expect(broken.text).toContain('"error"')
  expect(retried.replayed).toBeNull()
  expect(retried.text).toContain('Whole.')
})

test.each([
  ['whole', hello],
  ['streamed', streamed],
])('an answer whose caller disconnected is not stored: %s', async (_name, body) => {
  const { post, fake, ledger } = await startTestService({
    models: {
      m: (_request, nth) => (nth === 1 ? { firstByteDelayMs: 10_000 } : { text: 'Now.' }),
    },
  })
  const controller = new AbortController()

  const left = post(path, body, { ...once, signal: controller.signal })
  await expect.poll(() => fake.requestCount()).toBe(1)
  controller.abort()
  await expect(left).rejects.toThrow('aborted')
  const [row] = await ledger(1)
  const retried = await post(path, body, once)

  expect(row?.status).toBe(499)
  expect(retried.status).toBe(200)
  expect((await read(retried)).replayed).toBeNull()
})

test('a stream whose caller disconnected in the middle is not stored', async () => {
  const { post, ledger } = await startTestService({
    models: {
      m: (_request, nth) => (nth === 1 ? { chunkDelayMs: 3_000 } : { text: 'Now.' }),
    },
  })
  const controller = new AbortController()

  const left = await post(path, streamed, { ...once, signal: controller.signal })
  controller.abort()
  await expect(left.text()).rejects.toThrow('aborted')
  const [row] = await ledger(1)

  expect(row?.status).toBe(499)
  expect((await read(await post(path, streamed, once))).replayed).toBeNull()
})

async function answeredOnce(service: TestService): Promise<void> {
  await (await service.post(path, hello, once)).text()
}

test('a replay does not count against the daily limit, and is sent even when the limit is used up', async () => {
  const running = await startTestService({ router: { tier: 'enterprise', dailyLimit: 1 } })
  await answeredOnce(running)

  const replayed = await running.post(path, hello, once)
  const fresh = await running.post(path, hello)

  expect([replayed.status, fresh.status]).toEqual([200, 429])
})

test('after ten minutes the request is sent again', async () => {
  let skewMs = 0
  const running = await startTestService({ service: { clock: () => 1_000_000 + skewMs } })
  await answeredOnce(running)

  skewMs = 599_000
  const before = await running.post(path, hello, once)
  skewMs = 600_001
  const after = await running.post(path, hello, once)

  expect((await read(before)).replayed).toBe('true')
  expect((await read(after)).replayed).toBeNull()
})

test('a revoked key gets no replay', async () => {
  const running = await startTestService()
  await answeredOnce(running)
  const [key] = await running.service.dashboard.apiKeys()

  await running.service.dashboard.revokeApiKey(key?.id ?? '')

  expect((await running.post(path, hello, once)).status).toBe(401)
})

test('revoking the key also ends a replay whose reader has stalled', async () => {
  // More than a connection's buffers hold.
  const running = await startTestService({ models: { m: { text: 'x'.repeat(4_150_000) } } })
  await answeredOnce(running)
  const socket = await dial(running)
  let bytes = 0
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length
  })
  socket.pause()
  const plain = chatRequest(running, JSON.stringify(hello))
  socket.write(plain.replace('content-type:', 'idempotency-key: order-17\r\ncontent-type:'))
  // Until the replay has filled the buffers.
  await delay(500)

  const [key] = await running.service.dashboard.apiKeys()
  await running.service.dashboard.revokeApiKey(key?.id ?? '')
  await delay(500)
  const closed = onceEmitted(socket, 'close')
  socket.resume()
  await closed

  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(4_150_000)
})
