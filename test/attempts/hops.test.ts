/** Modelports behind each other: a chain is served, a loop ends. */
import { expect, test } from 'vitest'
import { hello, startTestService, type TestService } from '../test-service.ts'

const plainHttp = { service: { httpPort: 0 } }

/** Adds `other` as a provider of `running`. @returns the address of a router that uses only it */
async function routeTo(running: TestService, routerUrl: string, apiKey: string): Promise<string> {
  const { dashboard } = running.service
  const type = 'openai-compatible'
  const baseUrl = `${routerUrl}/v1`
  await dashboard.addProvider({ id: 'next', type, baseUrl, apiKey })
  await dashboard.saveModel({
    id: 'next:auto',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 1,
    contextTokens: 100_000,
  })
  const router = { name: 'Next', strategy: 'priority' as const, models: ['next:auto'] }
  return (await dashboard.createRouter(router)).id
}

function httpUrlOf({ service }: TestService, routerId: string): string {
  const endpoint = service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('not listening')
  return `${endpoint.httpUrl}/api/router/${routerId}`
}

const embedded = { input: 'Hello' }

test.each([
  ['chat/completions', hello],
  ['v1/messages', { ...hello, model: 'claude', max_tokens: 10 }],
  ['v1/responses', { input: 'Hello', model: 'auto' }],
])('a request to %s says upstream how many Modelports it passed through', async (path, body) => {
  const running = await startTestService()
  const { key } = await running.service.dashboard.createApiKey({
    name: 'any',
    routers: 'all',
    acceptAnyModel: true,
  })
  const authorization = `Bearer ${key}`

  await running.post(path, body, { headers: { authorization } })
  await running.post(path, body, { headers: { authorization, 'x-modelport-hop': '3' } })

  const hops = running.fake.requests.map(({ headers }) => headers['x-modelport-hop'])
  expect(hops).toEqual(['1', '4'])
})

test('a request that passed through five Modelports is a 400 and goes nowhere', async () => {
  const running = await startTestService()

  for (const [path, body] of [
    ['chat/completions', hello],
    ['v1/embeddings', embedded],
  ] as const) {
    const answer = await running.post(path, body, { headers: { 'x-modelport-hop': '5' } })
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_parameter', param: 'x-modelport-hop' } },
    ])
  }
  expect(running.fake.requests).toEqual([])
})

test('two Modelports that use each other as a provider answer with one error', async () => {
  const [one, two] = [await startTestService(plainHttp), await startTestService(plainHttp)]
  // The router of `two` must exist before that of `one`, so `one` begins with an address that it changes later.
  const atTwo = await routeTo(two, httpUrlOf(one, one.routerId), one.apiKey)
  const atOne = await routeTo(one, httpUrlOf(two, atTwo), two.apiKey)
  const baseUrl = `${httpUrlOf(one, atOne)}/v1`
  await two.service.dashboard.updateProvider('next', { baseUrl })
  await two.service.dashboard.setProviderKey('next', one.apiKey)

  const answer = await one.post(`${one.origin}/api/router/${atOne}/chat/completions`, hello)

  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { message: expect.stringContaining('passed through 5 Modelports') } },
  ])
  expect((await one.ledger(3)).length + (await two.ledger(2)).length).toBe(5)
})
