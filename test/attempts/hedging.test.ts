/** Hedging over HTTP: which model answers, the cost and the ledger's record. */
import { expect, test } from 'vitest'
import type { FakeModelScript } from '../fake-provider.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const warmUps = 3
/** Much slower than the other model, also on a busy machine. The test ends before, because this model is cancelled. */
const slowMs = 15_000
/** Slow enough to be hedged first, and quick enough to wait for. */
const slowishMs = 2_000

const dear = { prompt_tokens: 500, completion_tokens: 500, total_tokens: 1000 }
/** Fast at first, so that there is some spending, then slow. */
const slowBy =
  (ms: number): FakeModelScript =>
  (_request, nth) =>
    nth <= warmUps ? { text: 'First.', usage: dear } : { text: 'First.', firstByteDelayMs: ms }
const becomesSlow = slowBy(slowMs)
const quick = { text: 'Second.' }

async function startHedged(
  models: Readonly<Record<string, FakeModelScript>> = { first: becomesSlow, second: quick },
  hedge: { afterMs: number; maxExtraPercent?: number } = { afterMs: 150, maxExtraPercent: 100 },
): Promise<TestService> {
  // So late that no warm-up is hedged, also on a busy machine.
  const late = { ...hedge, afterMs: 30_000 }
  const upstream = await startTestService({ models, router: { hedge: late } })
  for (let nth = 0; nth < warmUps; nth += 1) await upstream.post('chat/completions', hello)
  const router = { name: 'Test', strategy: 'priority' as const, hedge }
  const ids = Object.keys(models).map((name) => `fake:${name}`)
  await upstream.service.dashboard.updateRouter(upstream.routerId, { ...router, models: ids })
  return upstream
}

function askedSince({ fake }: TestService): (string | null)[] {
  return fake.requests.slice(warmUps).map(({ model }) => model)
}

/** The answer of the requests address. */
interface RequestAnswer {
  cost: number
  detail: {
    tokens: { input: number; output: number }
    promptTokens: number
    attempts: { model: string; outcome: string }[]
  }
}

async function told(upstream: TestService, requestId: string | null): Promise<RequestAnswer> {
  await upstream.ledger(warmUps + 1)
  const answer = await upstream.get(`v1/requests/${requestId}`)
  // The form of Modelport's own answer.
  return (await answer.json()) as RequestAnswer
}

test.each([true, false])(
  'the faster model answers, the slower one is cancelled, and both are charged (stream %s)',
  async (stream) => {
    const upstream = await startHedged()

    const answer = await upstream.post('chat/completions', { ...hello, stream })
    const text = await answer.text()

    expect(text).toContain('"model":"fake:second"')
    // Nothing failed.
    expect(answer.headers.has('x-modelport-fallback')).toBe(false)
    expect(text).not.toContain('First.')
    expect(askedSince(upstream)).toEqual(['first', 'second'])
    await expect
      .poll(() => upstream.fake.requests[warmUps]?.abortedAtMs)
      .toEqual(expect.any(Number))
    const { cost, detail } = await told(upstream, answer.headers.get('x-request-id'))
    expect(detail.attempts.map(({ model, outcome }) => [model, outcome])).toEqual([
      ['fake:first', 'lost'],
      ['fake:second', 'answered'],
    ])
    const { input, output } = detail.tokens
    const answered = input * 1 + output * 2
    expect(cost).toBeCloseTo((answered + detail.promptTokens) / 1e6, 9)
  },
)

test('a hedged request counts once against the daily limit', async () => {
  const upstream = await startHedged()

  const answer = await upstream.post('chat/completions', hello)

  expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe(String(10_000 - warmUps - 1))
  expect(await upstream.ledger(warmUps + 1)).toHaveLength(warmUps + 1)
})

test('if the first model is faster after all, the second is cancelled', async () => {
  const upstream = await startHedged({
    first: slowBy(slowishMs),
    second: { text: 'Second.', firstByteDelayMs: slowMs },
  })

  const answer = await upstream.post('chat/completions', { ...hello, stream: true })

  expect(await answer.text()).toContain('"model":"fake:first"')
  expect(askedSince(upstream)).toEqual(['first', 'second'])
  await expect
    .poll(() => upstream.fake.requests[warmUps + 1]?.abortedAtMs)
    .toEqual(expect.any(Number))
})

test('a caller that disconnects ends both', async () => {
  const upstream = await startHedged({
    first: becomesSlow,
    second: { text: 'Second.', firstByteDelayMs: slowMs },
  })
  const controller = new AbortController()
  const init = { signal: controller.signal }
  const call = upstream.post('chat/completions', { ...hello, stream: true }, init)
  const gone = call.catch((error: unknown) => error)
  await expect.poll(() => askedSince(upstream)).toEqual(['first', 'second'])

  controller.abort()

  expect(await gone).toBeInstanceOf(Error)
  await expect
    .poll(() => upstream.fake.requests.slice(warmUps).map(({ abortedAtMs }) => abortedAtMs))
    .toEqual([expect.any(Number), expect.any(Number)])
  expect((await upstream.ledger(warmUps + 1))[0]).toMatchObject({ status: 499, attempts: 2 })
})

const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
const toolResult = [
  ...hello.messages,
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
]

test.each<[string, object, { afterMs: number; maxExtraPercent?: number }]>([
  ['a tool result is pending', { messages: toolResult }, { afterMs: 150, maxExtraPercent: 100 }],
  ['it would cost too much', hello, { afterMs: 150 }],
  ['the model is fast enough', hello, { afterMs: 10_000, maxExtraPercent: 100 }],
])('no second model is asked when %s', async (_why, body, hedge) => {
  const upstream = await startHedged({ first: slowBy(600), second: quick }, hedge)

  const answer = await upstream.post('chat/completions', body)

  expect(await answer.json()).toMatchObject({ model: 'fake:first' })
  expect(askedSince(upstream)).toEqual(['first'])
})

test('the reported adjustments are those of the model that answered', async () => {
  const upstream = await startHedged({
    first: slowBy(slowishMs),
    second: { text: 'Second.', firstByteDelayMs: slowMs },
  })
  await upstream.service.dashboard.saveModel({
    id: 'fake:second',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 100_000,
    refuses: ['temperature'],
  })

  const answer = await upstream.post('chat/completions', { ...hello, temperature: 0, stream: true })

  expect(await answer.text()).toContain('"model":"fake:first"')
  expect(answer.headers.get('x-modelport-adjusted')).toBeNull()
})
