/** Provider options: which are accepted, which are refused and why, and how they are sent. */
import { expect, test } from 'vitest'
import {
  createProvider,
  findProviderType,
  providerTypes,
} from '../provider-types/provider-types.ts'
import { checkOptions, wireOptions } from './options.ts'

const check = (type: string, options: Record<string, string>) =>
  checkOptions(options, findProviderType(type)?.options ?? [])

test.each([
  [
    'openai',
    { organization: 'org-AbCdEfGhIjKlMnOpQrStUvWx', project: 'proj_AbCdEfGhIjKlMnOpQrSt' },
  ],
  ['openrouter', { referer: 'https://example.com', title: 'My app' }],
  ['openai-compatible', { 'api-version': '2024-10-21', 'key-header': 'api-key' }],
  ['litellm', { 'models-of': 'openai', 'model.our-gpt': 'openai:gpt-5' }],
  ['ollama', { context: '16384', slots: '2' }],
  ['openai-compatible', { 'header.X-Team': 'search', 'header.HTTP-Referer': 'https://a.example' }],
])('%s accepts %j', (type, options) => {
  expect(check(type, options)).toEqual(options)
})

test.each<[string, Record<string, string>, string, RegExp]>([
  ['ollama', { slots: '0' }, 'slots', /whole number from 1 to 256/],
  ['ollama', { context: '4k' }, 'context', /whole number/],
  ['vllm', { context: '4096' }, 'context', /, slots$/],
  ['openai', { organisation: 'org-1' }, 'organisation', /takes organization, project, api$/],
  ['groq', { project: 'p' }, 'project', /takes no options/],
  ['openai', { 'header.X-A': 'b' }, 'header.X-A', /takes organization, project, api$/],
  ['openai', { constructor: 'x' }, 'constructor', /takes organization/],
  ['openai-compatible', { x: 'y' }, 'x', /takes api-version, key-header, header.<Name>/],
  ['openai', { api: 'completions' }, 'api', /chat or responses/],
  ['openai', { project: '' }, 'project', /1 to 500/],
  ['openai', { project: 'a\r\nx-evil: 1' }, 'project', /one line/],
  ['openai', { project: 'p'.repeat(501) }, 'project', /1 to 500/],
  ['openai', { project: 'sk-proj-0123456789abcdef' }, 'project', /looks like a secret/],
  ['openrouter', { title: 'Bearer abc' }, 'title', /looks like a secret/],
  [
    'openai-compatible',
    { 'header.Authorization': 'x' },
    'header.Authorization',
    /carries a secret/,
  ],
  ['openai-compatible', { 'header.X-Api-Key': 'x' }, 'header.X-Api-Key', /key-header/],
  ['openai-compatible', { 'header.Cookie': 'x' }, 'header.Cookie', /carries a secret/],
  ['openai-compatible', { 'header.Host': 'x' }, 'header.Host', /set by the program/],
  ['openai-compatible', { 'header.Content-Length': '1' }, 'header.Content-Length', /program/],
  ['openai-compatible', { 'header.a b': 'x' }, 'header.a b', /not the name of a header/],
  ['openai-compatible', { 'header.': 'x' }, 'header.', /not the name of a header/],
  ['openai-compatible', { 'key-header': 'Host' }, 'key-header', /set by the program/],
  ['litellm', { 'model.our gpt': 'openai:gpt-5' }, 'model.our gpt', /no spaces/],
  ['litellm', { 'model.our-gpt': 'gpt-5' }, 'model.our-gpt', /such as openai:gpt-5/],
  ['litellm', { 'model.': 'openai:gpt-5' }, 'model.', /1 to 94/],
  ['bedrock', { region: 'Frankfurt' }, 'region', /a form such as us-east-1/],
  ['bedrock', { region: 'us-east-1.evil.example' }, 'region', /a form such as us-east-1/],
  ['bedrock', { credentials: 'all' }, 'credentials', /the only value is default-chain/],
  ['bedrock', { profile: 'AKIAIOSFODNN7EXAMPLE' }, 'profile', /looks like a secret/],
  ['google-vertex', { location: 'evil.test/?' }, 'location', /such as europe-west4/],
  ['google-vertex', { location: 'evil.test#' }, 'location', /such as europe-west4/],
  ['google-vertex', { location: 'a@evil.test:443/' }, 'location', /such as europe-west4/],
])('%s refuses %j', (type, options, option, words) => {
  expect(() => check(type, options)).toThrow(
    expect.objectContaining({ option, message: expect.stringMatching(words) }),
  )
})

/**
 * `slots` is read where requests are queued, `context` by Ollama's wire, `location` by Vertex AI's, and `region`,
 * `profile` and `credentials` by Bedrock's. `api` chooses a wire (openai.test.ts), the others prices and facts
 * (whose-models.test.ts).
 */
const otherOptions = new Set(
  'slots context location region profile credentials api models-of model.*'.split(' '),
)

test('every declared option changes the request', () => {
  const names = providerTypes.flatMap(({ options }) => options.map(({ name }) => name))
  const declared = [...new Set(names)].filter((name) => !otherOptions.has(name))

  expect(declared).toHaveLength(7)
  for (const name of declared) {
    const { headers, query, keyHeader } = wireOptions({ [name.replace('*', 'x-any')]: 'value' })
    expect([headers, query, keyHeader]).not.toEqual([null, '', null])
  }
})

test('without options a request has no extra headers', () => {
  expect(wireOptions({})).toEqual({ headers: null, query: '', keyHeader: null })
})

const hostile = ['evil.test', 'evil.test/#', 'x@evil.test/', 'https://evil.test/', 'evil.test?']
const choices = providerTypes
  .filter(({ isLocal }) => !isLocal)
  .flatMap(({ type, options }) => options.map(({ name }) => ({ type, name })))

test.each(choices)('$name of $type leads no request to another host', async ({ type, name }) => {
  const hosts = new Set<string>()
  for (const value of hostile) {
    const options = { project: 'p', [name.replace('*', 'x-any')]: value }
    try {
      check(type, { [name.replace('*', 'x-any')]: value })
    } catch {
      continue
    }
    const provider = createProvider(type, {
      baseUrl: findProviderType(type)?.baseUrl ?? 'https://own.test/v1',
      apiKey: () => 'AKIDEXAMPLE:secret',
      privateNetwork: false,
      options,
      now: () => 0,
      // Not the built-in model.
      localModel: undefined as never,
      connector: () => (target, callback) => {
        hosts.add(target.hostname)
        callback(new Error('not connected'), null)
      },
    })
    await expect(provider.listModels(AbortSignal.timeout(5_000))).rejects.toBeInstanceOf(Error)
    await provider.close()
  }

  expect([...hosts].filter((host) => host.includes('evil'))).toEqual([])
})
