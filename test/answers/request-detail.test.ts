/** A caller's view of its request: in the requests address, and in `_meta.decision`. */
import { expect, test } from 'vitest'
import { explainedDetailSchema } from '../../src/shared/requests/detail.ts'
import { errorReply } from '../fake-provider.ts'
import { hello, startTestService } from '../test-service.ts'

const usage = {
  prompt_tokens: 1_000,
  completion_tokens: 100,
  total_tokens: 1_100,
  prompt_tokens_details: { cached_tokens: 700, cache_write_tokens: 200 },
  completion_tokens_details: { reasoning_tokens: 60 },
}

test('the requests address shows a request to the key that sent it', async () => {
  const { post, get, ledger } = await startTestService({
    models: { broken: { reply: errorReply(500) }, works: { usage } },
  })

  const answer = await post('chat/completions', hello, {
    headers: { 'user-agent': 'a-tool/1.0' },
  })
  await ledger(1)
  const id = answer.headers.get('x-request-id')
  const found = await get(`v1/requests/${id}`)

  expect(found.status).toBe(200)
  expect(await found.json()).toMatchObject({
    object: 'modelport.request',
    id,
    status: 200,
    modelUsed: 'fake:works',
    cost: 0.0012,
    stream: false,
    reportedPromptTokens: 1_000,
    detail: {
      client: 'a-tool/1.0',
      tokenSource: 'reported',
      tokens: { input: 100, cacheRead: 700, cacheWrite: 200, output: 40, reasoning: 60 },
      price: { inputUsdPerMtok: 1, outputUsdPerMtok: 2, source: 'user', asOf: null },
      carbon: { method: 'unknown' },
      attempts: [
        { model: 'fake:broken', outcome: 'unavailable', status: 500 },
        { model: 'fake:works', outcome: 'answered', status: null },
      ],
      strategy: 'priority',
      ranked: [{ model: 'fake:broken' }, { model: 'fake:works' }],
      excluded: [],
    },
  })
})

test('another key, another router and an unknown id get the same 404', async () => {
  const { post, get, ledger, service, routerId } = await startTestService()
  const { key } = await service.dashboard.createApiKey({ name: 'other', routers: 'all' })
  const models = ['fake:fake-model']
  const other = await service.dashboard.createRouter({ name: 'B', strategy: 'priority', models })
  const answer = await post('chat/completions', hello)
  await ledger(1)
  const id = answer.headers.get('x-request-id')

  const answers = [
    await get(`requests/${id}`, { headers: { authorization: `Bearer ${key}` } }),
    await get(`../${other.id}/requests/${id}`.replace(`../${routerId}/`, '../')),
    await get('requests/01a1fd54-69a5-755a-904a-3af7b0577c18'),
  ]

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  const bodies = await Promise.all(answers.map((each) => each.json()))
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(bodies[0]).toMatchObject({ error: { code: 'request_not_found' } })
})

test('a rotation gives a new key: neither of the two reads what the other sent', async () => {
  const { post, get, ledger, service } = await startTestService()
  const old = await service.dashboard.createApiKey({ name: 'tool', routers: 'all' })
  const successor = await service.dashboard.rotateApiKey(old.apiKey.id, 3_600_000)
  const keys = [old.key, successor.key]
  const headersOf = (key = '') => ({ authorization: `Bearer ${key}`, 'idempotency-key': 'one' })
  const sent = async (body: object, key?: string) => {
    const answer = await post('chat/completions', body, { headers: headersOf(key) })
    return {
      id: answer.headers.get('x-request-id'),
      replayed: answer.headers.get('idempotent-replayed'),
    }
  }
  const answered = [await sent(hello, old.key), await sent(hello, successor.key)]
  const refused = [await sent({}, old.key), await sent({}, successor.key)]
  await ledger(2)

  expect(answered.map(({ replayed }) => replayed)).toEqual([null, null])
  for (const pair of [answered, refused]) {
    for (const [nth, key] of keys.entries()) {
      const found = await Promise.all(
        pair.map(({ id }) => get(`requests/${id}`, { headers: headersOf(key) })),
      )
      expect(found.map(({ status }) => status)).toEqual(nth === 0 ? [200, 404] : [404, 200])
    }
  }
})

test('only x-modelport-explain adds the decision to _meta, whole and streamed', async () => {
  const { post } = await startTestService()
  const headers = { 'x-modelport-explain': 'true' }

  const plain = await post('chat/completions', hello)
  const whole = await post('chat/completions', hello, { headers })
  const stream = await post('chat/completions', { ...hello, stream: true }, { headers })
  const events = (await stream.text()).split('\n\n').filter((event) => event.includes('_meta'))

  expect(Object.keys(metaOf(await plain.text()))).toHaveLength(5)
  const explained = explainedDetailSchema.parse(metaOf(await whole.text())['decision'])
  expect(explained.attempts).toHaveLength(1)
  expect(events).toHaveLength(1)
  const last = explainedDetailSchema.parse(metaOf(events[0]?.slice('data: '.length))['decision'])
  expect(last.strategy).toBe('priority')
})

test('a key with explanations gets the decision without the header', async () => {
  const { post, service } = await startTestService()
  const { key } = await service.dashboard.createApiKey({
    name: 'curious',
    routers: 'all',
    explain: true,
  })

  const answer = await post('chat/completions', hello, {
    headers: { authorization: `Bearer ${key}` },
  })

  const explained = explainedDetailSchema.parse(metaOf(await answer.text())['decision'])
  expect(explained.attempts).toHaveLength(1)
})

function metaOf(json = '{}'): Record<string, unknown> {
  const fields = JSON.parse(json) as Record<string, Record<string, unknown>>
  return fields['_meta'] ?? {}
}

test('an aborted request shows which attempt was in progress', async () => {
  const { post, get, ledger, fake } = await startTestService({
    models: { 'fake-model': { firstByteDelayMs: 60_000 } },
  })
  const controller = new AbortController()

  const call = post('chat/completions', hello, { signal: controller.signal })
  const reason = call.catch(String)
  await expect.poll(() => fake.requestCount()).toBe(1)
  controller.abort()
  expect(await reason).toContain('aborted')
  const [row] = await ledger(1)
  const found = await get(`requests/${row?.id}`)

  expect(await found.json()).toMatchObject({
    status: 499,
    detail: { tokenSource: 'estimated', price: null, attempts: [{ outcome: 'aborted' }] },
  })
})

test('messages that exceed every model’s context are context_length_exceeded', async () => {
  const { post, service, routerId } = await startTestService()
  const model = { id: 'fake:small', inputUsdPerMtok: 0, outputUsdPerMtok: 0, contextTokens: 100 }
  await service.dashboard.saveModel(model)
  const router = { name: 'Small', strategy: 'priority' as const, models: ['fake:small'] }
  await service.dashboard.updateRouter(routerId, router)

  const answer = await post('chat/completions', {
    messages: [{ role: 'user', content: 'word '.repeat(200) }],
  })

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: { code: 'context_length_exceeded', param: 'messages' },
  })
})
