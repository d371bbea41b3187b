/** A router without another model recovers from failures that pass, at every endpoint and with the vendors' SDKs. */
import { describe, expect, test } from 'vitest'
import type { RequestRecord } from '../../src/shared/entities.ts'
import { errorReply, type FakeModel, type FakeModelScript } from '../fake-provider.ts'
import { hello, startTestService } from '../test-service.ts'

const works = { text: 'Works again.', chunks: 1 }
const faults: readonly [name: string, model: FakeModel][] = [
  ['429', { reply: errorReply(429) }],
  ['529', { reply: errorReply(529) }],
  ['500', { reply: errorReply(500) }],
  ['reset', { fault: { kind: 'reset', afterEvents: 0 } }],
]
const failsTimes =
  (times: number, fault: FakeModel): FakeModelScript =>
  (_request, nth) =>
    nth <= times ? fault : works

type Sent = (model: string, stream: boolean) => [path: string, body: object]
const to =
  (path: string, body: object): Sent =>
  (model, stream) => [path, { ...body, model: `fake:${model}`, stream }]
const endpoints: readonly Sent[] = [
  to('v1/chat/completions', hello),
  to('v1/completions', { prompt: 'Hello' }),
  to('v1/responses', { input: 'Hello' }),
  to('v1/messages', { ...hello, max_tokens: 100 }),
  (model, stream) => {
    const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
    return [`v1beta/models/fake:${model}:${method}`, { contents }]
  },
]

describe.each(faults)('after two failures (%s) of the only model', (_name, fault) => {
  test('every endpoint gives its answer, whole and streamed', async () => {
    const asked = endpoints.flatMap((sentTo, index) =>
      [false, true].map((stream) => ({ sentTo, stream, model: `m${index}${String(stream)}` })),
    )
    const { post, ledger } = await startTestService({
      models: Object.fromEntries(asked.map(({ model }) => [model, failsTimes(2, fault)])),
    })

    const answers = await Promise.all(
      asked.map(async ({ sentTo, stream, model }) => {
        const answer = await post(...sentTo(model, stream))
        return { status: answer.status, body: await answer.text() }
      }),
    )

    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toContain(works.text)
      expect(body).not.toContain('"error":{')
    }
    const rows = await ledger(asked.length)
    expect(rows.map(({ status, attempts }) => [status, attempts])).toEqual(
      asked.map(() => [200, 3]),
    )
  })

  test('OpenAI’s and Anthropic’s SDKs recover, also from four failures', async () => {
    const models = ['openai2', 'openai4', 'anthropic2', 'anthropic4']
    const { openai, anthropic } = await startTestService({
      models: Object.fromEntries(
        models.map((model) => [model, failsTimes(Number(model.at(-1)), fault)]),
      ),
    })

    const answers = await Promise.all(
      models.map(async (model) => {
        const request = { ...hello, model: `fake:${model}` }
        if (model.startsWith('openai')) {
          const answer = await openai()
            .withOptions({ maxRetries: 2 })
            .chat.completions.create(request)
          return answer.choices[0]?.message.content
        }
        const answer = await anthropic()
          .withOptions({ maxRetries: 2 })
          .messages.create({ ...request, max_tokens: 100 })
        return answer.content[0]?.type === 'text' ? answer.content[0].text : null
      }),
    )

    expect(answers).toEqual(models.map(() => works.text))
  })
})

test('vectors come from the only model as soon as it works', async () => {
  const { post, service } = await startTestService({
    models: { vectors: failsTimes(2, { reply: errorReply(500) }) },
  })
  await service.dashboard.saveModel({
    id: 'fake:vectors',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 0,
    capabilities: ['embeddings'],
  })

  const answer = await post('v1/embeddings', { input: 'Hello', model: 'fake:vectors' })

  expect(answer.status).toBe(200)
})

test('a caller that disconnects ends the wait, and the model is not asked again', async () => {
  const limited = (retryAfterSeconds: number) => ({ reply: errorReply(429, { retryAfterSeconds }) })
  const { post, fake, onlyRows } = await startTestService({
    models: { only: limited(7), other: failsTimes(1, limited(2)) },
  })
  const patient = post('chat/completions', { ...hello, model: 'fake:other' })
  const caller = new AbortController()
  const request = { ...hello, model: 'fake:only' }
  const asked = post('chat/completions', request, { signal: caller.signal })
  await expect
    .poll(() => fake.requests.filter(({ answeredAtMs }) => answeredAtMs !== null))
    .toHaveLength(2)

  caller.abort()
  await expect(asked).rejects.toThrow(/abort/i)

  expect((await patient).status).toBe(200)
  const rows = await onlyRows(2)
  // Its own wait would have ended after the other's.
  expect(rows.toSorted((one, other) => endOf(one) - endOf(other))).toMatchObject([
    { status: 499, attempts: 1 },
    { status: 200, attempts: 2 },
  ])
})

function endOf({ startedAtMs, latencyMs }: RequestRecord): number {
  return startedAtMs + latencyMs
}

test('a failure that waiting cannot fix is not repeated, and SDKs are told so', async () => {
  const { post, fake } = await startTestService({
    models: { gone: { reply: errorReply(404) }, refused: { reply: errorReply(401) } },
  })

  for (const model of ['fake:gone', 'fake:refused']) {
    const answer = await post('chat/completions', { ...hello, model })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('x-should-retry')).toBe('false')
  }
  expect(fake.requestCount()).toBe(2)
})
