/** `Idempotency-Key` over two nodes: exactly one execution. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { FakeModel } from '../fake-provider.ts'
import { describeIdempotency } from '../storage/describe-idempotency.ts'
import { startRedis } from '../engines/redis.ts'
import { hello } from '../test-service.ts'
import { connectNode, type SharedNode } from './nodes.ts'
import { startTwoNodes } from './two-nodes.ts'

const path = 'chat/completions'
const record = {
  id: 'id',
  apiKeyId: 'key_a',
  routerId: 'router_a',
  bodySha256: 'a'.repeat(64),
  isFirstAttempt: false,
}
const answer = { isStreamed: true, body: Buffer.from('data: the answer\n\n'), headers: { a: 'b' } }

const redis = await startRedis([], afterAll)
const nodes = await startTwoNodes({ url: redis.url, models: { m: {} } }, afterAll)

const under = (key: string) => ({ headers: { 'idempotency-key': key } })

describe('a node', () => {
  let node: SharedNode
  beforeEach(async (context) => {
    const server = await startRedis([], context.onTestFinished)
    node = await connectNode(server.url, {}, context.onTestFinished)
  })
  describeIdempotency(() => node.state)
})

test('of 60 simultaneous requests at two nodes one is answered, and then all get its answer', async () => {
  const { one, two, fake } = nodes
  fake.setModel('m', { firstByteDelayMs: 500 })
  const before = fake.requestCount()
  const sixty = () =>
    Promise.all(
      Array.from({ length: 60 }, (_, index) => [one, two][index % 2]).map(async (node) => {
        const reply = await node?.post(path, hello, under('order-1'))
        return {
          status: reply?.status,
          replayed: reply?.headers.get('idempotent-replayed'),
          text: await reply?.text(),
        }
      }),
    )

  const answers = await sixty()
  const later = await sixty()

  // A request whose connection took long may come after the answer.
  const isRepeat = ({ status, replayed }: (typeof answers)[number]) =>
    status === 409 || (status === 200 && replayed === 'true')
  expect(answers.filter(isRepeat)).toHaveLength(59)
  const firsts = answers.filter((answered) => !isRepeat(answered))
  expect(firsts).toMatchObject([{ status: 200, replayed: null }])
  expect(new Set(later.map(({ replayed }) => replayed))).toEqual(new Set(['true']))
  expect(new Set(later.map(({ text }) => text)).size).toBe(1)
  expect(fake.requestCount() - before).toBe(1)
})

test('another body under the same key is refused by the other node', async () => {
  const { one, two, fake } = nodes
  fake.setModel('m', {})
  await (await one.post(path, hello, under('order-2'))).text()
  const other = await two.post(path, { ...hello, n: 1 }, under('order-2'))
  expect(other.status).toBe(422)
})

test('while Valkey is gone, requests with a key get a 503 and all others are answered', async () => {
  const { one, two, fake } = nodes
  const held = Promise.withResolvers<FakeModel>()
  fake.setModel('m', () => held.promise)
  const before = fake.requestCount()
  const running = one.post(path, hello, under('order-3'))
  await expect.poll(() => fake.requestCount()).toBe(before + 1)
  await redis.kill()
  fake.setModel('m', {})
  const refused = await two.post(path, hello, under('order-3'))
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(await refused.json()).toMatchObject({ error: { code: 'storage_unavailable' } })
  expect((await two.post(path, hello)).status).toBe(200)

  // It comes back empty, and no node runs the request again.
  await redis.restart()
  held.resolve({})
  const statuses = new Set<number>()
  await expect
    .poll(async () => {
      const repeated = await two.post(path, hello, under('order-3'))
      statuses.add(repeated.status)
      return repeated.headers.get('idempotent-replayed')
    })
    .toBe('true')
  expect((await running).status).toBe(200)
  // That of `running`, and the one without a key.
  expect(fake.requestCount()).toBe(before + 2)
  expect([...statuses].every((status) => [503, 409, 200].includes(status))).toBe(true)
})

test('while Valkey is gone, an SDK’s request is answered, and its repetition is not run again', async () => {
  const { one, two, fake } = nodes
  fake.setModel('m', {})
  const before = fake.requestCount()
  const attempt = (count: number, key = 'stainless-node-retry-1') => ({
    headers: { 'idempotency-key': key, 'x-stainless-retry-count': String(count) },
  })
  await redis.kill()
  // As after a break that the node has not noticed yet.
  await expect.poll(async () => (await one.post(path, hello, under('none'))).status).toBe(503)

  const first = await one.post(path, hello, attempt(0))
  const atItsNode = await one.post(path, hello, attempt(1))
  const elsewhere = await two.post(path, hello, attempt(1))
  const ownKey = await one.post(path, hello, attempt(0, 'order-4'))

  const text = await first.text()
  expect(first.status).toBe(200)
  expect(await atItsNode.text()).toBe(text)
  expect([elsewhere.status, ownKey.status]).toEqual([503, 503])
  await redis.restart()
  await expect.poll(async () => await (await two.post(path, hello, attempt(2))).text()).toBe(text)
  expect(fake.requestCount()).toBe(before + 1)
})

test('a node that crashed blocks its keys for at most 30 seconds', async () => {
  const server = await startRedis()
  const { state } = await connectNode(server.url)
  await state.idempotency.begin(record)
  const [name = ''] = server.cli('KEYS', '*:idempotency:*').split('\n')
  const leftMs = Number(server.cli('PTTL', name))
  expect(leftMs).toBeGreaterThan(20_000)
  expect(leftMs).toBeLessThanOrEqual(30_000)
})

test('a node whose key went to another node cannot store its answer', async () => {
  const server = await startRedis()
  const [one, two] = [await connectNode(server.url), await connectNode(server.url)]
  await one.state.idempotency.begin(record)
  // As after its expiry.
  server.cli('FLUSHALL')
  expect(await two.state.idempotency.begin(record)).toEqual({ kind: 'begun' })
  await two.state.idempotency.finish(record, answer)
  await one.state.idempotency.finish(record, { ...answer, body: Buffer.from('late') })
  const three = await connectNode(server.url)
  expect(await three.state.idempotency.begin(record)).toMatchObject({ kind: 'finished', answer })
})

test('without a sealing key, only the node with the answer replays it', async () => {
  const server = await startRedis()
  const [one, two] = await Promise.all(
    [1, 2].map(() => connectNode(server.url, { sealingKey: null })),
  )
  await one?.state.idempotency.begin(record)
  await one?.state.idempotency.finish(record, answer)
  expect(await one?.state.idempotency.begin(record)).toMatchObject({ kind: 'finished', answer })
  await expect(two?.state.idempotency.begin(record)).rejects.toThrow('Another node has the answer')
})

test('an answer that could not be stored is stored when Valkey is back', async () => {
  const server = await startRedis()
  const [one, two] = [await connectNode(server.url), await connectNode(server.url)]
  await one.state.idempotency.begin(record)
  await server.kill()
  await one.state.idempotency.finish(record, answer)
  await server.restart()
  await expect
    .poll(() => two.state.idempotency.begin(record).catch((error: Error) => error.message))
    .toMatchObject({ kind: 'finished', answer })
})
