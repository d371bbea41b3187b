/** Silence on a stream. Its ten seconds are simulated. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { errorReply, type FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const streamed = { messages: [{ role: 'user', content: 'Hello' }], stream: true }

/** Requests a stream, and lets ten seconds of silence pass once the upstream has the request. */
async function askAndWait(
  { post, fake }: TestService,
  { headers = {}, model = '' }: { headers?: Record<string, string>; model?: string } = {},
): Promise<string> {
  // Nothing else in the service uses such a short interval.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const answer = post('chat/completions', { ...streamed, model }, { headers })
  await vi.waitFor(() => expect(fake.requestCount()).toBe(1), { timeout: 60_000, interval: 5 })
  vi.advanceTimersByTime(10_000)
  expect((await answer).status).toBe(200)
  return await (await answer).text()
}

function silentThen(model: FakeModel): FakeModel {
  return { firstByteDelayMs: 300, ...model }
}

test('after ten seconds of silence a comment keeps the connection open, and the answer follows', async () => {
  const running = await startTestService({ models: { m: silentThen({ text: 'Hello.' }) } })

  const body = await askAndWait(running)

  expect(body).toMatch(/^: keep-alive\n\ndata: \{/)
  expect(body).toMatch(/"finish_reason":"stop".*\n\ndata: \[DONE\]\n\n$/)
})

test('a key without keep-alives gets the same stream without a comment', async () => {
  const running = await startTestService({ models: { m: silentThen({ text: 'Hello.' }) } })
  const { dashboard } = running.service
  const { key } = await dashboard.createApiKey({ name: 'naive', routers: 'all', keepAlive: false })

  const body = await askAndWait(running, { headers: { authorization: `Bearer ${key}` } })

  expect(body).toMatch(/^data: \{/)
  expect(body).not.toContain(': keep-alive')
  expect(body).toMatch(/"finish_reason":"stop".*\n\ndata: \[DONE\]\n\n$/)
})

test('after the first comment, a failed model is still replaced by the next one', async () => {
  const running = await startTestService({
    models: { first: silentThen({ reply: errorReply(500) }), second: { text: 'Second.' } },
  })

  const body = await askAndWait(running)

  expect(body).toContain('"model":"fake:second"')
  expect(body).not.toContain('"error"')
})

test('when every model fails after the first comment, the error is the only event', async () => {
  const running = await startTestService({ models: { m: silentThen({ reply: errorReply(500) }) } })

  const body = await askAndWait(running)

  expect(body).toMatch(
    /^: keep-alive\n\ndata: \{"error":\{.*"code":"all_models_unavailable"\}\}\n\ndata: \[DONE\]\n\n$/,
  )
  expect(await running.ledger(1)).toMatchObject([{ status: 503 }])
})

test('comments keep the connection while the steps before an agent’s last one run', async () => {
  const script = (text: string) => silentThen({ text, chunks: 1 })
  const running = await startTestService({
    models: { m: (_request, nth) => script(nth === 1 ? 'first' : 'second') },
  })
  const steps = [
    { id: 'a', type: 'prompt', user: 'a' },
    { id: 'b', type: 'prompt', user: 'b', needs: ['a'] },
  ]
  await running.service.dashboard.applyAgent(JSON.stringify({ name: 'test', steps }))

  const body = await askAndWait(running, { model: 'agent:test' })

  expect(body).toMatch(/^: keep-alive\n\ndata: \{.*"content":"second"/)
  expect(body).not.toContain('first')
  expect(body).toMatch(/"steps_executed":2.*\n\ndata: \[DONE\]\n\n$/)
})
