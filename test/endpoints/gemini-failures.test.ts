/** An upstream's failure in Google's form, as clients wait or stop by it. */
import { expect, test } from 'vitest'
import { errorReply } from '../fake-provider.ts'
import { startTestService } from '../test-service.ts'

const body = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
const path = 'v1beta/models/auto:generateContent'

test('a rejected provider key ends the client’s turn at once', async () => {
  const { post } = await startTestService({ models: { one: { reply: errorReply(401) } } })

  const answer = await post(path, body)

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ domain: 'modelport' }] },
  })
})

test('a stream that broke off by the upstream’s limit says so, with its words', async () => {
  const piece = { choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: null }] }
  const error = { message: 'Slow down', code: 'rate_limit_exceeded' }
  const events = [piece, { error }].map((event) => JSON.stringify(event))
  const { post } = await startTestService({ models: { one: { events } } })

  const answer = await post('v1beta/models/auto:streamGenerateContent?alt=sse', body)

  const last = (await answer.text()).trim().split('\n\n').at(-1) ?? ''
  expect(JSON.parse(last.slice('data: '.length))).toMatchObject({
    error: {
      code: 429,
      status: 'RESOURCE_EXHAUSTED',
      message: expect.stringContaining('Slow down') as string,
    },
  })
})

test('a limit of the only model is a 503 that says when to come back', async () => {
  const reply = errorReply(429, { retryAfterSeconds: 120 })
  const { post } = await startTestService({ models: { one: { reply } } })

  const answer = await post(path, body)

  expect(answer.status).toBe(503)
  const { error } = Object(await answer.json())
  expect(error.status).toBe('UNAVAILABLE')
  expect(error.details).toContainEqual({
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay: `${answer.headers.get('retry-after')}s`,
  })
})
