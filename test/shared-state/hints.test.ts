/** What two nodes tell each other: breakers, pauses, conversations, cached answers and burst limits. */
import { afterAll, expect, test, vi } from 'vitest'
import { errorReply, type FakeModelScript } from '../fake-provider.ts'
import { startRedis } from '../engines/redis.ts'
import { hello, type TestService } from '../test-service.ts'
import { startTwoNodes } from './two-nodes.ts'

const path = 'chat/completions'
const fails: FakeModelScript = { reply: errorReply(500) }
const limited: FakeModelScript = { reply: errorReply(429, { retryAfterSeconds: 30 }) }
const tools = [{ type: 'function', function: { name: 'weather' } }]
const redis = await startRedis([], afterAll)
const nodes = await startTwoNodes(
  { url: redis.url, models: { down: fails, limited, unknown: fails, answers: {} } },
  afterAll,
)

async function ask({ post }: Pick<TestService, 'post'>, body: object): Promise<string> {
  const answer = await post(path, body)
  // The form of Modelport's own answer.
  const { model } = (await answer.json()) as { model: string }
  return model
}

async function choicesOf(answer: Response): Promise<unknown> {
  return ((await answer.json()) as { choices: unknown }).choices
}

const askedOf = (name: string) => nodes.fake.requests.filter(({ model }) => model === name).length

/** Sets the models of both nodes, as if they had one database. */
async function useModels(names: readonly string[], router: object = {}): Promise<void> {
  const models = names.map((name) => `fake:${name}`)
  const input = { name: 'Test', strategy: 'priority' as const, models, ...router }
  for (const { service } of [nodes.one, nodes.two])
    await service.dashboard.updateRouter(nodes.routerId, input)
}

const text = (node: Pick<TestService, 'get'>) =>
  node.get('/metrics').then((answer) => answer.text())

test('a breaker that opens at one node opens at the other, which sends the model nothing', async () => {
  await useModels(['down', 'answers'])
  for (let time = 0; time < 5; time += 1) await ask(nodes.one, hello)
  const open = 'modelport_deployment_state{model="fake:down",state="open"} 1'
  await expect.poll(() => text(nodes.two)).toContain(open)

  expect(await ask(nodes.two, hello)).toBe('fake:answers')
  expect(askedOf('down')).toBe(5)
})

test('a pause that a provider asks of one node holds at the other', async () => {
  await useModels(['limited', 'answers'])
  await ask(nodes.one, hello)
  const cooling = 'modelport_deployment_state{model="fake:limited",state="cooling"} 1'
  await expect.poll(() => text(nodes.two)).toContain(cooling)

  expect(await ask(nodes.two, hello)).toBe('fake:answers')
  expect(askedOf('limited')).toBe(1)
})

/** New in each attempt: a node waits 20 ms for what another one stored, which may be too short on a busy machine. */
let attempt = 0

test('the model that called a tool at one node reads its result at the other', async () => {
  nodes.fake.setModel('unknown', {})
  const readsResult = async () => {
    const id = `call_${++attempt}`
    // Another conversation each time, or the wait below would be for a key that is there already.
    const question = { role: 'user', content: `Weather in Rome, ${attempt}?` }
    const call = { id, type: 'function', function: { name: 'weather', arguments: '{}' } }
    const result = [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: 'Sunny' },
    ]
    await useModels(['answers', 'unknown'])
    nodes.fake.setModel('answers', {
      toolCalls: [{ index: 0, id, name: 'weather', argumentPieces: ['{}'] }],
    })
    const before = redis.cli('KEYS', '*:conversation:*')
    expect(await ask(nodes.one, { messages: [question], tools })).toBe('fake:answers')
    await expect.poll(() => redis.cli('KEYS', '*:conversation:*')).not.toBe(before)
    nodes.fake.setModel('answers', {})
    await useModels(['unknown', 'answers'])
    return ask(nodes.two, { messages: [question, ...result], tools })
  }

  await expect.poll(readsResult).toBe('fake:answers')
  expect(await ask(nodes.two, hello)).toBe('fake:unknown')
})

test('a cached answer of one node is found by the other', async () => {
  await useModels(['answers'], { cacheTtlSeconds: 60 })
  const bothAnswers = async () => {
    const body = { messages: [{ role: 'user', content: `Hello ${++attempt}` }] }
    const before = redis.cli('KEYS', '*:answer:*')
    const first = await nodes.one.post(path, body)
    await expect.poll(() => redis.cli('KEYS', '*:answer:*')).not.toBe(before)
    const second = await nodes.two.post(path, body)
    expect(second.headers.get('x-modelport-cache')).toBe('hit')
    return Promise.all([first, second].map(choicesOf))
  }

  const [own, found] = await vi.waitFor(bothAnswers, 60_000)
  expect(found).toEqual(own)
})

test('a burst limit holds for both nodes together, and is divided while Valkey is gone', async () => {
  await useModels(['answers'], { requestsPerMinute: 6 })
  const statusOf = async ({ post }: Pick<TestService, 'post'>) => {
    const answer = await post(path, hello)
    await answer.text()
    return answer.status
  }
  for (let time = 0; time < 6; time += 1) expect(await statusOf(nodes.one)).toBe(200)
  await expect.poll(() => statusOf(nodes.two)).toBe(429)

  await redis.kill()
  await expect.poll(() => text(nodes.two)).toContain('modelport_shared_state_connected 0')
  expect(await text(nodes.two)).toContain('modelport_shared_state_nodes 2')
  const statuses = []
  for (let time = 0; time < 4; time += 1) statuses.push(await statusOf(nodes.two))
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(3)
  expect(statuses.at(-1)).toBe(429)
})
