/** What one vendor's form cannot carry, cuts off or refuses does not end the request. */
import { expect, test } from 'vitest'
import { eventsOf, startWithMessagesUpstream, streamed, whole } from './messages-upstream.ts'

const hi = [{ role: 'user', content: 'Hi' }]
const called = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }

/** An answer whose tool call ends within its JSON, because it reached its limit. */
function cutCall(name: string, partial_json: string): string[] {
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [] }
  const usage = { input_tokens: 7, output_tokens: 1 }
  const content_block = { type: 'tool_use', id: 'toolu_1', name, input: {} }
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'max_tokens', stop_sequence: null },
      usage: { output_tokens: 30_000 },
    },
    { type: 'message_stop' },
  ].map((event) => JSON.stringify(event))
}

test('what the first model’s form cannot carry goes to the next, and is a 400 when there is none', async () => {
  const models = { other: { text: 'From other' } }
  const { post, upstream, service, routerId } = await startWithMessagesUpstream({ models })
  const functions = [{ name: 'f', parameters: { type: 'object' } }]
  const body = { functions, messages: hi }

  const answered = await post('chat/completions', body)
  expect(answered.headers.get('x-modelport-fallback')).toContain('reason=unsupported')
  expect(await answered.json()).toMatchObject({ model: 'fake:other' })

  await service.dashboard.updateRouter(routerId, {
    name: 'Claude',
    strategy: 'priority',
    models: ['claude:claude-opus-4-8'],
  })
  const refused = await post('chat/completions', body)
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('the provider takes tools in place of functions')
  expect(upstream.requests).toEqual([])
})

test('a picture is a JPEG by its other name as well', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = [whole('Hello')]
  const image_url = { url: 'data:image/jpg;base64,/9j/4AAQSkZJRg==' }

  const answer = await post('chat/completions', {
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url }] }],
  })

  expect(answer.status).toBe(200)
  expect(upstream.requests[0]?.text).toContain('"media_type":"image/jpeg"')
})

test('a whole message whose tool call was cut off has its reason, its tokens and what came', async () => {
  const models = { other: { text: 'From other' } }
  const { post, upstream, ledger } = await startWithMessagesUpstream({ models })
  upstream.answer = cutCall('Write', '{"path":"a.txt","content":"lorem')

  const answer = await post('v1/messages', {
    max_tokens: 30_000,
    tools: [{ name: 'Write', input_schema: { type: 'object' } }],
    messages: hi,
  })

  expect(await answer.json()).toMatchObject({
    model: 'claude:claude-opus-4-8',
    stop_reason: 'max_tokens',
  })
  expect(await ledger(1)).toMatchObject([{ attempts: 1, reportedCompletionTokens: 30_000 }])
})

test('a custom tool’s call that was cut off ends for its length', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = cutCall('patch', '{"input":"lorem')

  const answer = await post('chat/completions', {
    stream: true,
    tools: [{ type: 'custom', custom: { name: 'patch' } }],
    messages: hi,
  })
  const text = await answer.text()

  expect(text).toContain('"finish_reason":"length"')
  expect(text).toContain('lorem')
  expect(text).not.toContain('"error"')
})

test('texts without a visible character are not sent to Claude', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = [whole('Hello')]

  await post('chat/completions', {
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    messages: [
      ...hi,
      { role: 'assistant', content: '\n\n', tool_calls: [called] },
      { role: 'tool', tool_call_id: 'c1', content: ' ' },
    ],
  })

  const { messages } = JSON.parse(upstream.requests[0]?.text ?? '') as { messages: unknown[] }
  expect(messages).toMatchObject([
    { content: [{ text: 'Hi' }] },
    { content: [{ type: 'tool_use' }] },
    { content: [{ type: 'tool_result' }] },
  ])
})

test('system prompts alone are Claude’s question', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = [whole('Hello')]

  await post('chat/completions', { messages: [{ role: 'system', content: 'Write a haiku.' }] })

  expect(JSON.parse(upstream.requests[0]?.text ?? '')).toMatchObject({
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Write a haiku.' }] }],
  })
})

test('a message never begins with a block of white space, whole or streamed', async () => {
  const call = { name: 'f', argumentPieces: ['{"p":1}'] }
  const models = { m: { text: '\n\n', toolCalls: [call] } }
  const { post, service, routerId } = await startWithMessagesUpstream({ models })
  const router = { name: 'Fake', strategy: 'priority' as const, models: ['fake:m'] }
  await service.dashboard.updateRouter(routerId, router)
  const body = {
    max_tokens: 100,
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
    messages: hi,
  }

  const { content } = (await (await post('v1/messages', body)).json()) as { content: unknown[] }
  const events = eventsOf(await (await post('v1/messages', { ...body, stream: true })).text())
  const started = events.filter(({ event }) => event === 'content_block_start')

  expect(content).toMatchObject([{ type: 'tool_use' }])
  expect(started.map(({ data }) => data['content_block'])).toMatchObject([{ type: 'tool_use' }])
})

test('a firewall’s page does not take the provider out of use', async () => {
  const { post, upstream, service, routerId } = await startWithMessagesUpstream()
  const other = await service.dashboard.createApiKey({ name: 'second', routers: [routerId] })
  upstream.status = 403
  upstream.answer = ['<html>Sorry, you have been blocked</html>']
  const blocked = await post('v1/messages', {
    max_tokens: 10,
    messages: [{ role: 'user', content: '../../etc/passwd' }],
  })
  upstream.status = 200
  upstream.answer = streamed('Hello')

  const headers = { authorization: `Bearer ${other.key}` }
  const answered = await post(
    'v1/messages',
    { max_tokens: 10, messages: hi, stream: true },
    { headers },
  )

  expect([blocked.status, answered.status]).toEqual([503, 200])
  expect(await answered.text()).toContain('Hello')
})
