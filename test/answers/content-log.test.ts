/** Routers that log contents: what is stored, and when it is deleted. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RouterInput } from '../../src/shared/entities.ts'
import { routingSettingsSchema } from '../../src/shared/routers/routing-settings.ts'
import { errorReply, type FakeModelScript } from '../fake-provider.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const routing = (contentDays: number | null) => routingSettingsSchema.parse({ contentDays })

async function startLogged(model: FakeModelScript = { text: 'canary-answer' }, router = {}) {
  return await startTestService({
    models: { 'fake-model': model },
    router: { routing: routing(7), ...router },
  })
}

const question = { messages: [{ role: 'user', content: 'canary-question' }] }

/** The stored contents of an answered request, parsed from JSON. */
async function keptOf({ service, ledger }: TestService, requestId: string | null) {
  await ledger(1)
  const kept = await service.usage.content(requestId ?? '')
  return (
    kept && {
      ...kept,
      request: JSON.parse(kept.request) as unknown,
      answer: kept.answer === null ? null : (JSON.parse(kept.answer) as unknown),
    }
  )
}

function routerWith(contentDays: number | null): RouterInput {
  return {
    name: 'Test',
    strategy: 'priority',
    models: ['fake:fake-model'],
    routing: routing(contentDays),
  }
}

/** Files of the data folder that contain any of these words. */
function filesWith(words: RegExp, folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter(({ parentPath, name }) => words.test(readFileSync(join(parentPath, name), 'latin1')))
    .map(({ name }) => name)
}

test.each([false, true])(
  'the complete request and answer are stored, a stream as one answer (stream %s)',
  async (stream) => {
    const upstream = await startLogged()

    const answer = await upstream.post('chat/completions', { ...question, stream })
    await answer.text()

    expect(await keptOf(upstream, answer.headers.get('x-request-id'))).toMatchObject({
      routerId: upstream.routerId,
      request: { ...question, stream },
      isRequestCut: false,
      answer: {
        model: 'fake:fake-model',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'canary-answer' },
            finish_reason: 'stop',
          },
        ],
      },
      isAnswerCut: false,
    })
  },
)

test('an answer from the cache is stored, too', async () => {
  const upstream = await startLogged({ text: 'Kept.' }, { cacheTtlSeconds: 60 })
  await (await upstream.post('chat/completions', question)).text()

  const answer = await upstream.post('chat/completions', question)
  await answer.text()

  expect(answer.headers.get('x-modelport-cache')).toBe('hit')
  expect(await keptOf(upstream, answer.headers.get('x-request-id'))).toMatchObject({
    answer: { choices: [{ message: { content: 'Kept.' } }] },
  })
})

test('a failed request is stored without an answer', async () => {
  const upstream = await startLogged({ reply: errorReply(500) })

  const answer = await upstream.post('chat/completions', question)

  expect(answer.status).toBe(503)
  expect(await keptOf(upstream, answer.headers.get('x-request-id'))).toMatchObject({
    request: question,
    answer: null,
  })
})

test('a stream that breaks off is stored up to that point and marked as unfinished', async () => {
  const upstream = await startLogged({
    text: 'abcdef',
    chunks: 6,
    fault: { kind: 'reset', afterEvents: 3 },
  })

  const answer = await upstream.post('chat/completions', { ...question, stream: true })
  await answer.text()

  expect(await keptOf(upstream, answer.headers.get('x-request-id'))).toMatchObject({
    answer: { choices: [{ message: { content: 'ab' }, finish_reason: null }] },
  })
})

test.each([false, true])(
  'contents that are too long are cut and marked (stream %s)',
  async (stream) => {
    const upstream = await startLogged({ text: 'ä'.repeat(300_000) })
    const figures = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 10_000_000 }
    await upstream.service.dashboard.saveModel({ id: 'fake:fake-model', ...figures })
    const long = { messages: [{ role: 'user', content: `${'ü'.repeat(500_000)}end` }] }

    const answer = await upstream.post('chat/completions', { ...long, stream })
    await answer.text()
    await upstream.ledger(1)
    const kept = await upstream.service.usage.content(answer.headers.get('x-request-id') ?? '')

    expect(kept).toMatchObject({ isRequestCut: true, isAnswerCut: true })
    const bytes = Buffer.byteLength(`${kept?.request}${kept?.answer}`)
    expect(bytes).toBeLessThanOrEqual(1024 * 1024)
    expect(bytes).toBeGreaterThan(1024 * 1024 - 10)
    expect(`${kept?.request}${kept?.answer}`).not.toContain('\uFFFD')
  },
)

test('nothing is stored for a router that does not log contents', async () => {
  const upstream = await startTestService({ models: { 'fake-model': { text: 'canary-answer' } } })

  const answer = await upstream.post('chat/completions', question)
  await answer.text()

  expect(await keptOf(upstream, answer.headers.get('x-request-id'))).toBeNull()
})

test('contents are in no ledger column and not in the log, and contain no key', async () => {
  const upstream = await startLogged({ text: 'canary-answer', usage: 'none' })
  const answer = await upstream.post('chat/completions', question)
  await answer.text()
  const id = answer.headers.get('x-request-id') ?? ''
  await upstream.ledger(1)

  const told = await (await upstream.get(`v1/requests/${id}`)).text()
  const kept = JSON.stringify(await upstream.service.usage.content(id))

  expect(told).not.toMatch(/canary-(question|answer)/)
  expect(kept).toMatch(/canary-question.*canary-answer/)
  expect(kept).not.toContain(upstream.apiKey)
  expect(kept).not.toContain('sk-fake-provider-key')
  expect(filesWith(/canary-(question|answer)/, join(upstream.dataDir, 'logs'))).toEqual([])
})

test.each([
  [
    'logging is switched off',
    ({ service, routerId }: TestService) =>
      service.dashboard.updateRouter(routerId, routerWith(null)),
  ],
  [
    'the router is deleted',
    ({ service, routerId }: TestService) => service.dashboard.removeRouter(routerId),
  ],
])('once %s, no file contains any of it', async (_what, forget) => {
  const upstream = await startLogged()
  await (await upstream.post('chat/completions', question)).text()
  await upstream.ledger(1)

  await forget(upstream)
  await upstream.service.close()

  expect(filesWith(/canary-(question|answer)/, upstream.dataDir)).toEqual([])
})

test('an answer that ends after logging was switched off is not stored', async () => {
  const upstream = await startLogged({ text: 'canary-answer', firstByteDelayMs: 500 })
  const asked = upstream.post('chat/completions', question)
  await expect.poll(() => upstream.fake.requestCount()).toBe(1)

  await upstream.service.dashboard.updateRouter(upstream.routerId, routerWith(null))
  const answer = await asked
  await answer.text()

  expect(answer.status).toBe(200)
  expect(await keptOf(upstream, answer.headers.get('x-request-id'))).toBeNull()
})

test('a refused request has no row and no stored contents', async () => {
  const upstream = await startLogged({}, { requestsPerMinute: 1 })
  await (await upstream.post('chat/completions', hello)).text()

  const refused = await upstream.post('chat/completions', question)

  expect(refused.status).toBe(429)
  expect(await keptOf(upstream, refused.headers.get('x-request-id'))).toBeNull()
})
