/** A router with a cascade: which model answers, and what is recorded. */
import { expect, test } from 'vitest'
import { routingSettingsSchema, type Cascade } from '../../src/shared/routers/routing-settings.ts'
import { errorReply } from '../fake-provider.ts'
import {
  agreeing,
  alone,
  answers,
  ask,
  asked,
  costOf,
  nanoUsd,
  startCascaded,
  usage,
} from './start-cascaded.ts'
import { hello } from '../test-service.ts'

test('when two models agree, the first one’s text is the answer and both are charged', async () => {
  const upstream = await startCascaded()

  const answer = await ask(upstream)

  expect(answer).toMatchObject({
    model: 'fake:a',
    choices: [{ message: { content: 'Paris' } }],
    usage: usage(10, 2),
    _meta: { modelUsed: 'fake:a', routerDecision: 'priority' },
  })
  const { _meta: meta } = answer
  expect(meta.cost).toBe(costOf('a', 'b') / 1e9)
  expect(new Set(asked(upstream.fake))).toEqual(new Set(['a', 'b']))
  expect(await upstream.ledger(1)).toMatchObject([
    {
      status: 200,
      modelUsed: 'fake:a',
      costNanoUsd: costOf('a', 'b'),
      reportedPromptTokens: 21,
      reportedCompletionTokens: 5,
      attempts: 2,
    },
  ])
})

test('when two models differ, the router’s own order answers and all three are charged', async () => {
  const upstream = await startCascaded({ b: { ...answers.b, text: 'Lyon' } })

  const { model, _meta: meta } = await ask(upstream)

  expect(model).toBe('fake:strong')
  expect(meta.cost).toBe(costOf('a', 'b', 'strong') / 1e9)
  expect(asked(upstream.fake)).toEqual([expect.any(String), expect.any(String), 'strong'])
  const { attempts, cascade, tokens } = meta.decision ?? {}
  expect(attempts?.map(({ model: of, outcome, message }) => [of, outcome, message])).toEqual([
    ['fake:a', 'not_accepted', 'the answers differ'],
    ['fake:b', 'not_accepted', 'the answers differ'],
    ['fake:strong', 'answered', null],
  ])
  expect(cascade).toEqual([
    { ...agreeing.tiers[0], outcome: 'not_accepted', reason: 'the answers differ' },
  ])
  expect(tokens).toMatchObject({ input: 33, output: 10 })
})

test('invalid JSON goes to the next tier, and after the last tier to the strong model', async () => {
  const schema = { type: 'object', required: ['city'] }
  const json_schema = { name: 'place', schema }
  const body = { ...hello, response_format: { type: 'json_schema', json_schema } }
  const tiers: Cascade['tiers'] = [
    { models: ['fake:a'], accept: 'valid_json' },
    { models: ['fake:b'], accept: 'valid_json' },
  ]
  const upstream = await startCascaded({
    cascade: { tiers },
    a: { text: '{"town":"Paris"}' },
    b: { text: '{"city":"Paris"}' },
  })

  expect(await ask(upstream, body)).toMatchObject({
    model: 'fake:b',
    _meta: {
      decision: {
        attempts: [
          {
            model: 'fake:a',
            outcome: 'not_accepted',
            message: 'the answer does not match the schema',
          },
          { model: 'fake:b', outcome: 'accepted' },
        ],
      },
    },
  })
  upstream.fake.setModel('b', { text: 'Paris' })
  expect(await ask(upstream, body)).toMatchObject({ model: 'fake:strong' })
})

test('a streamed request receives the accepted answer as a stream', async () => {
  const upstream = await startCascaded()
  const body = { ...hello, stream: true, stream_options: { include_usage: true } }

  const answer = await upstream.post('chat/completions', body)
  const text = await answer.text()

  expect(answer.headers.get('content-type')).toContain('text/event-stream')
  expect(text).toContain('"content":"Paris"')
  expect(text).toContain('"finish_reason":"stop"')
  expect(text).toContain(`"cost":${costOf('a', 'b') / 1e9}`)
  expect(text).toContain('"model":"fake:a"')
  expect(text).toMatch(/data: \[DONE\]\n\n$/)
  // Requested whole, because text that a reader has seen cannot be withdrawn.
  expect(upstream.fake.requests.map(({ body: sent }) => sent?.['stream'])).toEqual([false, false])
})

test('an answer after the tiers is streamed as it is generated', async () => {
  const upstream = await startCascaded({
    b: { text: 'Lyon' },
    strong: { ...answers.strong, chunks: 4, chunkDelayMs: 20 },
  })

  const answer = await upstream.post('chat/completions', { ...hello, stream: true })
  const deltas = (await answer.text()).match(/"content":"[^"]+"/g)

  expect(deltas).toHaveLength(4)
  expect(upstream.fake.requests.at(-1)?.body).toMatchObject({ stream: true })
})

