/** A router that a person paused, at every endpoint. */
import { expect, test } from 'vitest'
import type { RouterInput } from '../../src/shared/entities.ts'
import { hello, startTestService } from '../test-service.ts'

const settings: RouterInput = {
  name: 'Test',
  strategy: 'priority',
  models: ['fake:fake-model'],
  cacheTtlSeconds: 60,
}
const question = [{ role: 'user', content: 'Hello' }]
const requests: [string, object][] = [
  ['chat/completions', hello],
  ['chat/completions', { ...hello, stream: true }],
  ['chat/completions', { ...hello, model: 'agent:anything' }],
  ['v1/messages', { model: 'auto', max_tokens: 20, messages: question }],
  ['v1/responses', { model: 'auto', input: 'Hello' }],
  ['v1/embeddings', { model: 'auto', input: 'Hello' }],
  [
    'v1beta/models/auto:generateContent',
    { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  ],
]

test('a paused router refuses every request, also one with a cached answer, until it is resumed', async () => {
  const { service, fake, post, routerId } = await startTestService({ router: settings })
  const setPaused = (isPaused: boolean) =>
    service.dashboard.updateRouter(routerId, { ...settings, routing: { isPaused } })
  expect((await post('chat/completions', hello)).status).toBe(200)
  await setPaused(true)

  for (const [path, body] of requests) {
    const refused = await post(path, body)
    const text = await refused.text()
    const told = [path, refused.status, refused.headers.get('x-should-retry')]
    expect(told).toEqual([path, 503, 'false'])
    expect(text).toContain(`modelport router update ${routerId} --no-pause`)
  }
  expect(fake.requestCount()).toBe(1)

  await setPaused(false)
  expect((await post('chat/completions', { ...hello, temperature: 0.5 })).status).toBe(200)
})
