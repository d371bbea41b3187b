/** The bytes of answers, whole and streamed, wherever a deviation could break a tool (contract sections 3 and 4). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const streamed = { ...hello, stream: true }

let running: TestService
const atEnd = endOfGroup()
beforeAll(async () => {
  const models = { 'a/b:c': { text: 'One two.' }, plain: {} }
  running = await startTestService({ models }, atEnd)
})

interface Chunk {
  id: string
  object: string
  choices: { finish_reason: string | null; delta: object }[]
}

function chunksOf(body: string): Chunk[] {
  const events = body.split('\n\n').filter((event) => event.startsWith('data: {'))
  // Test boundary: the service's own events.
  return events.map((event) => JSON.parse(event.slice(6)) as Chunk)
}

describe('a stream', () => {
  test('has the headers that stop proxies from buffering it, and those of every answer', async () => {
    const { headers } = await running.post('chat/completions', streamed)

    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('x-ratelimit-limit-requests')).toBe('10000')
    expect(headers.get('ratelimit')).toMatch(/^"router-day";r=\d+;t=\d+$/)
  })

  test('has only data lines, each followed by an empty line', async () => {
    const answer = await running.post('chat/completions', streamed)

    expect(await answer.text()).toMatch(/^(data: \{.+\}\n\n)+data: \[DONE\]\n\n$/)
  })

  test('has the request id in the id of each chunk, and one finish reason', async () => {
    const answer = await running.post('chat/completions', streamed)
    const id = `chatcmpl-${answer.headers.get('x-request-id')}`
    const chunks = chunksOf(await answer.text())

    expect(chunks.filter((chunk) => chunk.id !== id)).toEqual([])
    expect(new Set(chunks.map(({ object }) => object))).toEqual(new Set(['chat.completion.chunk']))
    const reasons = chunks.map(({ choices }) => choices[0]?.finish_reason)
    expect(reasons).toEqual([...reasons.slice(1).map(() => null), 'stop'])
  })

  test('requests the usage from the upstream, whether or not the caller does', async () => {
    const { post, fake } = await startTestService()

    await (await post('chat/completions', streamed)).text()

    expect(fake.requests[0]?.body).toMatchObject({ stream_options: { include_usage: true } })
  })
})

describe('a model', () => {
  test('named in the request answers, and _meta reports it as pinned', async () => {
    const answer = await running.post('chat/completions', { ...hello, model: 'fake:plain' })

    expect(await answer.json()).toMatchObject({
      model: 'fake:plain',
      _meta: { modelUsed: 'fake:plain', routerDecision: 'pinned' },
    })
  })

  test('that is not in the router is a 404 that lists the router’s models', async () => {
    const answer = await running.post('chat/completions', { ...hello, model: 'gpt-4o' })

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'model_not_found',
        param: 'model',
        message: expect.stringContaining('auto, fake:a/b:c, fake:plain'),
      },
    })
  })

  test.each(['claude-x', 'fake:plain'])(
    'with any name, also %s, lets the router choose if the key allows it',
    async (model) => {
      const { key } = await running.service.dashboard.createApiKey({
        name: 'Connected',
        routers: 'all',
        acceptAnyModel: true,
      })
      const headers = { authorization: `Bearer ${key}` }

      const answer = await running.post('chat/completions', { ...hello, model }, { headers })

      expect(await answer.json()).toMatchObject({
        model: 'fake:a/b:c',
        _meta: { routerDecision: 'priority' },
      })
    },
  )
})

test.each([
  'models',
  'provider',
  'route',
  'plugins',
  'transforms',
  'api_base',
  'base_url',
  'api_key',
  'extra_headers',
  'extra_body',
  'fallbacks',
  'preset',
  'user_config',
  'custom_llm_provider',
  'deployment_id',
  'web_search_options',
  'MODEL',
  'Max_Tokens',
  'meſſages',
])('a body that sets the upstream with "%s" is a 400', async (field) => {
  const answer = await running.post('chat/completions', { ...hello, [field]: 'x' })

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { code: 'invalid_parameter', param: field } })
})

test('two limits of the answer that differ are a 400, because providers differ in which they obey', async () => {
  const limits = { max_completion_tokens: 1, max_tokens: 4_000 }
  const answer = await running.post('chat/completions', { ...hello, ...limits })

  expect(answer.status).toBe(400)
  const error = { code: 'invalid_parameter', param: 'max_tokens' }
  expect(await answer.json()).toMatchObject({ error })
})

describe('the models of a router', () => {
  test.each(['models', 'models/', 'v1/models', 'v1/models/'])(
    'are listed at %s, with the fields that tools read',
    async (path) => {
      const answer = await running.get(path)

      expect(await answer.json()).toMatchObject({
        object: 'list',
        data: [
          { id: 'auto', object: 'model', owned_by: 'modelport' },
          {
            id: 'fake:a/b:c',
            object: 'model',
            created: expect.any(Number),
            owned_by: 'fake',
            context_length: 100_000,
            pricing: { prompt: '0.000001', completion: '0.000002' },
            capabilities: ['tools', 'json', 'vision'],
          },
          { id: 'fake:plain' },
        ],
      })
    },
  )

  test.each(['models/fake:a/b:c', 'models/fake:a%2Fb:c', 'v1/models/fake%3Aa%2Fb%3Ac'])(
    'are found individually at %s',
    async (path) => {
      expect(await (await running.get(path)).json()).toMatchObject({ id: 'fake:a/b:c' })
    },
  )

  test('do not include a model with another name', async () => {
    const answer = await running.get('models/fake:nothing')

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'model_not_found' } })
  })
})

test('no file contains the question or the answer afterwards', async () => {
  const models = { secretive: { text: 'The answer is canary-answer.' } }
  const { post, ledger, dataDir } = await startTestService({ models })
  const messages = [{ role: 'user', content: 'Where is canary-question?' }]

  await (await post('chat/completions', { messages })).json()
  await (await post('chat/completions', { messages, stream: true })).text()
  await ledger(2)

  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const holding = files.filter(({ parentPath, name }) =>
    /canary-(question|answer)/.test(readFileSync(join(parentPath, name), 'latin1')),
  )
  expect(files.length).toBeGreaterThan(1)
  expect(holding.map(({ name }) => name)).toEqual([])
})
