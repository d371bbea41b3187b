/** The extensions of OpenAI's chat form, from the caller to upstreams that take them and upstreams that do not. */
import { describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../test-service.ts'

const cache_control = { type: 'ephemeral' }
const body = {
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'Rules', cache_control }] },
    { role: 'user', content: 'Hello' },
  ],
  reasoning: { max_tokens: 2048 },
}

async function startWith(type: string): Promise<TestService> {
  const started = await startTestService()
  const { dashboard } = started.service
  await dashboard.addProvider({ id: 'vendor', type, baseUrl: started.fake.url, apiKey: 'sk-x' })
  await dashboard.saveModel({
    id: 'vendor:fake-model',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 100_000,
  })
  const models = ['vendor:fake-model']
  await dashboard.updateRouter(started.routerId, { name: 'Test', strategy: 'priority', models })
  return started
}

test('a vendor that refuses unknown fields does not get them, and the caller is told', async () => {
  const { post, fake, ledger, service } = await startWith('openai')

  const answer = await post('chat/completions', body)

  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-modelport-adjusted')).toBe(
    'reasoning=left_out, cache_control=left_out',
  )
  expect(fake.requests[0]?.body).not.toHaveProperty('reasoning')
  expect(JSON.stringify(fake.requests[0]?.body)).not.toContain('cache_control')
  const [row] = await ledger(1)
  const explained = await service.usage.explain(row?.id ?? '')
  expect(explained?.detail.adjusted.map(({ parameter }) => parameter)).toEqual([
    'reasoning',
    'cache_control',
  ])
})

test('a server that takes them gets them unchanged', async () => {
  const { post, fake } = await startWith('openai-compatible')

  const answer = await post('chat/completions', { ...body, temperature: 1 })

  expect(answer.headers.get('x-modelport-adjusted')).toBeNull()
  expect(fake.requests[0]?.body).toMatchObject(body)
})

test('the preview says what would be left out', async () => {
  const { post } = await startWith('openai')

  const previewed = await post('chat/completions', body, {
    headers: { 'x-modelport-preview': 'true' },
  })

  expect(await previewed.json()).toMatchObject({
    decision: { adjusted: [{ parameter: 'reasoning' }, { parameter: 'cache_control' }] },
  })
})

test('a need that the wire lacks is named, whatever the user says about the model', async () => {
  const { post, service, fake } = await startWith('anthropic')
  const model = { id: 'vendor:fake-model', inputUsdPerMtok: 1, outputUsdPerMtok: 2 }
  await service.dashboard.saveModel({ ...model, contextTokens: 100_000, capabilities: ['n'] })

  const answer = await post('chat/completions', { ...body, n: 2 })

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: {
      code: 'no_capable_model',
      message: expect.stringContaining('several answers at once (n)') as string,
    },
  })
  expect(fake.requestCount()).toBe(0)
})

describe('a wrong value is refused by name', () => {
  test.each([
    ['reasoning.max_tokens', { reasoning: { max_tokens: 0 } }],
    ['messages[0].is_error', { messages: [{ role: 'tool', content: '', is_error: 'yes' }] }],
    ['messages[0].cache_control', { messages: [{ role: 'user', content: '', cache_control: 1 }] }],
    [
      'messages[0].reasoning_details',
      { messages: [{ role: 'assistant', content: '', reasoning_details: 'Hm' }] },
    ],
  ])('%s', async (param, more) => {
    const { post } = await startTestService()

    const answer = await post('chat/completions', { ...body, ...more })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { param } })
  })
})