test('a streamed tool call is accepted and sent as a stream', async () => {
  const tools = [
    {
      type: 'function',
      function: { name: 'find', parameters: { type: 'object', required: ['city'] } },
    },
  ]
  const call = { name: 'find', argumentPieces: ['{"city":', '"Paris"}'], id: 'call_9' }
  const upstream = await startCascaded({
    cascade: alone('tool_call_valid'),
    a: { toolCalls: [call] },
  })

  const answer = await upstream.post('chat/completions', { ...hello, tools, stream: true })
  const text = await answer.text()

  expect(text).toContain('"index":0,"id":"call_9","type":"function"')
  expect(text).toContain(JSON.stringify(JSON.stringify({ city: 'Paris' })))
  expect(text).toContain('"finish_reason":"tool_calls"')
  expect(asked(upstream.fake)).toEqual(['a'])
})

test.each([false, true])(
  'a caller that disconnects ends every attempt (stream %s)',
  async (stream) => {
    const slow = { ...answers.a, firstByteDelayMs: 5_000 }
    const upstream = await startCascaded({ a: slow, b: slow })
    const controller = new AbortController()
    const init = { signal: controller.signal }
    const gone = upstream.post('chat/completions', { ...hello, stream }, init).catch(() => 'gone')
    await expect.poll(() => asked(upstream.fake).length).toBe(2)

    controller.abort()

    expect(await gone).toBe('gone')
    await expect
      .poll(() => upstream.fake.requests.map(({ abortedAtMs }) => abortedAtMs))
      .toEqual([expect.any(Number), expect.any(Number)])
    expect(await upstream.ledger(1)).toMatchObject([{ status: 499, attempts: 2 }])
    expect(asked(upstream.fake)).not.toContain('strong')
  },
)

test('a model that fails ends its tier, and the other attempt is cancelled', async () => {
  const upstream = await startCascaded({
    a: { reply: errorReply(500) },
    b: { ...answers.b, firstByteDelayMs: 60_000 },
  })

  const { model, _meta: meta } = await ask(upstream)

  expect(model).toBe('fake:strong')
  const { attempts, promptTokens = 0 } = meta.decision ?? {}
  expect(attempts?.map(({ outcome }) => outcome)).toEqual(['unavailable', 'lost', 'answered'])
  const prompt = promptTokens * nanoUsd.b[0]
  expect(Math.round(meta.cost * 1e9)).toBe(costOf('strong') + prompt)
})

test('a tier does not use a model whose breaker is open', async () => {
  const upstream = await startCascaded({
    cascade: alone('valid_json'),
    a: { reply: errorReply(500) },
  })
  for (let nth = 0; nth < 5; nth += 1) await ask(upstream)
  upstream.fake.setModel('a', { text: '{}' })

  const { model, _meta: meta } = await ask(upstream)

  expect(model).toBe('fake:strong')
  expect(meta.decision?.attempts).toHaveLength(1)
  expect(meta.decision?.cascade).toMatchObject([{ outcome: 'passed_over' }])
})

test('a rejected model is tried again only if no other model answers', async () => {
  const upstream = await startCascaded({
    cascade: alone('valid_json'),
    router: { models: ['fake:a', 'fake:strong'] },
  })

  expect(await ask(upstream)).toMatchObject({ model: 'fake:strong' })
  upstream.fake.setModel('strong', { reply: errorReply(500) })
  expect(await ask(upstream)).toMatchObject({
    model: 'fake:a',
    choices: [{ message: { content: 'Paris' } }],
  })
})

test.each([
  ['names a model', { ...hello, model: 'fake:strong' }],
  [
    'contains a tool result',
    {
      messages: [
        ...hello.messages,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'Sunny' },
      ],
    },
  ],
])('a request that %s has no cascade', async (_what, body) => {
  const upstream = await startCascaded()

  expect(await ask(upstream, body)).toMatchObject({ model: 'fake:strong' })
  expect(asked(upstream.fake)).toEqual(['strong'])
})

test('a tier that cannot check the request is skipped', async () => {
  const upstream = await startCascaded({ cascade: alone('tool_call_valid') })

  const { model, _meta: meta } = await ask(upstream)

  expect(model).toBe('fake:strong')
  expect(meta.decision?.cascade).toEqual([
    {
      models: ['fake:a'],
      accept: 'tool_call_valid',
      outcome: 'passed_over',
      reason: 'the request has no tools',
    },
  ])
})

test('a slow model of a tier is not hedged', async () => {
  const upstream = await startCascaded({
    cascade: alone('not_refused_not_cut_off'),
    a: { ...answers.a, firstByteDelayMs: 600 },
    router: { hedge: { afterMs: 100, maxExtraPercent: 100 } },
  })

  expect(await ask(upstream)).toMatchObject({ model: 'fake:a' })
  expect(asked(upstream.fake)).toEqual(['a'])
})

test('without fallback, one model is tried after the tiers and its result is final', async () => {
  const routing = routingSettingsSchema.parse({ cascade: alone('valid_json'), fallback: false })
  const upstream = await startCascaded({ strong: { reply: errorReply(404) }, router: { routing } })

  const answer = await upstream.post('chat/completions', hello)

  expect(answer.status).toBe(503)
  expect(asked(upstream.fake)).toEqual(['a', 'strong'])
  expect(await upstream.ledger(1)).toMatchObject([{ status: 503, costNanoUsd: costOf('a') }])
})
