/**
 * The built SDK against a running service, without any certificate variable. `npm run sdk` does the same with the
 * packed packages in empty projects, on every runtime.
 */
import { execFile, execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { APIConnectionError, APIUserAbortError, OpenAIError, RateLimitError } from 'openai'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hello } from '../../test/test-service.ts'
import { makeFetch } from '../src/transport/node.ts'
import { outputOf } from './examples.ts'
import { snippetsOf, startServiceForSdk, type ServiceForSdk } from './service-for-sdk.ts'
import { endOfGroup } from '../../test/rules/end-of-group.ts'

type Sdk = typeof import('../src/index.ts')

const folder = path.resolve(import.meta.dirname, '..')
const examples = readdirSync(path.join(folder, 'examples'))

let service: ServiceForSdk
let sdk: Sdk

const atEnd = endOfGroup()
beforeAll(async () => {
  execFileSync(process.execPath, [path.join(folder, 'build.mjs')])
  service = await startServiceForSdk(atEnd)
  sdk = (await import(path.join(folder, 'dist/index.js'))) as Sdk
})

beforeEach(() => {
  for (const [name, value] of Object.entries(service.environment)) vi.stubEnv(name, value)
  vi.stubEnv('OPENAI_API_KEY', 'sk-an-openai-key')
  vi.stubEnv('OPENAI_ORG_ID', 'org-of-openai')
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-openai-team: secret')
  return () => vi.unstubAllEnvs()
})

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => null,
    (error: unknown) => error,
  )
}

async function readToEnd(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const piece of stream) expect(piece).toBeDefined()
}

describe('a client from the environment', () => {
  test('answers with typed _meta, over the local authority that it finds itself', async () => {
    const answer = await new sdk.Modelport().chat.completions.create(hello)

    expect(answer.choices[0]?.message.content).toBe('Paris.')
    expect(answer._meta.modelUsed).toBe('fake:fake-model')
    expect(answer._meta.cost).toBeGreaterThan(0)
    expect(sdk.metaOf(answer)).toBe(answer._meta)
  })

  test('sends no variable of an OpenAI account', async () => {
    const headers: Headers[] = []
    const client = new sdk.Modelport({
      fetch: async (_url, init) => {
        headers.push(new Headers(init?.headers))
        return Response.json({ data: [] })
      },
    })

    await client.models.list()

    expect(headers[0]?.get('authorization')).toBe(`Bearer ${service.apiKey}`)
    expect(headers[0]?.get('openai-organization')).toBeNull()
    expect(headers[0]?.get('x-openai-team')).toBeNull()
  })

  test('an option wins over its variable, and an address may name the router', () => {
    const client = new sdk.Modelport({
      baseURL: 'https://localhost:1/api/router/router_other/v1/',
      apiKey: 'mp_other',
    })

    expect(client.baseURL).toBe('https://localhost:1/api/router/router_other/v1')
    expect(client.apiKey).toBe('mp_other')
    expect(client.withRouter('router_third').baseURL).toBe(
      'https://localhost:1/api/router/router_third/v1',
    )
    expect(client.withOptions({ baseURL: 'https://localhost:2' }).routerId).toBe('router_other')
  })

  test.each([
    ['MODELPORT_API_KEY', /needs a key: pass apiKey or set MODELPORT_API_KEY/],
    ['MODELPORT_ROUTER_ID', /needs a router: pass routerId or set MODELPORT_ROUTER_ID/],
  ])('without %s and its option, the constructor says what is missing', (variable, message) => {
    vi.stubEnv(variable, '')

    expect(() => new sdk.Modelport()).toThrow(message)
    expect(() => new sdk.Modelport({ apiKey: '', routerId: '' })).toThrow(OpenAIError)
  })
})

