/** What a vendor bills beside the text of a request is reserved, left out or refused where a budget applies. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { startWithMessagesUpstream, whole as wholeMessage } from '../endpoints/messages-upstream.ts'
import {
  startWithResponsesUpstream,
  whole as wholeResponse,
} from '../endpoints/responses-upstream.ts'
import { startTestService, type TestService } from '../test-service.ts'

const address = 'https://files.example/a'
const asked = (...parts: object[]) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, ...parts] }],
  max_tokens: 100,
})

/** A key with a budget that covers a short text, and less than half of the model's context. */
async function budgeted({ service, post }: TestService) {
  const { key } = await service.dashboard.createApiKey({
    name: 'small',
    routers: 'all',
    budgetUsdPerDay: 0.09,
  })
  const headers = { authorization: `Bearer ${key}` }
  return async (path: string, body: object) => {
    const answer = await post(path, body, { headers })
    const text = await answer.text()
    const param = /"param": ?"([^"]+)"/.exec(text)?.[1] ?? null
    return { status: answer.status, param, adjusted: answer.headers.get('x-modelport-adjusted') }
  }
}

const served = { status: 200, param: null }

describe('chat completions and completions', () => {
  const facts = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 200_000 }

  async function start() {
    const started = await startTestService({ models: { m: {} } })
    const capabilities = ['tools', 'vision', 'audio', 'files', 'n'] as const
    const { dashboard } = started.service
    await dashboard.saveModel({ id: 'fake:m', ...facts, capabilities: [...capabilities] })
    return { ...started, send: await budgeted(started) }
  }

  test('what is at an address or was uploaded may fill the context', async () => {
    const { send, fake } = await start()
    const chat = 'v1/chat/completions'

    expect(await send(chat, asked())).toMatchObject(served)
    const files = [{ file_id: 'file-1' }, { file_url: `${address}.pdf` }]
    const parts = [
      { type: 'image_url', image_url: { url: `${address}.png` } },
      { type: 'video_url', video_url: { url: `${address}.mp4` } },
      { type: 'thing', thing: { id: 'thing-1' } },
      ...files.map((file) => ({ type: 'file', file })),
    ]
    for (const part of parts) {
      expect([part.type, await send(chat, asked(part))]).toMatchObject([part.type, { status: 402 }])
    }
    expect(fake.requestCount()).toBe(1)
  })

  test('each of several answers is reserved, also of those that are not returned', async () => {
    const { send, fake } = await start()
    const many = { max_tokens: 5_000 }

    for (const count of [{ n: 10 }, { best_of: 10 }]) {
      const body = { ...asked(), ...many, ...count }
      expect(await send('v1/chat/completions', body)).toMatchObject({ status: 402 })
    }
    const body = { prompt: 'Hi', ...many, n: 10, best_of: 10 }
    expect(await send('v1/completions', body)).toMatchObject({ status: 402 })
    expect(fake.requestCount()).toBe(0)
  })

  test('a vendor’s tool is left out and reported; without a budget it goes on', async () => {
    const { send, post, fake } = await start()
    const own = { type: 'function', function: { name: 'f' } }
    const body = { ...asked(), temperature: 1, tools: [own, { type: 'web_search' }] }

    expect(await send('v1/chat/completions', body)).toMatchObject({
      ...served,
      adjusted: 'tools=left_out',
    })
    expect(fake.requests[0]?.body).toMatchObject({ tools: [own] })
    await (await post('v1/chat/completions', body)).text()
    expect(fake.requests[1]?.body).toMatchObject({ tools: body.tools })
  })

  test('what has no highest cost is a 400 that names the field', async () => {
    const { send, fake } = await start()

    for (const [name, value] of Object.entries({ modalities: ['audio'], enable_search: true })) {
      const body = { ...asked(), [name]: value }
      expect(await send('v1/chat/completions', body)).toMatchObject({ status: 400, param: name })
    }
    expect(fake.requestCount()).toBe(0)
  })
})

test('responses: stored text, files and searches are bounded, left out or refused', async () => {
  const started = await startWithResponsesUpstream({}, onTestFinished)
  started.upstream.answer = [wholeResponse('Hello')]
  const send = await budgeted(started)
  const ask = (more: object) =>
    send('v1/responses', { input: 'Hi', max_output_tokens: 100, ...more })
  const search = { type: 'web_search' }
  const file = { type: 'input_file', file_id: 'file-1' }

  expect(await ask({})).toMatchObject(served)
  expect(await ask({ previous_response_id: 'resp_1' })).toMatchObject({ status: 429 })
  expect(await ask({ prompt: { id: 'pmpt_1' } })).toMatchObject({ status: 429 })
  expect(await ask({ input: [{ role: 'user', content: [file] }] })).toMatchObject({ status: 429 })
  expect(await ask({ tools: [search], max_tool_calls: 1 })).toMatchObject({ status: 429 })
  expect(await ask({ tools: [search], tool_choice: search })).toMatchObject({ status: 400 })
  expect(await ask({ tools: [search] })).toMatchObject({ ...served, adjusted: 'tools=left_out' })
  expect(started.upstream.requests).toHaveLength(2)
  expect(started.upstream.requests[1]?.text).not.toContain('web_search')
})

test('messages: files and searches are bounded or left out, and inference in the US costs more', async () => {
  const started = await startWithMessagesUpstream()
  started.upstream.answer = [wholeMessage('Hello')]
  const send = await budgeted(started)
  const ask = (more: object) => send('v1/messages', { ...asked(), ...more })
  const search = { type: 'web_search_20250305', name: 'web_search' }
  const source = { type: 'file', file_id: 'file_1' }
  const url = { type: 'url', url: `${address}.pdf` }

  expect(await ask({})).toMatchObject(served)
  expect(await ask(asked({ type: 'document', source }))).toMatchObject({ status: 402 })
  expect(await ask(asked({ type: 'document', source: url }))).toMatchObject({ status: 402 })
  expect(await ask({ tools: [{ ...search, max_uses: 1 }] })).toMatchObject({ status: 402 })
  expect(await ask({ tools: [search] })).toMatchObject({ ...served, adjusted: 'tools=left_out' })
  // 42,000 tokens of output cost $0.084, and a tenth more in the United States.
  const long = { max_tokens: 42_000 }
  expect(await ask({ ...long, inference_geo: 'us' })).toMatchObject({ status: 402 })
  expect(await ask(long)).toMatchObject(served)
  expect(started.upstream.requests).toHaveLength(3)
})
