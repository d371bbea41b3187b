/** A router's own time limits, over the wire. */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { ExplainedDetail } from '../../src/shared/requests/detail.ts'
import { defaultTimeLimits } from '../../src/shared/routers/time-limits.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

async function setLimits({ service, routerId }: TestService, timeLimits: object, models: string[]) {
  await service.dashboard.updateRouter(routerId, {
    name: 'Test',
    strategy: 'priority',
    models,
    timeLimits,
  })
}

test('a new limit for the first token applies from the next request on, and the next model answers', async () => {
  const upstream = await startTestService({
    models: { slow: { firstByteDelayMs: 600, text: 'Slow.' }, quick: { text: 'Quick.' } },
  })
  const ask = async () =>
    (await upstream.post('chat/completions', { ...hello, stream: true })).text()

  expect(await ask()).toContain('"model":"fake:slow"')
  // The limit is also that of the next model, which a busy machine must not exceed.
  upstream.fake.setModel('slow', { firstByteDelayMs: 60_000 })
  await setLimits(upstream, { firstTokenMs: 2_000 }, ['fake:slow', 'fake:quick'])

  expect(await ask()).toContain('"model":"fake:quick"')
})

test('a connection that does not open in time is replaced by the next model', async () => {
  const upstream = await startTestService({ models: { works: {} } })
  // Accepts and never answers the TLS handshake.
  const silent = createServer()
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void silent.close())
  // A listening TCP server's address is an AddressInfo.
  const { port } = silent.address() as AddressInfo
  await upstream.service.dashboard.addProvider({
    id: 'silent',
    type: 'openai-compatible',
    baseUrl: `https://127.0.0.1:${port}/v1`,
    apiKey: 'sk-test-key-0123456789',
  })
  await upstream.service.dashboard.saveModel({
    id: 'silent:model',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 1,
    contextTokens: 100_000,
  })
  await setLimits(upstream, { connectMs: 2_000 }, ['silent:model', 'fake:works'])

  const answer = await upstream.post('chat/completions', hello)

  expect(await answer.json()).toMatchObject({ model: 'fake:works' })
  await upstream.ledger(1)
  // The form of Modelport's own answer.
  const record = await upstream.get(`v1/requests/${answer.headers.get('x-request-id')}`)
  const { detail } = (await record.json()) as { detail: ExplainedDetail }
  const [attempt] = detail.attempts
  expect(attempt).toMatchObject({ model: 'silent:model', outcome: 'timeout' })
  expect(attempt?.tookMs).toBeLessThan(defaultTimeLimits.connectMs)
})
