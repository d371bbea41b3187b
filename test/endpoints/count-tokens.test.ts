/** `count_tokens` by the vendor of the model that the router would choose, and estimated without one. */
import { expect, test } from 'vitest'
import { startWithMessagesUpstream } from './messages-upstream.ts'

const path = 'v1/messages/count_tokens'
const body = {
  model: 'auto',
  messages: [{ role: 'user', content: 'Hello' }],
  tools: [],
  future: 1,
}
const beta = { headers: { 'anthropic-beta': 'some-beta' } }

test('a provider in Anthropic’s form counts the caller’s own body', async () => {
  const { post, upstream, ledger } = await startWithMessagesUpstream()
  upstream.answer = ['{"input_tokens":4321}']

  const answer = await post(path, body, beta)

  expect(answer.headers.get('x-modelport-estimated')).toBe('false')
  expect(await answer.json()).toEqual({ input_tokens: 4321 })
  const [sent] = upstream.requests
  expect(sent?.path).toBe('/v1/messages/count_tokens')
  expect(sent?.text).toBe(JSON.stringify({ ...body, model: 'claude-opus-4-8' }))
  expect(sent?.headers).toMatchObject({ 'anthropic-beta': 'some-beta', 'x-api-key': 'sk-ant-fake' })
  expect(answer.headers.get('x-ratelimit-remaining-requests')).toBeNull()
  expect(await ledger(0)).toEqual([])
})

test('the same prompt is counted once', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = ['{"input_tokens":7}']

  await post(path, body)
  upstream.answer = ['{"input_tokens":8}']

  expect(await (await post(path, body)).json()).toEqual({ input_tokens: 7 })
  expect(upstream.requests).toHaveLength(1)
})

test('rule 18: a burst of 27 is answered although the provider does not count, and asks it a few times', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  const countOf = (nth: number) =>
    post(`${path}?beta=true`, { ...body, messages: [{ role: 'user', content: `Tool ${nth}` }] })

  const answers = await Promise.all(Array.from({ length: 27 }, (_, nth) => countOf(nth)))

  for (const { status, headers } of answers) {
    expect(status).toBe(200)
    expect(headers.get('x-modelport-estimated')).toBe('true')
  }
  expect(upstream.requests.length).toBeLessThanOrEqual(8)
})

test('a body cannot choose an upstream, and what only the user may set is not sent', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  upstream.answer = ['{"input_tokens":7}']

  const refused = await post(path, { ...body, api_base: 'https://other.example' })
  const answer = await post(path, { ...body, speed: 'fast', fallbacks: [{ model: 'other' }] })

  expect([refused.status, answer.status]).toEqual([400, 200])
  expect(upstream.requests.map(({ text }) => text)).toEqual([
    JSON.stringify({ ...body, model: 'claude-opus-4-8' }),
  ])
})

test('a failed count does not take the model out of use', async () => {
  const { post, upstream } = await startWithMessagesUpstream({ models: { other: {} } })
  for (let nth = 0; nth < 3; nth += 1) {
    await post(path, { ...body, messages: [{ role: 'user', content: `${nth}` }] })
  }

  const answer = await post('v1/messages', { ...body, max_tokens: 10, stream: true })

  expect(await answer.text()).toContain('claude:claude-opus-4-8')
  expect(answer.headers.has('x-modelport-fallback')).toBe(false)
  expect(upstream.requests.filter((sent) => sent.path.includes('count_tokens'))).toHaveLength(1)
})

test.each([
  ['a model without a counter', { model: 'fake:other' }],
  ['an unknown model', { model: 'claude-haiku-5-5' }],
])('%s gets an estimate', async (_name, fields) => {
  const { post, upstream } = await startWithMessagesUpstream({ models: { other: {} } })
  upstream.answer = ['{"input_tokens":1}']

  const answer = await post(path, { ...body, ...fields })

  expect(answer.headers.get('x-modelport-estimated')).toBe('true')
  expect(upstream.requests).toEqual([])
})
