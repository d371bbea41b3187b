/** docs/api.md and the program must agree: each entry of one is in the other. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Idempotency } from '../../src/service/chat/kept-answers/idempotency.ts'
import { IdempotencyMemory } from '../../src/service/storage/idempotency-memory.ts'
import { Recordings } from '../../src/service/chat/kept-answers/recordings.ts'
import { errorCodes, ServiceError } from '../../src/service/errors.ts'
import { ActiveRequests } from '../../src/service/http/answers/active-requests.ts'
import { indexConfiguration } from '../../src/service/storage/live-configuration.ts'
import { openTrustedProxies } from '../../src/service/http/sockets/trusted-proxies.ts'
import { createApp } from '../../src/service/http/app.ts'
import { openApiDocument } from '../../src/service/http/openapi/document.ts'
import { exposedHeaders } from '../../src/service/http/checks/cors.ts'
import { explainedDetailSchema } from '../../src/shared/requests/detail.ts'
import { strategyNames } from '../../src/shared/routers/strategy-names.ts'

const docs = readFileSync(path.resolve(import.meta.dirname, '../../docs/api.md'), 'utf8')

/** The rows of the tables, as the texts of their cells, without code marks. */
const rows = docs
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  )

describe('error codes', () => {
  const documented = rows.filter(([status]) => /^\d{3}$/.test(status ?? ''))

  test('the table lists each code of errors.ts once, and no others', () => {
    expect(documented.map(([, , code = '']) => code).toSorted()).toEqual(errorCodes.toSorted())
  })

  test.each(errorCodes)('%s is listed with its status and type', (code) => {
    const error = new ServiceError(code, '')
    const row = documented.find(([, , documentedCode]) => documentedCode === code)

    expect(row?.slice(0, 2)).toEqual([String(error.status), error.toBody().error.type])
  })
})

describe('routes', () => {
  const documented = rows
    .filter(([method]) => method === 'GET' || method === 'POST')
    .map(([method, address]) => ({ method: method ?? '', address: address ?? '' }))
  /** Matches an address that Gemini's methods follow, too. */
  const withGemini = /\/models\/\{id\}$/
  let app: FastifyInstance
  let base = ''

  beforeAll(async () => {
    app = await createApp(appOptions)
    base = await app.listen({ port: 0, host: '127.0.0.1' })
  })

  afterAll(() => app.close())

  test('the table lists each address of the application, and no others', () => {
    const served = addressesOf(app.printRoutes({ commonPrefix: false }))

    expect(unique(served)).toEqual(unique(documented.map(({ address }) => address)))
  })

  test('the OpenAPI document has each address of a router, and no others', () => {
    const router = '/api/router/{router_id}'
    const { paths } = openApiDocument('') as { paths: object }
    const served = addressesOf(app.printRoutes({ commonPrefix: false }))
    const ofRouter = served.filter((address) => address.startsWith(router))

    expect(
      Object.keys(paths)
        .map((address) => router + address)
        .toSorted(),
    ).toEqual(unique(ofRouter))
  })

  test.each(documented)('$address accepts $method and no other method', async (route) => {
    const address = route.address
      .replace('{router_id}', 'router_1')
      .replace(/\{(id|model)\}/, 'a:b')
    const response = await fetch(`${base}${address}`, { method: 'DELETE' })

    expect(response.status).toBe(405)
    const methods = withGemini.test(route.address) ? 'GET, POST' : route.method
    expect(response.headers.get('allow')).toBe(methods)
  })
})

