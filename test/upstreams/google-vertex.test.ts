/** The suite of all wires over Gemini at Vertex AI, and what only Vertex AI has: access tokens and places. */
import { GoogleGenAI, type GenerateContentResponse } from '@google/genai'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Outbound } from '../../src/service/providers/outbound.ts'
import type { Provider } from '../../src/service/providers/provider.ts'
import type { HttpConnection } from '../../src/service/providers/wire.ts'
import { googleVertex, vertexBaseUrl } from '../../src/service/families/google/upstream/vertex.ts'
import { describeProvider } from './describe-provider.ts'
import { geminiFormat, readingOf, withUserText } from './google/fake.ts'
import { startTokenServer } from './google/token-server.ts'
import { answerOf, jsonReply, presetsOf, type FakeFormat, type WireHarness } from './harness.ts'
import type { Item, RequestMeaning } from './request-meaning.ts'
import { startWireServer, type WireServer } from './wire-server.ts'

const tokens = await startTokenServer()
afterAll(() => tokens.close())

const bearer = /^Bearer ya29\.token-\d+$/
const gemini = geminiFormat(({ headers }) =>
  bearer.test(headers.authorization ?? '') ? null : 'the access token is missing',
)
const format: FakeFormat = {
  ...gemini,
  problems(request) {
    const hasId = /"(functionCall|functionResponse)":\{"id"/.test(request.text)
    return [...gemini.problems(request), ...(hasId ? ['Unknown name "id"'] : [])]
  },
  models(names, { path }) {
    const start = Number(new URL(path, 'http://fake').searchParams.get('pageToken') ?? 0)
    const page = names.slice(start, start + 3).map((name) => `${modelPrefix}${name}`)
    const others = ['text-embedding-005', 'imagen-4.0', 'gemini-embedding-001']
    const isLast = start + 3 >= names.length
    return jsonReply(200, {
      publisherModels: [...page, ...others.map((name) => `publishers/google/models/${name}`)].map(
        (name) => ({ name }),
      ),
      ...(isLast ? {} : { nextPageToken: String(start + 3) }),
    })
  },
}

/** The suite's names are of no model that chats at Vertex AI, so its list names them as Gemini's. */
const modelPrefix = 'publishers/google/models/gemini-'

function createVertex(connection: HttpConnection): Provider {
  const provider = googleVertex.create(connection)
  const listModels = async (signal: AbortSignal) => {
    const names = await provider.listModels(signal)
    return names.map((name) => name.replace(/^gemini-/, ''))
  }
  return { ...provider, listModels }
}

/** Vertex AI knows calls by their names and their order. */
function withoutIds(meaning: RequestMeaning): RequestMeaning {
  const items = meaning.items.map((item): Item => {
    if (item.kind === 'call') return { ...item, id: '' }
    return item.kind === 'result' ? { ...item, callId: '' } : item
  })
  return { ...meaning, items }
}

function denied(code: number, status: string, details: readonly object[] = []) {
  return jsonReply(code, {
    error: { code, message: 'Request had invalid credentials.', status, details },
  })
}

const documentation =
  'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/api-errors'
const clientOf = (url: string) =>
  new GoogleGenAI({
    vertexai: true,
    apiKey: 'AIza-test',
    httpOptions: { baseUrl: url.replace(/\/v1$/, ''), apiVersion: 'v1' },
  })
const question = { model: 'gemini-3.5-flash', contents: 'Hello' }

const harness: WireHarness = {
  wire: googleVertex,
  presets: presetsOf('google-vertex'),
  basePath: '/v1',
  model: 'gemini-3.5-flash',
  options: { project: 'project-1' },
  apiKey: () => tokens.keyFile(),
  create: createVertex,
  format,
  differs: {
    'system prompts in several places': (meaning) => ({
      ...meaning,
      items: withUserText(meaning.items),
    }),
    'an automatic choice of tools': (meaning) => ({ ...meaning, toolChoice: null }),
    'one tool call at a time': 'left_out',
    'a logit bias': 'left_out',
    'cache marks': 'left_out',
    'a user': 'left_out',
  },
  normalize: withoutIds,
  unreported: ['cacheWriteTokens'],
  stops: [
    ['STOP', 'stop'],
    ['BRAND_NEW_REASON', 'BRAND_NEW_REASON'],
  ],
  errors: [
    {
      name: 'a token that is not accepted',
      source: documentation,
      reply: denied(401, 'UNAUTHENTICATED'),
      kind: 'auth',
    },
    {
      name: 'a service account without the role',
      source: documentation,
      reply: denied(403, 'PERMISSION_DENIED', [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'IAM_PERMISSION_DENIED',
          domain: 'aiplatform.googleapis.com',
        },
      ]),
      kind: 'auth',
    },
  ],
  retryAfter: [],
  streamErrors: [],
  optionalEvents: 0,
  sdk: {
    whole: async (url) => readingOf([await clientOf(url).models.generateContent(question)]),
    async streamed(url) {
      const responses: GenerateContentResponse[] = []
      for await (const response of await clientOf(url).models.generateContentStream(question)) {
        responses.push(response)
      }
      return readingOf(responses)
    },
  },
}

