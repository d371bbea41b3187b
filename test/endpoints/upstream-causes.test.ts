/** An upstream's failure keeps its meaning at every endpoint: its names, its words, its field and its status. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { BadRequestError, InternalServerError } from 'openai'
import { errorReply, type FakeModel } from '../fake-provider.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { startWithMessagesUpstream, streamed as claudeEvents } from './messages-upstream.ts'
import { startWithResponsesUpstream, streamed as responseEvents } from './responses-upstream.ts'

const chat = { ...hello, stream: true }
const bodies = {
  'v1/chat/completions': chat,
  'v1/completions': { prompt: 'Hello', stream: true },
  'v1/responses': { input: 'Hello', stream: true },
  'v1/messages': { ...chat, max_tokens: 100 },
} as const
type Path = keyof typeof bodies

/** One of both, in the event that ends a broken stream. */
interface Event {
  error?: Record<string, unknown>
  response?: { error?: Record<string, unknown> | null }
}

/** The error of a stream that broke off, in the form of its endpoint. */
async function brokenAt({ post }: TestService, path: Path): Promise<Record<string, unknown>> {
  const text = await (await post(path, bodies[path])).text()
  const data = text
    .split('\n\n')
    .flatMap((event) => /^data: (\{.*)$/m.exec(event)?.[1] ?? [])
    .map((json) => JSON.parse(json) as Event)
  const failed = data.find(({ error, response }) => error ?? response?.error)
  return failed?.error ?? failed?.response?.error ?? {}
}

describe('a stream that broke off keeps its cause', () => {
  test('of an upstream in Anthropic’s form', async () => {
    const started = await startWithMessagesUpstream()
    const error = { type: 'overloaded_error', message: 'Overloaded (sk-ant-fake)' }
    const events = claudeEvents('Hello').slice(0, 10)
    started.upstream.answer = [...events, JSON.stringify({ type: 'error', error })]

    expect(await brokenAt(started, 'v1/messages')).toEqual({
      type: 'overloaded_error',
      message:
        'The answer broke off: claude:claude-opus-4-8 did not finish it ' +
        '(the provider reported an error (overloaded_error): Overloaded (…)). [all_models_unavailable]',
    })
    for (const path of ['v1/chat/completions', 'v1/completions'] as const) {
      expect(await brokenAt(started, path)).toMatchObject({
        type: 'overloaded_error',
        code: 'all_models_unavailable',
        message: expect.stringContaining('Overloaded') as string,
      })
    }
    expect(await brokenAt(started, 'v1/responses')).toMatchObject({
      code: 'server_error',
      message: expect.stringContaining('Overloaded') as string,
    })
  })

  test('of an upstream in the form of Responses', async () => {
    const started = await startWithResponsesUpstream({}, onTestFinished)
    const error = { code: 'server_is_overloaded', message: 'Our servers are overloaded.' }
    const response = { object: 'response', status: 'failed', output: [], error }
    const events = responseEvents('Hello').slice(0, 11)
    started.upstream.answer = [...events, JSON.stringify({ type: 'response.failed', response })]

    expect(await brokenAt(started, 'v1/responses')).toMatchObject({
      code: 'server_is_overloaded',
      message: expect.stringContaining('Our servers are overloaded') as string,
    })
  })

  test('of an upstream in the form of chat completions', async () => {
    const error = { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' }
    const piece = { choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: null }] }
    const events = [piece, { error }].map((event) => JSON.stringify(event))
    const started = await startTestService({ models: { m: { events } } })

    expect(await brokenAt(started, 'v1/chat/completions')).toMatchObject({
      type: 'requests',
      code: 'rate_limit_exceeded',
      message: expect.stringContaining('Slow down') as string,
    })
    expect(await brokenAt(started, 'v1/responses')).toMatchObject({ code: 'rate_limit_exceeded' })
    expect(await brokenAt(started, 'v1/messages')).toMatchObject({ type: 'rate_limit_error' })
  })
})

describe('a request that the upstream refused', () => {
  const refusing = (status: number, error: object): FakeModel => ({
    reply: {
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: { type: 'invalid_request_error', ...error } }),
    },
  })
  const askAll = async ({ post }: TestService) =>
    await Promise.all(
      Object.entries(bodies).map(async ([path, body]) => {
        const answer = await post(path, body)
        const sent = (await answer.json()) as { error: Record<string, unknown> }
        const shouldRetry = answer.headers.get('x-should-retry')
        return { path, status: answer.status, shouldRetry, error: sent.error }
      }),
    )

  test.each([
    [413, 'body_too_large', 'request_too_large'],
    [422, 'invalid_parameter', 'invalid_request_error'],
  ] as const)('with %s has that status', async (status, code, type) => {
    const started = await startTestService({
      models: { m: refusing(status, { message: 'No.', param: 'tools[0].function' }) },
    })

    for (const { path, error, ...answer } of await askAll(started)) {
      expect(answer).toEqual({ status, shouldRetry: 'false' })
      expect(error).toMatchObject(
        path === 'v1/messages'
          ? { type, message: `No. [${code}]` }
          : { code, message: 'No.', param: 'tools[0].function' },
      )
    }
  })

  test('because it is too long says so in the words and names of each family', async () => {
    const error = {
      code: 'context_length_exceeded',
      param: 'messages',
      message: "This model's maximum context length is 8192 tokens.",
    }
    const started = await startTestService({ models: { m: refusing(400, error) } })

    for (const { path, status, error: sent } of await askAll(started)) {
      expect(status).toBe(400)
      expect(sent).toMatchObject(
        path === 'v1/messages'
          ? { message: `prompt is too long: ${error.message} [context_length_exceeded]` }
          : error,
      )
    }
  })

  test('by Anthropic as too long keeps the sentence that Claude Code reads', async () => {
    const message = 'prompt is too long: 208310 tokens > 200000 maximum'
    const started = await startTestService({ models: { m: refusing(400, { message }) } })

    const answer = await started.post('v1/messages', bodies['v1/messages'])

    expect(await answer.json()).toMatchObject({
      error: { message: `${message} [context_length_exceeded]` },
    })
  })
})

describe.each([401, 402, 404])(
  'when the upstream answers %s, which only the user can solve',
  (status) => {
    test('the turn of every client ends at once', async () => {
      const { post, openai, fake } = await startTestService({
        models: { m: { reply: errorReply(status) } },
      })
      const failed = async (call: PromiseLike<unknown>): Promise<unknown> =>
        await call.then(
          () => null,
          (error: unknown) => error,
        )
      const client = openai().withOptions({ maxRetries: 2 })

      const asChat = await failed(client.chat.completions.create({ ...hello, model: 'auto' }))
      const asResponse = await failed(client.responses.create({ input: 'Hello', model: 'auto' }))
      const message = await post('v1/messages', { ...bodies['v1/messages'], stream: false })

      expect(asChat).toBeInstanceOf(InternalServerError)
      // Codex repeats a 503 for minutes, whatever its headers say, and ends its turn after a 400.
      expect(asResponse).toBeInstanceOf(BadRequestError)
      expect(asResponse).toMatchObject({ code: 'all_models_unavailable' })
      expect([message.status, message.headers.get('x-should-retry')]).toEqual([503, 'false'])
      // A key that was rejected is not sent again.
      expect(fake.requestCount()).toBe(status === 404 ? 3 : 1)
    })
  },
)
