/** The vendors' own counts of tokens: which request each wire sends, and how it reads the answer. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Wire } from '../../src/service/providers/wire.ts'
import { anthropic } from '../../src/service/families/anthropic/upstream/anthropic.ts'
import { bedrock } from '../../src/service/families/bedrock/upstream/bedrock.ts'
import { google } from '../../src/service/families/google/upstream/google.ts'
import { openAi } from '../../src/service/families/openai-responses/upstream/openai.ts'
import { createAdapter } from './read-answer.ts'

let answer: object = {}
const requests: { path: string; body: unknown }[] = []
const server = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    const text = Buffer.concat(pieces).toString()
    requests.push({ path: request.url ?? '', body: JSON.parse(text) as unknown })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const body = {
  messages: [
    { role: 'system' as const, content: 'Be short.' },
    { role: 'user' as const, content: 'Hello' },
  ],
  temperature: 0.5,
  max_tokens: 10,
}

interface Counter {
  wire: Wire
  model: string
  options?: Readonly<Record<string, string>>
  basePath: string
  reply: object
  sent: { path: string; body: object }
}

const counters: [name: string, counter: Counter][] = [
  [
    'anthropic',
    {
      wire: anthropic,
      model: 'claude-opus-4-8',
      basePath: '',
      reply: { input_tokens: 12 },
      sent: {
        path: '/v1/messages/count_tokens',
        body: {
          model: 'claude-opus-4-8',
          system: [{ type: 'text', text: 'Be short.' }],
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
        },
      },
    },
  ],
  [
    'google',
    {
      wire: google,
      model: 'gemini-3-pro',
      basePath: '/v1beta',
      reply: { totalTokens: 12 },
      sent: {
        path: '/v1beta/models/gemini-3-pro:countTokens',
        body: {
          generateContentRequest: {
            model: 'models/gemini-3-pro',
            contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
            systemInstruction: { parts: [{ text: 'Be short.' }] },
          },
        },
      },
    },
  ],
  [
    'bedrock',
    {
      wire: bedrock,
      model: 'anthropic.claude-opus-4-8',
      options: { region: 'eu-central-1' },
      basePath: '',
      reply: { inputTokens: 12 },
      sent: {
        path: '/model/anthropic.claude-opus-4-8/count-tokens',
        body: {
          input: {
            converse: {
              system: [{ text: 'Be short.' }],
              messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
            },
          },
        },
      },
    },
  ],
  [
    'openai',
    {
      wire: openAi,
      model: 'gpt-5.5',
      basePath: '/v1',
      reply: { object: 'response.input_tokens', input_tokens: 12 },
      sent: { path: '/v1/responses/input_tokens', body: { model: 'gpt-5.5' } },
    },
  ],
]

test.each(counters)('%s counts a prompt without its sampling', async (_name, counter) => {
  const { wire, model, options = {}, basePath, reply, sent } = counter
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  const provider = createAdapter({ wire, basePath, options }, `http://127.0.0.1:${port}`)
  onTestFinished(() => provider.close())
  answer = reply

  const tokens = await provider.countTokens?.({ model, body }, AbortSignal.timeout(60_000))

  expect(tokens).toBe(12)
  const last = requests.at(-1)
  expect(last).toMatchObject(sent)
  for (const name of ['temperature', 'max_tokens', 'max_output_tokens', 'stream', 'store']) {
    expect(last?.body).not.toHaveProperty(name)
  }
})

test('an answer without a count is a failure', async () => {
  // A listening TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  const provider = createAdapter(
    { wire: anthropic, basePath: '', options: {} },
    `http://127.0.0.1:${port}`,
  )
  onTestFinished(() => provider.close())
  answer = { input_tokens: 'many' }

  const counted = provider.countTokens?.({ model: 'm', body }, AbortSignal.timeout(60_000))

  await expect(counted).rejects.toMatchObject({ kind: 'invalid_response' })
})
