/** Prompts that may or may not fit: only what certainly does not fit is refused unsent, the model decides the rest. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { errorReply, type FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const words =
  "This model's maximum context length is 1000 tokens. However, your messages resulted in 1100 tokens."
const tooLong: FakeModel = {
  reply: errorReply(400, { message: words, code: 'context_length_exceeded' }),
}
const works: FakeModel = { text: 'Works.', chunks: 1, usage: 'none' }
const contexts = { small: 1_000, same: 1_000, large: 2_000 }

let running: TestService
const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService({ models: { small: works, same: works, large: works } }, atEnd)
  for (const [name, contextTokens] of Object.entries(contexts)) {
    await running.service.dashboard.saveModel({
      id: `fake:${name}`,
      inputUsdPerMtok: 1,
      outputUsdPerMtok: 2,
      contextTokens,
    })
  }
})

beforeEach(() => {
  for (const name of Object.keys(contexts)) running.fake.setModel(name, works)
})

/** A text of so many tokens at 3.6 characters each; other text has up to 8. */
const textOf = (tokens: number) => 'word '.repeat(Math.ceil((tokens * 3.6) / 5))

const doors: [path: string, bodyOf: (text: string) => object][] = [
  ['chat/completions', (content) => ({ messages: [{ role: 'user', content }] })],
  ['v1/messages', (content) => ({ messages: [{ role: 'user', content }], max_tokens: 500 })],
  ['v1/completions', (prompt) => ({ prompt })],
  ['v1/responses', (input) => ({ input })],
  ['v1beta/models/auto:generateContent', (text) => ({ contents: [{ parts: [{ text }] }] })],
]

/** Gemini's form asks for a stream in the address. */
function sentTo(path: string, body: object, stream: boolean): [path: string, body: object] {
  if (!path.endsWith(':generateContent')) return [path, { ...body, stream }]
  return [stream ? path.replace(':generate', ':streamGenerate') : path, body]
}

describe.each(doors)('at %s', (path, bodyOf) => {
  const ask = (tokens: number, stream = false) =>
    running.post(...sentTo(path, bodyOf(textOf(tokens)), stream))

  async function askedModels(send: () => Promise<Response>) {
    const before = running.fake.requests.length
    const answer = await send()
    const text = await answer.text()
    const models = running.fake.requests.slice(before).map(({ model }) => model)
    return { answer, text, models }
  }

  test('a prompt that has more tokens by estimate, but may fit, is sent', async () => {
    const { answer, models } = await askedModels(() => ask(1_900))

    expect(answer.status).toBe(200)
    expect(models).toEqual(['small'])
    expect(answer.headers.get('x-modelport-fallback')).toBeNull()
  })

  test('a prompt of columns is sent where it may fit, although it is long', async () => {
    const columns = 'word'.padEnd(40).repeat(500)

    const { answer, models } = await askedModels(() =>
      running.post(...sentTo(path, bodyOf(columns), false)),
    )

    expect(answer.status).toBe(200)
    expect(models).toEqual(['small'])
  })

  test.each([false, true])(
    'a model that refuses it as too long is followed by one with a larger context (stream %s)',
    async (stream) => {
      running.fake.setModel('small', tooLong)

      const { answer, text, models } = await askedModels(() => ask(1_100, stream))

      expect(answer.status).toBe(200)
      expect(models).toEqual(['small', 'large'])
      expect(text).toContain('Works.')
      expect(answer.headers.get('x-modelport-fallback')).toBe(
        'from="fake:small", reason=context_too_small',
      )
    },
  )

  test('when the largest refuses it too, the caller gets its error', async () => {
    running.fake.setModel('small', tooLong)
    running.fake.setModel('large', tooLong)

    const { answer, text, models } = await askedModels(() => ask(1_100))

    expect(models).toEqual(['small', 'large'])
    expect(answer.status).toBe(400)
    expect(text).toContain(words)
    // Claude Code shortens the conversation when it reads these words.
    expect(text).toContain(
      path === 'v1/messages' ? 'prompt is too long' : 'context_length_exceeded',
    )
  })

  test('a refusal inside the stream, before any output, is the caller’s, too', async () => {
    const events = [JSON.stringify({ error: { message: words, code: 400 } })]
    running.fake.setModel('small', { events })
    running.fake.setModel('large', { events })

    const { answer, text, models } = await askedModels(() => ask(1_100, true))

    expect(models).toEqual(['small', 'large'])
    expect(answer.status).toBe(400)
    expect(text).toContain(words)
  })

  test('a prompt that fits no model is refused without a request, with figures that agree', async () => {
    const { answer, text, models } = await askedModels(() => ask(4_500))

    expect(answer.status).toBe(400)
    expect(models).toEqual([])
    const [, context, least] =
      /fake:large has a context of (\d+) tokens; the messages take at least (\d+)/.exec(text) ?? []
    expect(context).toBe('2000')
    expect(Number(least)).toBeGreaterThan(2_000)
  })
})

test('a limit that is lowered for a model leaves room for an answer in case the prompt has fewer tokens', async () => {
  await running.post('v1/messages', {
    messages: [{ role: 'user', content: textOf(1_900) }],
    max_tokens: 500,
  })

  const sent = Number(running.fake.requests.at(-1)?.body?.max_tokens)
  expect(sent).toBeGreaterThan(100)
  expect(sent).toBeLessThan(500)
})

test('another invalid request is not sent to a second model', async () => {
  running.fake.setModel('small', { reply: errorReply(400, { message: 'temperature is too high' }) })
  const before = running.fake.requestCount()

  const answer = await running.post('chat/completions', {
    messages: [{ role: 'user', content: 'Hi' }],
  })

  expect(answer.status).toBe(400)
  expect(running.fake.requestCount()).toBe(before + 1)
})

test('how few tokens a model counts is learnt from its answers, for that model only', async () => {
  const usage = { prompt_tokens: 750, completion_tokens: 1, total_tokens: 751 }
  const { post, service, fake } = await startTestService({
    models: { frugal: { ...works, usage }, other: works },
  })
  for (const name of ['frugal', 'other']) {
    const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2 }
    await service.dashboard.saveModel({ id: `fake:${name}`, ...price, contextTokens: 2_000 })
  }
  const ask = async (tokens: number, name: string) => {
    const messages = [{ role: 'user', content: textOf(tokens) }]
    return (await post('chat/completions', { messages, model: `fake:${name}` })).status
  }
  expect(await ask(5_000, 'frugal')).toBe(400)

  expect(await ask(1_500, 'frugal')).toBe(200)

  expect(await ask(5_000, 'frugal')).toBe(200)
  expect(await ask(5_000, 'other')).toBe(400)
  expect(fake.requests.map(({ model }) => model)).toEqual(['frugal', 'frugal'])
})
