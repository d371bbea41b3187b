/** The description of the API: a valid OpenAPI 3.1 document, and true of real answers. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from './end-of-group.ts'

interface Described {
  servers: { url: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, object>; responses: Record<string, DescribedAnswer> }
}

interface DescribedOperation {
  operationId?: string
  responses: Record<string, DescribedAnswer>
}

interface DescribedAnswer {
  $ref?: string
  content: Record<string, { schema: object }>
}

let running: TestService
let document: Described
const ajv = new Ajv2020({ strict: false, validateFormats: false })

const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService({ models: { one: { text: 'Hi.' }, vectors: {} } }, atEnd)
  const figures = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 1_000 }
  await running.service.dashboard.saveModel({
    id: 'fake:vectors',
    ...figures,
    capabilities: ['embeddings'],
  })
  document = (await (await running.get('v1/openapi.json')).json()) as Described
  ajv.addSchema({ $id: 'openapi', ...document })
})

test('is a valid OpenAPI 3.1 document', async () => {
  const { valid, errors } = await new Validator().validate({ ...document })

  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
})

test('names the router’s own address, and each operation once', () => {
  expect(document.servers).toEqual([{ url: running.routerUrl }])
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const ids = operations.flatMap(({ operationId }) => operationId ?? [])
  expect(new Set(ids).size).toBe(ids.length)
})

test('needs a key of the router', async () => {
  const { status } = await running.get('openapi.json', { headers: { authorization: '' } })

  expect(status).toBe(401)
})

test('each schema is valid JSON Schema', () => {
  for (const name of Object.keys(document.components.schemas)) {
    expect(ajv.getSchema(`openapi#/components/schemas/${name}`)).toBeTypeOf('function')
  }
})

/** What the schema of an answer refuses; empty when the description is true. */
function problemsOf(schema: string, answer: unknown): unknown[] {
  const validate = ajv.getSchema(schema)
  if (!validate) throw new Error(`there is no schema ${schema}`)
  return validate(answer) === true ? [] : (validate.errors ?? [])
}

function answerSchema(method: string, path: string, status: number): string {
  const answers = document.paths[path]?.[method]?.responses ?? {}
  const { $ref } = answers[status] ?? {}
  const escaped = path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
  const place = $ref ?? `#/paths/${escaped}/${method}/responses/${status}`
  return `openapi${place}/content/application~1json/schema`
}

const anthropic = { 'anthropic-version': '2023-06-01' }
const message = { ...hello, max_tokens: 10 }
const generate = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
const preview = { 'x-modelport-preview': 'true' }

type Case = [path: string, body: object, headers?: Record<string, string>]
const posted: Case[] = [
  ['/v1/chat/completions', hello],
  ['/chat/completions', hello, preview],
  ['/v1/chat/completions', hello, { 'x-modelport-explain': 'true' }],
  ['/v1/completions', { prompt: 'Hello' }],
  ['/v1/responses', { input: 'Hello' }],
  ['/v1/messages', message],
  ['/v1/messages/count_tokens', hello],
  ['/v1/embeddings', { input: 'Hello' }],
  ['/v1beta/models/{model}:generateContent', generate],
  ['/v1beta/models/{model}:streamGenerateContent', generate],
  ['/v1beta/models/{model}:countTokens', generate],
]

describe('real answers are as described:', () => {
  test.each(posted)('POST %s with %j', async (path, body, headers = {}) => {
    const answer = await running.post(path.slice(1).replace('{model}', 'auto'), body, { headers })

    expect(answer.status).toBe(200)
    expect(problemsOf(answerSchema('post', path, 200), await answer.json())).toEqual([])
  })

  test.each<[path: string, described: string, headers: Record<string, string>]>([
    ['v1/models', '/v1/models', {}],
    ['v1/models', '/v1/models', anthropic],
    ['v1/models/fake:one', '/v1/models/{id}', {}],
    ['v1/models/auto', '/v1/models/{id}', anthropic],
  ])('GET %s as %s with %j', async (path, described, headers) => {
    const answer = await running.get(path, { headers })

    expect(answer.status).toBe(200)
    expect(problemsOf(answerSchema('get', described, 200), await answer.json())).toEqual([])
  })

  test('the record of a request', async () => {
    const { headers } = await running.post('chat/completions', hello)
    await running.ledger(1)
    const record = await running.get(`v1/requests/${headers.get('x-request-id')}`)

    const schema = answerSchema('get', '/v1/requests/{request_id}', 200)
    expect(problemsOf(schema, await record.json())).toEqual([])
  })

  test.each<[path: string, schema: string, body: object]>([
    ['v1/chat/completions', 'ChatCompletionChunk', hello],
    ['v1/completions', 'TextCompletion', { prompt: 'Hello' }],
  ])('the chunks of %s', async (path, name, body) => {
    const stream = { stream: true, stream_options: { include_usage: true } }
    const text = await (await running.post(path, { ...body, ...stream })).text()
    const chunks = text.split('\n\n').filter((event) => event.startsWith('data: {'))

    expect(chunks.length).toBeGreaterThan(2)
    for (const chunk of chunks) {
      expect(problemsOf(`openapi#/components/schemas/${name}`, JSON.parse(chunk.slice(6)))).toEqual(
        [],
      )
    }
  })

  test.each<[path: string, body: object, headers: Record<string, string>]>([
    ['/v1/chat/completions', {}, {}],
    ['/v1/chat/completions', hello, { authorization: 'Bearer mp_wrong' }],
    ['/v1/chat/completions', { ...hello, model: 'none:such' }, {}],
    ['/v1/responses', { input: 3 }, {}],
    ['/v1/messages', {}, {}],
    ['/v1beta/models/{model}:generateContent', {}, {}],
    ['/v1/messages', message, { authorization: 'Bearer mp_wrong' }],
  ])('errors of %s for %j with %j', async (path, body, headers) => {
    const answer = await running.post(path.slice(1), body, { headers })

    expect(answer.status).toBeGreaterThan(399)
    expect(problemsOf(answerSchema('post', path, answer.status), await answer.json())).toEqual([])
  })
})

const unknownParts: Case = [
  '/v1/chat/completions',
  { messages: [{ role: 'ipython', content: [{ type: 'video_url', video_url: { url: 'x' } }] }] },
]

test.each([...posted, unknownParts])(
  'the body of POST %s passes the schema that is described (%j)',
  (path, body) => {
    const escaped = path.replaceAll('/', '~1')
    const schema = `openapi#/paths/${escaped}/post/requestBody/content/application~1json/schema`

    expect(problemsOf(schema, body)).toEqual([])
    expect(problemsOf(schema, { ...body, stream: 3, model: 3, contents: 3 })).not.toEqual([])
  },
)
