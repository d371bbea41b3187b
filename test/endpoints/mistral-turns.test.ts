/** Conversations with tools at Mistral, which takes other ids and turns than OpenAI. */
import { expect, test } from 'vitest'
import { startTestService, type TestService } from '../test-service.ts'

const own = 'D681PevKs'
const foreign = 'toolu_01A09q90qw90lq917835lq9'
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

interface SentMessage {
  role: string
  content: unknown
  tool_call_id?: string
  tool_calls?: { id: string }[]
}

async function startWith(type: string): Promise<TestService> {
  const call = { id: own, name: 'read', argumentPieces: ['{}'] }
  const started = await startTestService({ models: { one: { toolCalls: [call] } } })
  const { dashboard } = started.service
  await dashboard.addProvider({ id: 'vendor', type, baseUrl: started.fake.url, apiKey: 'sk-x' })
  await dashboard.saveModel({
    id: 'vendor:one',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 100_000,
    capabilities: ['tools', 'vision'],
  })
  const models = ['vendor:one']
  await dashboard.updateRouter(started.routerId, { name: 'Test', strategy: 'priority', models })
  return started
}

function sentBy({ fake }: TestService): SentMessage[] {
  // Written by the adapter, in OpenAI's form.
  return fake.requests.at(-1)?.body?.['messages'] as SentMessage[]
}

function chat(content: unknown, id = foreign): object {
  const call = { id, type: 'function', function: { name: 'read', arguments: '{}' } }
  return {
    tools: [{ type: 'function', function: { name: 'read' } }],
    temperature: 1,
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content },
      { role: 'user', content: 'Go on' },
    ],
  }
}

test('a turn of Claude Code has ids and turns that Mistral takes, and its ids come back', async () => {
  const started = await startWith('mistral')

  const answer = await started.post('v1/messages', {
    model: 'auto',
    max_tokens: 100,
    tools: [{ name: 'read', input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: foreign, name: 'read', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: foreign, content: 'x' },
          { type: 'text', text: '<system-reminder>y</system-reminder>' },
        ],
      },
    ],
  })

  expect(await answer.json()).toMatchObject({ content: [{ type: 'tool_use', id: own }] })
  const sent = sentBy(started)
  expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
  expect(sent[2]?.tool_call_id).toMatch(/^[a-zA-Z0-9]{9}$/)
  expect(sent[1]?.tool_calls?.[0]?.id).toBe(sent[2]?.tool_call_id)
  expect(sent[3]?.content).toBe('OK.')
  expect(answer.headers.get('x-modelport-adjusted')).toContain('messages=sent_with_added_answer')
})

test('pictures of results follow an answer, and name the id that Mistral knows', async () => {
  const started = await startWith('mistral')

  await started.post('chat/completions', chat([{ type: 'text', text: 'x' }, image]))

  const sent = sentBy(started)
  expect(sent.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'user',
  ])
  expect(JSON.stringify(sent[4]?.content)).toContain(`result of ${sent[2]?.tool_call_id}:`)
})

test('other vendors get ids and turns as they were sent', async () => {
  const started = await startWith('groq')
  const body = chat('x')

  const answer = await started.post('chat/completions', body)

  expect(sentBy(started)).toEqual(Object.entries(body).find(([name]) => name === 'messages')?.[1])
  expect(answer.headers.get('x-modelport-adjusted')).toBeNull()
})
