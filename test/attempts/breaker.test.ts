/** What happens after a model fails: breakers, cool-downs and the retry budget. */
import { describe, expect, test } from 'vitest'
import { fails, postTimes, streamed, works } from './failing-models.ts'
import { errorReply, type FakeModel, type FakeModelScript } from '../fake-provider.ts'
import { hello, startTestService } from '../test-service.ts'

/** A clock that only the test advances. */
function testClock() {
  let nowMs = 1_000_000
  return {
    clock: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms
    },
  }
}

describe('a model that failed five times in a row', () => {
  test('is skipped while others answer, and tried once after 30 s', async () => {
    const { clock, advance } = testClock()
    const upstream = await startTestService({
      models: { first: fails, second: works },
      service: { clock },
    })
    const { fake } = upstream
    const asked = () => fake.requests.filter(({ model }) => model === 'first').length

    await postTimes(upstream, 8)
    expect(asked()).toBe(5)

    advance(30_000)
    await postTimes(upstream, 3)
    expect(asked()).toBe(6)

    fake.setModel('first', { text: 'First answers.' })
    advance(60_000)
    const [answer] = await postTimes(upstream, 1)
    expect(answer?.body).toContain('First answers.')
  })

  test('is still tried if it is the only one, and answers as soon as it works', async () => {
    const { clock } = testClock()
    const upstream = await startTestService({ models: { only: fails }, service: { clock } })

    const refused = await postTimes(upstream, 2)
    upstream.fake.setModel('only', works)
    const [answer] = await postTimes(upstream, 1)

    expect(upstream.fake.requestCount()).toBe(7)
    expect(refused.at(-1)).toMatchObject({ status: 503, shouldRetry: null, retryAfter: '30' })
    expect(answer).toMatchObject({ status: 200 })
  })

  test('is tried by one request at a time, and the others get a 503 that lets the SDK retry', async () => {
    const upstream = await startTestService({ models: { only: fails } })
    await postTimes(upstream, 2)
    const probed = Promise.withResolvers<FakeModel>()
    upstream.fake.setModel('only', () => probed.promise)

    const probe = postTimes(upstream, 1)
    await expect.poll(() => upstream.fake.requestCount()).toBe(7)
    const others = (await Promise.all([1, 2].map(() => postTimes(upstream, 1)))).flat()
    probed.resolve(works)

    expect(await probe).toMatchObject([{ status: 200 }])
    expect(others.map(({ status }) => status)).toEqual([503, 503])
    expect(others[0]).toMatchObject({
      shouldRetry: null,
      retryAfter: '1',
      body: expect.stringContaining('another request is testing whether it works again'),
    })
    expect(upstream.fake.requestCount()).toBe(7)
  })

  test('is listed with its provider and the time until which it is skipped', async () => {
    const nowMs = Date.UTC(2026, 10, 21)
    const upstream = await startTestService({
      models: { first: fails, second: works },
      service: { clock: () => 1_000_000, now: () => nowMs },
    })

    await postTimes(upstream, 5)

    const providers = await upstream.service.dashboard.providers()
    expect(providers.map(({ id, pausedModels }) => [id, pausedModels])).toEqual([
      ['fake', [{ modelId: 'fake:first', untilMs: nowMs + 30_000 }]],
      ['local', []],
    ])
  })

  test('among several such models, only the one with the earliest probe is tried', async () => {
    const { clock, advance } = testClock()
    const upstream = await startTestService({
      models: { first: fails, second: fails },
      service: { clock },
    })
    await postTimes(upstream, 4)
    upstream.fake.setModel('first', works)
    await postTimes(upstream, 1)
    upstream.fake.setModel('first', fails)
    await postTimes(upstream, 4)
    // The second breaker opened with the sixth request. The first opens now, a second later.
    advance(1_000)
    await postTimes(upstream, 1)
    const before = upstream.fake.requestCount()

    const [answer] = await postTimes(upstream, 1)

    const asked = upstream.fake.requests.slice(before).map(({ model }) => model)
    expect(asked).toEqual(['second'])
    expect(answer).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^2\d$/) })
    expect(answer?.body).toMatch(
      /fake:first: not tried, because it failed too often \(next try in \d+ s\)/,
    )
  })

  test('answers all requests again from the first delta of its probe', async () => {
    const { clock, advance } = testClock()
    const upstream = await startTestService({ models: { only: fails }, service: { clock } })
    await postTimes(upstream, 2)
    advance(30_000)
    upstream.fake.setModel('only', (_request, nth) =>
      nth === 7 ? { chunks: 4, chunkDelayMs: 1_000 } : works,
    )

    const probe = await upstream.post('chat/completions', streamed)
    const [answer] = await postTimes(upstream, 1)
    const rows = await upstream.ledger(3)
    await probe.text()

    expect(answer).toMatchObject({ status: 200 })
    // The probe's own row is written last, because its stream was still running.
    expect(rows.map(({ status }) => status)).toEqual([200, 503, 503])
  })

  test('is probed by the next request when the probe’s caller disconnected', async () => {
    const { clock, advance } = testClock()
    const upstream = await startTestService({ models: { only: fails }, service: { clock } })
    await postTimes(upstream, 2)
    advance(30_000)
    upstream.fake.setModel('only', { fault: { kind: 'hang', afterEvents: 0 } })
    const caller = new AbortController()
    const probe = upstream.post('chat/completions', streamed, { signal: caller.signal })
    await expect.poll(() => upstream.fake.requestCount()).toBe(7)
    caller.abort()
    await expect(probe).rejects.toThrow(/abort/i)
    await upstream.ledger(3)
    upstream.fake.setModel('only', works)

    expect(await postTimes(upstream, 1)).toMatchObject([{ status: 200 }])
  })

  test('does not count callers that disconnected or sent bad requests', async () => {
    const hangs: FakeModelScript = { fault: { kind: 'hang', afterEvents: 0 } }
    const upstream = await startTestService({ models: { first: hangs, second: works } })
    const { post, fake, ledger } = upstream
    for (let time = 1; time <= 6; time += 1) {
      const caller = new AbortController()
      const answer = post('chat/completions', streamed, { signal: caller.signal })
      await expect.poll(() => fake.requestCount()).toBe(time)
      caller.abort()
      await expect(answer).rejects.toThrow(/abort/i)
    }
    expect((await ledger(6)).map(({ status }) => status)).toEqual(Array(6).fill(499))
    fake.setModel('first', { reply: errorReply(400) })
    await postTimes(upstream, 6)
    fake.setModel('first', { text: 'First answers.' })

    const [answer] = await postTimes(upstream, 1)

    expect(answer?.body).toContain('First answers.')
  })
})

