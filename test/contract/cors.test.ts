/** Requests from web pages: the CORS headers of allowed origins, and the report of refused ones. */
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startTestService } from '../test-service.ts'

const origin = 'https://app.example.com'
const hello = { messages: [{ role: 'user', content: 'Hello' }] }

async function startAllowing(...allowed: string[]) {
  const running = await startTestService()
  await running.service.dashboard.setSetting('allowedOrigins', allowed)
  const preflight = (headers: Record<string, string>) =>
    running.get('v1/chat/completions', {
      method: 'OPTIONS',
      headers: { authorization: '', 'access-control-request-method': 'POST', ...headers },
    })
  return { ...running, preflight }
}

/** The header names that OpenAI's SDK sends from a browser. */
async function headersOfBrowserSdk(): Promise<string> {
  const names: string[] = []
  const client = new OpenAI({
    apiKey: 'mp_x',
    baseURL: 'https://localhost:1/v1',
    dangerouslyAllowBrowser: true,
    maxRetries: 0,
    fetch: async (_url, init) => {
      names.push(...new Headers(init?.headers).keys())
      return Response.json({ choices: [] })
    },
  })
  await client.chat.completions.create({
    model: 'auto',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  return names.filter((name) => name !== 'accept').join(',')
}

test('a preflight allows every header that OpenAI’s SDK sends from a browser', async () => {
  const { preflight } = await startAllowing(origin)
  const asked = await headersOfBrowserSdk()

  const answer = await preflight({ origin, 'access-control-request-headers': asked })

  expect(asked).toContain('x-stainless-')
  expect(answer.status).toBe(204)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': asked,
    vary: 'Origin, Access-Control-Request-Headers',
  })
  expect(await answer.text()).toBe('')
})

test('a preflight does not repeat invalid header names', async () => {
  const { preflight } = await startAllowing(origin)

  const answer = await preflight({ origin, 'access-control-request-headers': 'a b, c:d' })

  expect(answer.headers.get('access-control-allow-headers')).toBe(
    'authorization, content-type, idempotency-key',
  )
})

test('a public page may reach this private network only if its origin is allowed', async () => {
  const { preflight } = await startAllowing(origin)
  const asking = { 'access-control-request-private-network': 'true' }

  const allowed = await preflight({ origin, ...asking })
  const refused = await preflight({ origin: 'https://evil.example', ...asking })
  const plain = await preflight({ origin })

  expect(allowed.headers.get('access-control-allow-private-network')).toBe('true')
  expect(plain.headers.get('access-control-allow-private-network')).toBeNull()
  expect(refused.status).toBe(403)
  expect([...refused.headers.keys()].filter((name) => name.startsWith('access-'))).toEqual([])
})

test('an allowed page may read the headers of answers and errors', async () => {
  const { post } = await startAllowing(origin)

  const streamed = await post(
    'chat/completions',
    { ...hello, stream: true },
    { headers: { origin } },
  )
  const failed = await post('chat/completions', {}, { headers: { origin } })
  await streamed.text()

  for (const answer of [streamed, failed]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-request-id')
    expect(answer.headers.get('access-control-allow-headers')).toBeNull()
  }
})

test('a refused page with a key is reported, and allowing its origin removes it from the list', async () => {
  const { service, post } = await startTestService()
  const told: unknown[] = []
  service.on('refused-origins', (origins) => told.push(origins))
  const ask = () => post('chat/completions', hello, { headers: { origin } })

  const refused = await ask()
  await expect.poll(() => told).toEqual([[origin]])
  await service.dashboard.setSetting('allowedOrigins', [origin])
  const allowed = await ask()

  expect([refused.status, allowed.status]).toEqual([403, 200])
  expect(service.refusedOrigins()).toEqual([])
})

test('a page that only probes the port is refused without a report', async () => {
  const { service, get } = await startTestService()

  const answer = await get('models', { headers: { origin, authorization: '' } })
  const probe = await get('models', { method: 'OPTIONS', headers: { origin, authorization: '' } })

  expect([answer.status, probe.status]).toEqual([403, 403])
  expect(service.refusedOrigins()).toEqual([])
})

test.each([
  'https://app.example.com/',
  'https://app.example.com/path',
  'app.example.com',
  'null',
  '*',
  '',
])('%j cannot be allowed, because no browser sends such an origin', async (wrong) => {
  const { service } = await startTestService()

  await expect(service.dashboard.setSetting('allowedOrigins', [wrong])).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('https://app.example.com'),
  })
})
