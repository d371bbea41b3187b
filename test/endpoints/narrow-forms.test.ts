/** Requests of forms with wider limits at models that take OpenAI's: names of tools and stop sequences. */
import { expect, test } from 'vitest'
import type { FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { startWithMessagesUpstream } from './messages-upstream.ts'

/** As Claude Code names a tool of an MCP server. */
const long = 'mcp__a_server_with_a_long_name__a_tool_with_a_really_long_name_that_goes_on'
const short = 'mcp__a_server_with_a_long_name__a_tool_with_a_really_lo_ae68e630'
const stops = ['a', 'b', 'c', 'd', 'e']
const calling = (name: string): { models: Record<string, FakeModel> } => ({
  models: { one: { toolCalls: [{ id: 'call_a', name, argumentPieces: ['{"path":', '"a"}'] }] } },
})

const messages = {
  model: 'auto',
  max_tokens: 500,
  stop_sequences: stops,
  tools: [{ name: long, input_schema: { type: 'object' } }],
  tool_choice: { type: 'tool', name: long },
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: long, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' }] },
  ],
}

function gemini(name: string, allowed: string[] = [name]): object {
  return {
    generationConfig: { stopSequences: stops },
    tools: [{ functionDeclarations: [{ name }, { name: 'read' }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: allowed } },
    contents: [
      { role: 'user', parts: [{ text: 'Hello' }] },
      { role: 'model', parts: [{ functionCall: { name, args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name, response: { output: 'x' } } }] },
    ],
  }
}

/** What the upstream got. */
function sentBy({ fake }: TestService): Record<string, unknown> {
  return fake.requests.at(-1)?.body ?? {}
}

const called = (name: string) => ({
  stop: ['a', 'b', 'c', 'd'],
  tools: expect.arrayContaining([
    expect.objectContaining({ function: expect.objectContaining({ name }) }),
  ]),
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', tool_calls: [{ function: { name, arguments: '{}' } }] },
    { role: 'tool', content: 'x' },
  ],
})

test.each([true, false])(
  'Anthropic’s form: names are shortened and come back (stream %s)',
  async (stream) => {
    const started = await startTestService(calling(short))

    const answer = await started.post('v1/messages', { ...messages, stream })

    const text = await answer.text()
    expect(text).toContain(`"name":"${long}"`)
    expect(text).not.toContain(short)
    expect(sentBy(started)).toMatchObject(called(short))
    expect(sentBy(started)['tool_choice']).toEqual({ type: 'function', function: { name: short } })
    expect(JSON.stringify(sentBy(started))).not.toContain(long)
    const adjusted = answer.headers.get('x-modelport-adjusted') ?? ''
    expect(adjusted.split(', ')).toContain('stop=sent_as_first_4')
  },
)

test.each([
  ['generateContent', long, short],
  ['streamGenerateContent', long, short],
  ['generateContent', 'files.read:all', 'files_read_all'],
])('Gemini’s form: names are shortened and come back (%s, %s)', async (method, own, sent) => {
  const started = await startTestService(calling(sent))

  const answer = await started.post(`v1beta/models/auto:${method}`, gemini(own))

  const text = await answer.text()
  expect(text).toContain(`"name":"${own}"`)
  expect(text).not.toContain(sent)
  expect(sentBy(started)).toMatchObject(called(sent))
  expect(sentBy(started)['tool_choice']).toEqual({ type: 'function', function: { name: sent } })
  expect(JSON.stringify(sentBy(started))).not.toContain(own)
  const adjusted = answer.headers.get('x-modelport-adjusted') ?? ''
  expect(adjusted.split(', ')).toContain('stop=sent_as_first_4')
})

test('several allowed tools have the names by which they are offered', async () => {
  const started = await startTestService(calling(short))

  await started.post('v1beta/models/auto:generateContent', gemini(long, [long, 'read']))

  const tools = [short, 'read'].map((name) => ({ type: 'function', function: { name } }))
  expect(sentBy(started)['tool_choice']).toEqual({
    type: 'allowed_tools',
    allowed_tools: { mode: 'required', tools },
  })
})

test('names of the Responses form without a namespace are shortened as well', async () => {
  const started = await startTestService(calling(short))

  const answer = await started.post('v1/responses', {
    input: 'Hello',
    tools: [{ type: 'function', name: long, parameters: { type: 'object' } }],
  })

  expect(await answer.text()).toContain(`"name":"${long}"`)
  expect(sentBy(started)).toMatchObject({ tools: [{ function: { name: short } }] })
})

test('a provider of the caller’s form gets everything as it was, and its call is a good sign', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = [
    JSON.stringify({
      id: 'msg_upstream',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-8',
      content: [{ type: 'tool_use', id: 'toolu_2', name: long, input: { path: 'a' } }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 7, output_tokens: 1 },
    }),
  ]
  const { tool_choice: _, ...unforced } = messages
  const text = JSON.stringify(unforced)

  const headers = { 'x-modelport-explain': 'true' }
  const answer = await post('v1/messages', text, { headers })

  expect(upstream.requests[0]?.text).toBe(text.replace('"auto"', '"claude-opus-4-8"'))
  expect(answer.headers.get('x-modelport-adjusted') ?? '').not.toContain('stop')
  expect(await answer.json()).toMatchObject({
    content: [{ name: long }],
    _meta: { decision: { signals: [{ name: 'tool_call', label: 1 }] } },
  })
})