describe('a model that sent retry-after', () => {
  const limited = { reply: errorReply(429, { retryAfterSeconds: 20 }) }

  test('is not tried before that time, and then immediately', async () => {
    const { clock, advance } = testClock()
    const upstream = await startTestService({
      models: { first: limited, second: works },
      service: { clock, random: () => 0 },
    })
    const asked = () => upstream.fake.requests.filter(({ model }) => model === 'first').length

    await postTimes(upstream, 4)
    advance(19_000)
    await postTimes(upstream, 4)
    expect(asked()).toBe(1)

    advance(1_000)
    await postTimes(upstream, 1)
    expect(asked()).toBe(2)
  })

  test('is not tried even as the only one, and a 503 lets the SDK retry after that time', async () => {
    const { clock, advance } = testClock()
    const upstream = await startTestService({
      models: { only: limited },
      service: { clock, random: () => 0 },
    })

    const [asked] = await postTimes(upstream, 1)
    advance(5_000)
    const [unasked] = await postTimes(upstream, 1)

    expect(asked).toMatchObject({ status: 503, retryAfter: '20', shouldRetry: null })
    expect(unasked).toMatchObject({ status: 503, retryAfter: '15', shouldRetry: null })
    expect(unasked?.body).toContain('"code":"all_models_unavailable"')
    expect(unasked?.body).toContain('it is rate limiting (next try in 15 s)')
    expect(upstream.fake.requestCount()).toBe(1)
    expect(await upstream.ledger(2)).toMatchObject([
      { status: 503, attempts: 0 },
      { status: 503, attempts: 1 },
    ])
  })

  test('beside a model that failed for another reason, the answer is a 503', async () => {
    const upstream = await startTestService({ models: { limited, broken: fails } })

    const [answer] = await postTimes(upstream, 1)

    expect(answer).toMatchObject({ status: 503, shouldRetry: 'false' })
  })

  test('answers OpenAI’s SDK, which waits for that time', async () => {
    const { clock, advance } = testClock()
    const upstream = await startTestService({
      models: { only: { reply: errorReply(429, { retryAfterSeconds: 1 }) } },
      service: { clock, random: () => 0 },
    })
    await postTimes(upstream, 1)
    upstream.fake.setModel('only', works)

    // The service's clock passes the time for which the SDK then waits.
    const advancing: typeof fetch = async (...args) => {
      const answer = await fetch(...args)
      advance(Number(answer.headers.get('retry-after')) * 1_000)
      return answer
    }
    const answer = await upstream
      .openai()
      .withOptions({ fetch: advancing })
      .chat.completions.create({ ...hello, model: 'auto' }, { maxRetries: 1 })

    expect(answer.choices[0]?.message.content).toBe('Second answers.')
    expect(await upstream.ledger(3)).toMatchObject([
      { status: 200, attempts: 1 },
      { status: 503, attempts: 0 },
      { status: 503, attempts: 1 },
    ])
  })
})

test('retries are at most a fifth of the requests plus the reserve, whatever fails', async () => {
  // So many models that none fails five times, and a clock that does not move.
  const names = Array.from({ length: 30 }, (_, index) => `model-${index}`)
  const upstream = await startTestService({
    models: Object.fromEntries(names.map((name) => [name, fails])),
    service: { clock: () => 1_000_000 },
  })

  const answers = await postTimes(upstream, 5)

  expect(upstream.fake.requestCount()).toBe(5 + 100 + 1)
  expect(answers[4]).toMatchObject({ status: 503, shouldRetry: 'false' })
  expect(answers[4]?.body).toContain('too many requests are being retried now')
})
