/** OpenAI's SDK over upstreams of three forms: what each of them gets, and what comes back. */
import type { OpenAI } from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestService, type TestService } from '../test-service.ts'
import { anthropicFormat } from '../upstreams/anthropic/fake.ts'
import { answerOf, type AnswerMeaning, type FakeFormat } from '../upstreams/harness.ts'
import { openAiFormat } from '../upstreams/openai-chat/fake.ts'
import { responsesFormat } from '../upstreams/openai-responses/fake.ts'
import { startWireServer, type WireServer } from '../upstreams/wire-server.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const upstreams = [
  { type: 'anthropic', path: '', format: anthropicFormat, name: 'claude-sonnet-5-5' },
  { type: 'openai', path: '/v1', format: responsesFormat, name: 'gpt-5.5' },
  { type: 'openai-compatible', path: '/v1', format: openAiFormat, name: 'some-model' },
] as const
type Upstream = (typeof upstreams)[number]

const servers = new Map<string, WireServer>()
let started: TestService

const atEnd = endOfGroup()
beforeAll(async () => {
  started = await startTestService({}, atEnd)
  for (const upstream of upstreams) {
    const server = await startUpstream(upstream)
    servers.set(upstream.type, server)
    atEnd(() => server.close())
  }
  const models = upstreams.map(idOf)
  await started.service.dashboard.updateRouter(started.routerId, {
    name: 'All',
    strategy: 'priority',
    models,
  })
})

function idOf({ type, name }: Pick<Upstream, 'type' | 'name'>): string {
  return `${type}:${name}`
}

async function startUpstream({ type, path, format, name }: Upstream): Promise<WireServer> {
  const { dashboard } = started.service
  const server = await startWireServer(format)
  const baseUrl = `${server.origin}${path}`
  await dashboard.addProvider({ id: type, type, baseUrl, apiKey: 'sk-test' })
  await dashboard.saveModel({
    id: idOf({ type, name }),
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 200_000,
    capabilities: ['tools', 'vision', 'json'],
  })
  return server
}

const tool: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  strict: false,
}
const image = {
  type: 'input_image',
  image_url: 'data:image/png;base64,AAAA',
  detail: 'auto',
} as const

function serverOf({ type }: Upstream): WireServer {
  const server = servers.get(type)
  if (server === undefined) throw new Error(`no upstream ${type}`)
  return server
}

function answerWith(upstream: Upstream, answer: Partial<AnswerMeaning>): void {
  serverOf(upstream).script({ answer: answerOf(answer) })
}

function lastMeaning(upstream: Upstream): ReturnType<FakeFormat['read']> {
  const server = serverOf(upstream)
  expect(server.problems).toEqual([])
  const request = server.requests.at(-1)
  if (request === undefined) throw new Error('the upstream got no request')
  return upstream.format.read(request)
}

test.each(upstreams)(
  '$type: images, tools, results and calls, whole and streamed',
  async (upstream) => {
    const call = { id: 'call_2', name: 'read', arguments: '{"path":"b"}' }
    answerWith(upstream, { texts: ['Read', 'ing.'], toolCalls: [call] })
    const request = {
      model: idOf(upstream),
      instructions: 'Be brief.',
      tools: [tool],
      tool_choice: 'auto' as const,
      input: [
        { role: 'user' as const, content: [image, { type: 'input_text' as const, text: 'Look' }] },
        {
          type: 'function_call' as const,
          call_id: 'call_1',
          name: 'read',
          arguments: '{"path":"a"}',
        },
        { type: 'function_call_output' as const, call_id: 'call_1', output: 'A' },
      ],
    }
    const { responses } = started.openai()

    const whole = await responses.create(request)
    const streamed = await responses.stream(request).finalResponse()

    const meaning = lastMeaning(upstream)
    expect(meaning.tools).toMatchObject([{ name: 'read', description: 'Reads a file.' }])
    expect(meaning.items).toMatchObject([
      ...(upstream.type === 'openai' ? [] : [{ from: 'system', text: 'Be brief.' }]),
      { from: 'user', kind: 'image', base64: 'AAAA' },
      { from: 'user', kind: 'text', text: 'Look' },
      { kind: 'call', id: 'call_1', name: 'read', input: { path: 'a' } },
      { kind: 'result', callId: 'call_1', parts: [{ kind: 'text', text: 'A' }] },
    ])
    for (const answer of [whole, streamed]) {
      expect(answer).toMatchObject({ model: idOf(upstream), output_text: 'Reading.' })
      expect(answer.output.at(-1)).toMatchObject({
        type: 'function_call',
        call_id: 'call_2',
        name: 'read',
        arguments: call.arguments,
      })
    }
  },
)

test.each(upstreams)('$type: structured output is parsed, whole and streamed', async (upstream) => {
  answerWith(upstream, { texts: ['{"city":', '"Paris"}'] })
  const format = zodTextFormat(z.object({ city: z.string() }), 'place')
  const request = { model: idOf(upstream), input: 'Where?', text: { format } }
  const { responses } = started.openai()

  const whole = await responses.parse(request)
  const streamed = await responses.stream(request).finalResponse()

  expect([whole.output_parsed, streamed.output_parsed]).toEqual([
    { city: 'Paris' },
    { city: 'Paris' },
  ])
  expect(lastMeaning(upstream).format).toMatchObject({ schema: { required: ['city'] } })
})