describeProvider('google-vertex', harness)

const outbound = new Outbound({
  use: null,
  proxyChoice: () => ({ setting: 'direct', env: {} }),
  extraRoots: async () => [],
})

interface Started {
  provider: Provider
  server: WireServer
  /** Unix milliseconds; tests move it. */
  clock: { nowMs: number }
}

async function startVertex(given: Partial<HttpConnection> = {}): Promise<Started> {
  const server = await startWireServer(format)
  server.script({ answer: answerOf({ texts: ['Hi'] }) })
  const clock = { nowMs: 1_800_000_000_000 }
  const provider = googleVertex.create({
    baseUrl: `${server.origin}/v1`,
    apiKey: () => tokens.keyFile(),
    privateNetwork: false,
    options: { project: 'project-1', location: 'europe-west4' },
    now: () => clock.nowMs,
    connector: (connectMs) =>
      outbound.connector({ id: 'providers', privateNetwork: false, connectMs }),
    ...given,
  })
  onTestFinished(async () => {
    await provider.close()
    await server.close()
  })
  return { provider, server, clock }
}

function ask({ provider }: Pick<Started, 'provider'>, signal = new AbortController().signal) {
  const body = { messages: [{ role: 'user' as const, content: 'Hello' }] }
  return provider.complete({ model: 'gemini-3.5-flash', body }, signal)
}

