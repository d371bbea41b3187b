/** Several keys of one provider, over real sockets: rejected, limited and revoked keys, and conversations. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../test-service.ts'

type Answer = (response: ServerResponse) => void

const answered: Answer = (response) => {
  const message = { role: 'assistant', content: 'Hi' }
  const choices = [{ index: 0, message, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  json(response, { choices, usage })
}
const rejected: Answer = (response) => {
  response.statusCode = 401
  json(response, { error: { message: 'Incorrect API key provided' } })
}
const limited: Answer = (response) => {
  response.writeHead(429, { 'retry-after': '20' })
  json(response, { error: { message: 'Rate limit reached' } })
}
const overloaded: Answer = (response) => {
  response.statusCode = 500
  json(response, { error: { message: 'internal' } })
}

function json(response: ServerResponse, value: unknown): void {
  if (!response.headersSent) response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}

/** An upstream whose answer depends on the key. */
async function startUpstream(script: Map<string, Answer>) {
  const chats: string[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const key = (request.headers.authorization ?? '').replace('Bearer ', '')
    request.resume()
    const answer = script.get(key) ?? rejected
    if (request.method === 'GET') {
      if (answer === rejected) rejected(response)
      else json(response, { data: [{ id: 'm' }] })
      return
    }
    chats.push(key)
    answer(response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { chats, url: `http://127.0.0.1:${port}/v1` }
}

async function startWith(answers: Record<string, Answer>) {
  const script = new Map(Object.entries(answers))
  const upstream = await startUpstream(script)
  const running = await startTestService()
  const { dashboard } = running.service
  const [first = '', ...others] = script.keys()
  await dashboard.addProvider({ id: 'team', type: 'openai', baseUrl: upstream.url, apiKey: first })
  for (const apiKey of others) await dashboard.addProviderKey('team', { apiKey })
  const figures = { inputUsdPerMtok: 1, outputUsdPerMtok: 1, contextTokens: 10_000 }
  await dashboard.saveModel({ id: 'team:m', ...figures })
  const router = await dashboard.createRouter({
    name: 'Pool',
    strategy: 'priority',
    models: ['team:m'],
  })
  const path = `${running.origin}/api/router/${router.id}/chat/completions`
  const ask = async (over: object = {}) => {
    const messages = [{ role: 'user', content: 'Hello' }]
    const response = await running.post(path, { messages, ...over })
    await response.text()
    return response.status
  }
  const keys = async () => (await dashboard.providers()).find(({ id }) => id === 'team')?.keys
  return { ...running, upstream, script, dashboard, ask, keys }
}

test('a 429 of one key is answered by the next key, in one attempt', async () => {
  const { ask, upstream, ledger } = await startWith({ 'sk-one': limited, 'sk-two': answered })

  expect(await ask()).toBe(200)
  expect(await ask()).toBe(200)

  expect(upstream.chats).toEqual(['sk-one', 'sk-two', 'sk-two'])
  const [row] = await ledger(2)
  expect(row?.attempts).toBe(1)
})

test('a revoked key takes only itself out, and the others answer', async () => {
  const { ask, upstream, keys, script } = await startWith({
    'sk-one': answered,
    'sk-two': answered,
  })
  await ask()
  await ask()
  script.set('sk-one', rejected)

  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200])

  expect(upstream.chats.slice(2)).toEqual(['sk-one', 'sk-two', 'sk-two', 'sk-two'])
  expect(await keys()).toMatchObject([
    { name: 'default', problem: 'key_rejected' },
    { name: 'key-2', problem: null },
  ])
})

test('when all keys are rejected the provider is out, until a key is replaced', async () => {
  const { ask, upstream, dashboard, script } = await startWith({
    'sk-one': rejected,
    'sk-two': rejected,
  })

  expect([await ask(), await ask()]).toEqual([503, 503])
  expect(upstream.chats).toEqual(['sk-one', 'sk-two'])

  script.set('sk-new', answered)
  await dashboard.setProviderKey('team', 'sk-new')
  expect(await ask()).toBe(200)
})

test('a test by the user gives a rejected key another chance', async () => {
  const { ask, keys, dashboard, script } = await startWith({
    'sk-one': rejected,
    'sk-two': answered,
  })
  await ask()
  script.set('sk-one', answered)

  await dashboard.testProvider('team')

  expect(await keys()).toMatchObject([{ problem: null }, { problem: null }])
})

test('a conversation stays with the key that answered it', async () => {
  const { ask, upstream } = await startWith({ 'sk-one': answered, 'sk-two': answered })
  const messages = [
    { role: 'user', content: 'First question' },
    { role: 'assistant', content: 'Answer' },
    { role: 'user', content: 'Second question' },
  ]

  await ask({ messages: messages.slice(0, 1) })
  for (let turn = 0; turn < 3; turn += 1) await ask({ messages })

  expect(new Set(upstream.chats)).toEqual(new Set(['sk-one']))
  await ask()
  expect(upstream.chats.at(-1)).toBe('sk-two')
})

test('a request that may have been answered is not sent with another key', async () => {
  const breaksOff: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"choices":', () => response.destroy())
  }
  const { ask, upstream } = await startWith({ 'sk-one': breaksOff, 'sk-two': overloaded })

  await ask()

  expect(upstream.chats[0]).toBe('sk-one')
  // The two retries of the only model are the attempts’ own, not a change of key.
  expect(upstream.chats.length).toBeLessThanOrEqual(3)
})

test('keys are listed by name, removed by name, and the last one stays', async () => {
  const { dashboard, keys, ask, upstream } = await startWith({
    'sk-one': answered,
    'sk-two': answered,
  })
  await dashboard.addProviderKey('team', { name: 'night', apiKey: 'sk-three' })
  expect((await keys())?.map(({ name }) => name)).toEqual(['default', 'key-2', 'night'])
  const again = { name: 'night', apiKey: 'sk-four' }
  await expect(dashboard.addProviderKey('team', again)).rejects.toMatchObject({ code: 'conflict' })

  await dashboard.removeProviderKey('team', 'default')
  await dashboard.removeProviderKey('team', 'night')

  await expect(dashboard.removeProviderKey('team', 'key-2')).rejects.toMatchObject({
    code: 'in_use',
  })
  await ask()
  expect(upstream.chats).toEqual(['sk-two'])
})
