/** A cached answer in the form of its vendor: with what the vendor's own tools found, which no choice can say. */
import { expect, onTestFinished, test } from 'vitest'
import { eventsOf, startWithMessagesUpstream, streamed, whole } from './messages-upstream.ts'
import {
  startWithResponsesUpstream,
  streamed as streamedResponse,
  whole as wholeResponse,
} from './responses-upstream.ts'

const router = { cacheTtlSeconds: 60 }
const message = { model: 'auto', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
const response = { model: 'auto', input: 'Hi', store: false }

const cases = [
  {
    path: 'v1/messages',
    body: message,
    start: () => startWithMessagesUpstream({ router }),
    answers: { stream: streamed('Hello'), whole: [whole('Hello')] },
    own: 'server_tool_use',
  },
  {
    path: 'v1/responses',
    body: response,
    start: () => startWithResponsesUpstream({ router }, onTestFinished),
    answers: { stream: streamedResponse('Hello'), whole: [wholeResponse('Hello')] },
    own: 'web_search_call',
  },
]

/** Without `_meta`, whose latency and cost are of the request. */
function withoutMeta(data: unknown): unknown {
  const dropMeta = (name: string, value: unknown) => (name === '_meta' ? undefined : value)
  return JSON.parse(JSON.stringify(data, dropMeta))
}

test.each(cases)(
  'a repeated stream of $path has the events of the first one',
  async ({ start, path, body, answers, own }) => {
    const { post, upstream } = await start()
    upstream.answer = answers.stream
    const first = await post(path, { ...body, stream: true })
    const firstEvents = eventsOf(await first.text())

    const second = await post(path, { ...body, stream: true })

    expect(second.headers.get('x-modelport-cache')).toBe('hit')
    const events = eventsOf(await second.text())
    expect(JSON.stringify(events)).toContain(own)
    expect(withoutMeta(events)).toEqual(withoutMeta(firstEvents))
    expect(upstream.requests).toHaveLength(1)
  },
)

test.each(cases)(
  'a repeated answer of $path is the first one; a stream of it asks again',
  async ({ start, path, body, answers }) => {
    const { post, upstream } = await start()
    upstream.answer = answers.whole
    const first: unknown = await (await post(path, body)).json()

    const second = await post(path, body)

    expect(second.headers.get('x-modelport-cache')).toBe('hit')
    expect(withoutMeta(await second.json())).toEqual(withoutMeta(first))
    upstream.answer = answers.stream
    const stream = await post(path, { ...body, stream: true })
    expect(stream.headers.get('x-modelport-cache')).toBe('miss')
    await stream.text()
    expect(upstream.requests).toHaveLength(2)
  },
)