describe('the access token of a service account', () => {
  beforeEach(() => {
    tokens.claims.length = 0
    tokens.problems.length = 0
    tokens.reply = null
    tokens.gate = Promise.resolve()
  })

  test('is requested with a signed assertion, and sent with the request to the project', async () => {
    const started = await startVertex()

    await ask(started)

    expect(tokens.problems).toEqual([])
    expect(tokens.claims).toEqual([
      {
        iss: 'modelport@project-1.iam.gserviceaccount.com',
        scope: 'https://www.googleapis.com/auth/cloud-platform',
        aud: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/token$/),
        iat: 1_800_000_000,
        exp: 1_800_003_600,
      },
    ])
    expect(started.server.requests).toMatchObject([
      {
        path: '/v1/projects/project-1/locations/europe-west4/publishers/google/models/gemini-3.5-flash:generateContent',
        headers: { authorization: 'Bearer ya29.token-1' },
      },
    ])
  })

  test('is fetched once for requests at the same time', async () => {
    const started = await startVertex()

    await Promise.all(Array.from({ length: 20 }, () => ask(started)))

    expect(tokens.claims).toHaveLength(1)
    expect(started.server.requests).toHaveLength(20)
  })

  test('is used until five minutes before it expires', async () => {
    const started = await startVertex()
    await ask(started)

    started.clock.nowMs += (3599 - 300) * 1000 - 1
    await ask(started)
    expect(tokens.claims).toHaveLength(1)

    started.clock.nowMs += 1
    await ask(started)
    expect(tokens.claims).toHaveLength(2)
    expect(started.server.requests.at(-1)?.headers.authorization).toBe('Bearer ya29.token-2')
  })

  test('is fetched again for another key', async () => {
    let email = 'first@project-1'
    const started = await startVertex({ apiKey: () => tokens.keyFile(email) })
    await ask(started)

    email = 'second@project-1'
    await ask(started)

    expect(tokens.claims.map(({ iss }) => iss)).toEqual(['first@project-1', 'second@project-1'])
  })

  test('is fetched again after Vertex AI refused it', async () => {
    const started = await startVertex()
    started.server.script({ reply: denied(401, 'UNAUTHENTICATED') })
    await expect(ask(started)).rejects.toMatchObject({ kind: 'auth' })

    started.server.script({ answer: answerOf({ texts: ['Hi'] }) })
    await ask(started)

    expect(tokens.claims).toHaveLength(2)
  })

  test('is not waited for after an abort, and serves the other requests', async () => {
    const started = await startVertex()
    const { promise: opened, open } = gate()
    tokens.gate = opened
    const leaves = new AbortController()
    const left = ask(started, leaves.signal)
    const stays = ask(started)

    leaves.abort(new Error('the caller left'))
    await expect(left).rejects.toThrow('the caller left')
    open()

    await expect(stays).resolves.toMatchObject({ usage: { prompt_tokens: 120 } })
    expect(tokens.claims).toHaveLength(1)
  })

  test.each([
    [
      'an unknown account',
      400,
      { error: 'invalid_grant', error_description: 'Invalid grant: account not found' },
      'auth',
      '(invalid_grant)',
    ],
    [
      'a wrong clock',
      400,
      {
        error: 'invalid_grant',
        error_description:
          'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values.',
      },
      'unavailable',
      'clock',
    ],
    ['too many requests', 429, { error: 'rate_limit' }, 'rate_limit', 'status 429'],
    ['an error of the server', 503, {}, 'unavailable', 'status 503'],
    [
      'an answer without a token',
      200,
      { token_type: 'Bearer' },
      'invalid_response',
      'unknown form',
    ],
    [
      'a token with a line break',
      200,
      { access_token: 'a\nb', expires_in: 9 },
      'invalid_response',
      'unknown form',
    ],
  ])('%s (%s) is told, and tried again', async (_name, status, reply, kind, words) => {
    const started = await startVertex()
    tokens.reply = jsonReply(status, reply)
    await expect(ask(started)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(words),
    })

    tokens.reply = null
    await ask(started)

    expect(tokens.claims).toHaveLength(2)
  })

  test.each([
    ['no JSON', 'AIza-secret'],
    ['another kind of credentials', '{"type":"authorized_user","refresh_token":"secret"}'],
    ['no private key', tokens.keyFile().replace('BEGIN PRIVATE KEY', 'BEGIN secret')],
    [
      'an unencrypted token address',
      tokens.keyFile().replace(/http:[^"]*/, 'http://a.example/secret'),
    ],
  ])('a key with %s is rejected without repeating it', async (_name, key) => {
    const started = await startVertex({ apiKey: () => key })

    const failure = ask(started)

    await expect(failure).rejects.toMatchObject({ name: 'ProviderError', kind: 'auth' })
    await expect(failure).rejects.not.toThrow(/secret/)
    expect(tokens.claims).toEqual([])
  })

  test('is not repeated in an error that quotes it', async () => {
    const started = await startVertex()
    const message = 'Bad request with ya29.token-1'
    const reply = jsonReply(400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } })
    started.server.script({ reply })

    await expect(ask(started)).rejects.toMatchObject({ upstreamMessage: 'Bad request with …' })
  })
})

function gate() {
  let open = () => {}
  const promise = new Promise<void>((resolve) => {
    open = resolve
  })
  return { promise, open: () => open() }
}

test.each([
  ['global', 'aiplatform.googleapis.com'],
  ['europe-west4', 'europe-west4-aiplatform.googleapis.com'],
  ['eu', 'aiplatform.eu.rep.googleapis.com'],
])('the location %s is at %s', async (location, host) => {
  const hosts: string[] = []
  const started = await startVertex({
    baseUrl: vertexBaseUrl,
    apiKey: () => null,
    options: { project: 'project-1', location },
    connector: () => (target, callback) => {
      hosts.push(target.hostname)
      callback(new Error('not connected'), null)
    },
  })

  await expect(ask(started)).rejects.toMatchObject({ kind: 'network' })
  expect(hosts).toEqual([host])
})

test('a project is required', async () => {
  await expect(startVertex({ options: {} })).rejects.toThrow('set its option "project"')
})

test('a tuned model is an endpoint of the project', async () => {
  const { provider, server } = await startVertex()
  const body = { messages: [{ role: 'user' as const, content: 'Hello' }] }

  const refused = provider.complete({ model: 'endpoints/42', body }, new AbortController().signal)

  await expect(refused).rejects.toMatchObject({ status: 404 })
  expect(server.requests[0]?.path).toBe(
    '/v1/projects/project-1/locations/europe-west4/endpoints/42:generateContent',
  )
})