test('web pages from allowed origins may read every header of the table', () => {
  const start = docs.indexOf('## Headers of answers')
  const table = docs.slice(start, docs.indexOf('\n## ', start))
  const documented = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => line.split('|')[1]?.match(/(?<=`)[a-z-]+/g) ?? [])

  expect(documented).toContain('x-request-id')
  expect(exposedHeaders.split(', ')).toEqual(expect.arrayContaining(documented))
})

test('the table of _meta lists each value of routerDecision, and no others', () => {
  const [row = ''] = docs.split('\n').filter((line) => line.startsWith('| `routerDecision`'))
  const [, ...values] = row.match(/(?<=`)[a-z_]+(?=`)/gi) ?? []

  expect(values.toSorted()).toEqual([...strategyNames, 'pinned'].toSorted())
})

/** Fastify prints a tree: each line continues the line it is indented under. */
function addressesOf(tree: string): string[] {
  const branch: string[] = []
  const addresses: string[] = []
  for (const line of tree.split('\n').filter(Boolean)) {
    const [indent = ''] = /^[│├└─ ]*/.exec(line) ?? []
    const [name = '', methods] = line.slice(indent.length).split(' (')
    branch.splice(indent.length / 4 - 1, Infinity, name)
    if (methods !== undefined) addresses.push(branch.join(''))
  }
  const named = addresses.map((url) =>
    url
      .replace(':routerId', '{router_id}')
      .replace(':requestId', '{request_id}')
      .replace(/\/?\*/, '/{id}'),
  )
  return named.flatMap((url) => (url === '/{id}' ? geminiMethods : url))
}

/**
 * One route has all of them, because the method follows the last colon of the address. The printed tree leaves out the
 * beginning of a branch that has nothing but a wildcard.
 */
const geminiMethods = ['generateContent', 'streamGenerateContent', 'countTokens'].map(
  (method) => `/api/router/{router_id}/v1beta/models/{model}:${method}`,
)

function unique(items: readonly string[]): string[] {
  return [...new Set(items)].toSorted()
}

const configuration = indexConfiguration({
  version: 0,
  providers: [],
  models: [],
  listedModels: {},
  routers: [],
  apiKeys: [],
  agents: [],
  settings: {},
})

/** Options of an application that only has to list its addresses. */
const appOptions: Parameters<typeof createApp>[0] = {
  serverFactory: (handler) => createServer(handler),
  configuration: () => configuration,
  compareConfiguration: () => unused('compareConfiguration'),
  answerChat: { admit: () => unused('answerChat') },
  previewChat: () => unused('previewChat'),
  countTokens: () => unused('countTokens'),
  embeddings: { admit: () => unused('embeddings') },
  previewEmbeddings: () => unused('previewEmbeddings'),
  activeRequests: new ActiveRequests(() => ({ total: 1, perKey: 1 })),
  idempotency: new Idempotency({ mayAsk: () => true, store: new IdempotencyMemory(() => 0) }),
  recordings: new Recordings(),
  quotaState: () => unused('quotaState'),
  ledger: { get: () => unused('ledger') },
  executions: { get: () => unused('executions') },
  refusals: { get: () => unused('refusals') },
  metrics: { text: () => unused('metrics') },
  modelsOf: () => unused('modelsOf'),
  eligibleModelsOf: () => unused('eligibleModelsOf'),
  hosts: () => ['127.0.0.1'],
  proxies: openTrustedProxies([]),
  unreadiness: () => null,
  connections: { isRefused: () => false, countRequest: () => 'more' },
  wrongKeyDelay: { wrongKey: () => unused('wrongKeyDelay') },
  allowedOrigins: () => [],
  onRefused: () => {},
  onKeyUse: () => {},
  onRefusal: () => {},
  newRequestId: () => 'request-1',
  bodyLimitBytes: () => 1024,
  now: () => 0,
  stallMs: 1_000,
  onBug: (error) => {
    throw error
  },
}

function unused(name: string): never {
  throw new Error(`${name} is not asked when only addresses are`)
}

test('the table of a request’s detail lists each of its fields, and no others', () => {
  const [, section = ''] = docs.split('## A finished request')
  const [table = ''] = section.split('With the request header')
  const cells = table.split('\n').flatMap((line) => line.match(/^\| (`[^|]+`) /)?.[1] ?? [])
  const documented = cells.flatMap((cell) => cell.replaceAll('`', '').trim().split(', '))
  expect(documented.toSorted()).toEqual(Object.keys(explainedDetailSchema.shape).toSorted())
})