describe('certificates', () => {
  test('a file given with caFile is used, and changed options keep it', async () => {
    vi.stubEnv('XDG_CONFIG_HOME', '/nowhere')
    vi.stubEnv('HOME', '/nowhere')
    const endpoint = service.service.endpoint()
    const caFile = endpoint.status === 'listening' ? endpoint.caFile : ''

    const client = new sdk.Modelport({ caFile }).withOptions({ maxRetries: 0 })

    expect(await client.chat.completions.create(hello)).toHaveProperty('_meta')
  })

  test('a missing file is an error that names it and the option', async () => {
    const client = new sdk.Modelport({ caFile: '/nowhere/ca.pem', maxRetries: 0 })

    const error = await errorOf(client.chat.completions.create(hello))

    expect(error).toBeInstanceOf(APIConnectionError)
    expect(error).toHaveProperty(
      'cause.message',
      expect.stringMatching(/not trusted.+\/nowhere\/ca\.pem cannot be read\. Pass caFile/),
    )
  })

  test('another address is not trusted with the local authority', async () => {
    const client = new sdk.Modelport({ maxRetries: 0 })
    const elsewhere = client.baseURL.replace('localhost', '127.0.0.1')
    const get = client.get.bind(client)

    const error = await errorOf(get(`${elsewhere}/models`))

    expect(error).toBeInstanceOf(APIConnectionError)
    expect(error).toHaveProperty('cause.cause.code', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  })

  test('nothing listening is an error that says how to start Modelport', async () => {
    const client = new sdk.Modelport({ baseURL: 'https://localhost:1', maxRetries: 0 })

    const error = await errorOf(client.chat.completions.create(hello))

    expect(error).toHaveProperty(
      'cause.message',
      'Nothing listens at https://localhost:1. Start Modelport, or run “modelport serve”.',
    )
  })
})

describe('streams and aborts', () => {
  test('leaving a stream early closes the connection, and aborting ends the loop', async () => {
    const client = new sdk.Modelport()

    const stream = await client.chat.completions.create({ ...hello, stream: true })
    const pieces = []
    for await (const chunk of stream) {
      pieces.push(chunk.choices[0]?.delta.content ?? '')
      stream.controller.abort()
    }

    expect(pieces).toHaveLength(1)
  })

  test('an aborted request is an APIUserAbortError, and the upstream is cancelled', async () => {
    const client = new sdk.Modelport()
    const controller = new AbortController()
    const before = service.fake.requests.length

    const story = { messages: [{ role: 'user' as const, content: 'A story' }] }
    const call = client.chat.completions.create(story, { signal: controller.signal })
    await expect.poll(() => service.fake.requests.length).toBe(before + 1)
    controller.abort()

    expect(await errorOf(call)).toBeInstanceOf(APIUserAbortError)
    await expect.poll(() => service.fake.requests.at(-1)?.abortedAtMs).toEqual(expect.any(Number))
  })
})

describe('idempotency keys', () => {
  /** Loses the first answer after it arrived completely. */
  function losingFetch(): typeof fetch {
    const ownFetch = makeFetch({ origin: service.origin, caFile: undefined }) ?? fetch
    let isLost = false
    return async (input, init) => {
      const response = await ownFetch(input, init)
      const body = await response.arrayBuffer()
      if (isLost) return new Response(body, response)
      isLost = true
      throw new TypeError('terminated', { cause: { code: 'ECONNRESET' } })
    }
  }

  test('a request that is repeated because its answer was lost is paid once', async () => {
    const client = new sdk.Modelport({ fetch: losingFetch() })
    const before = service.fake.requestCount()

    const answer = await client.chat.completions.create(hello)

    expect(answer.choices[0]?.message.content).toBe('Paris.')
    expect(service.fake.requestCount()).toBe(before + 1)
  })

  test('the option of a request is sent, and two requests without it are two requests', async () => {
    const { completions } = new sdk.Modelport().chat
    const before = service.fake.requestCount()

    const first = await completions.create(hello, { idempotencyKey: 'order-1' })
    const second = await completions.create(hello, { idempotencyKey: 'order-1' })
    const third = await completions.create(hello)
    const fourth = await completions.create(hello)

    expect(second.id).toBe(first.id)
    expect(new Set([second.id, third.id, fourth.id]).size).toBe(3)
    expect(service.fake.requestCount()).toBe(before + 3)
  })
})

describe('errors', () => {
  test('are told apart by code, and keep the class of OpenAI’s SDK', async () => {
    const router = await service.service.dashboard.createRouter({
      name: 'Limited',
      strategy: 'priority',
      models: ['fake:fake-model'],
      tier: 'enterprise',
      dailyLimit: 1,
    })
    const client = new sdk.Modelport().withRouter(router.id)
    await client.chat.completions.create(hello)

    const error = await errorOf(client.chat.completions.create(hello))

    expect(error).toBeInstanceOf(RateLimitError)
    expect(sdk.isModelportError(error, 'daily_limit_exceeded')).toBe(true)
    expect(sdk.isModelportError(error, 'budget_exceeded', 'overloaded')).toBe(false)
    expect(sdk.isModelportError(error)).toBe(true)
    expect(sdk.isModelportError(new Error('other'))).toBe(false)
  })
})

describe('an error inside a stream', () => {
  test('ends the loop with its code and without a status', async () => {
    const broken = { ...hello, model: 'fake:broken', stream: true as const }
    const stream = await new sdk.Modelport().chat.completions.create(broken)

    const error = await errorOf(readToEnd(stream))

    expect(sdk.isModelportError(error, 'all_models_unavailable')).toBe(true)
    expect(error).toHaveProperty('status', undefined)
  })
})

describe('headers of a client', () => {
  test('tag, conversation and explain are sent, also by clients made from it', async () => {
    const sent: Headers[] = []
    const client = new sdk.Modelport({
      tag: 'one',
      conversation: 'c-1',
      explain: true,
      defaultHeaders: { 'X-Modelport-Tag': 'zero', 'x-mine': 'kept' },
      fetch: async (_url, init) => {
        sent.push(new Headers(init?.headers))
        return Response.json({ data: [] })
      },
    })

    await client.models.list()
    await client.withOptions({ tag: 'two', explain: false }).models.list()

    const names = ['x-modelport-tag', 'x-modelport-conversation', 'x-modelport-explain', 'x-mine']
    const values = sent.map((headers) => names.map((name) => headers.get(name)))
    expect(values).toEqual([
      ['one', 'c-1', 'true', 'kept'],
      ['two', 'c-1', null, 'kept'],
    ])
  })
})

describe('examples', () => {
  test.each(examples)('%s prints what its service answers', async (name) => {
    const expected = outputOf(name)
    const { stdout } = await promisify(execFile)(process.execPath, [path.join('examples', name)], {
      cwd: folder,
      env: { ...service.environment, PATH: process.env['PATH'] ?? '' },
    })

    expect(stdout).toMatch(expected ?? /no output is expected of this example/)
  })
})

test('the snippet of “modelport connect” prints an answer', async () => {
  const { variables, program } = await snippetsOf(service, 'modelport-js')
  const command = `${variables}\nexec '${process.execPath}' --input-type=module -e "$PROGRAM"`

  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    cwd: folder,
    env: { ...service.folders, PATH: process.env['PATH'], PROGRAM: program },
  })

  expect(stdout).toMatch(/^Paris\. \{\s+modelUsed: 'fake:fake-model'/)
})
