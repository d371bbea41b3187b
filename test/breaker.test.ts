/** What its failures teach about a model: breakers, cool-downs, and how much is tried again. */
import { describe, expect, test, vi } from 'vitest'
import { fails, postTimes, streamed, works } from './failing-models.ts'
import { errorReply, type FakeModelScript } from './fake-provider.ts'
import { hello, startTestService } from './test-service.ts'

/** A clock that runs, and can be put forward. */
function testClock() {
  let aheadMs = 0
  return {
    clock: () => performance.now() + aheadMs,
    advance: (ms: number) => {
      aheadMs += ms
    },
  }
}

describe('a model that failed five times in a row', () => {
  test('is passed over while others answer, and asked again once after 30 s', async () => {
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

  test('is still tried where it is the only one, and serves as soon as it can', async () => {
    const upstream = await startTestService({ models: { only: fails } })

    const refused = await postTimes(upstream, 7)
    upstream.fake.setModel('only', works)
    const [answer] = await postTimes(upstream, 1)

    expect(upstream.fake.requestCount()).toBe(8)
    expect(refused.at(-1)).toMatchObject({ status: 503, shouldRetry: 'false', retryAfter: '30' })
    expect(answer).toMatchObject({ status: 200 })
  })

  test('is tried by one request at a time; the others get a 503 that lets the SDK retry', async () => {
    const upstream = await startTestService({ models: { only: fails } })
    await postTimes(upstream, 5)
    upstream.fake.setModel('only', { ...works, firstByteDelayMs: 1_000 })

    const answers = (await Promise.all([1, 2, 3].map(() => postTimes(upstream, 1)))).flat()

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 503, 503])
    expect(answers.find(({ status }) => status === 503)).toMatchObject({
      shouldRetry: null,
      retryAfter: '1',
      body: expect.stringContaining('another request is testing whether it works again'),
    })
    expect(upstream.fake.requestCount()).toBe(6)
  })

  test('is shown with its provider, until when it is passed over', async () => {
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

  test('is one of several: a request tries the one whose probe is soonest, and no other', async () => {
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
    // The second opened with the sixth request; the first opens now, a second later.
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

  test('serves everybody again from the first delta of its probe on', async () => {
    const { clock, advance } = testClock()
    const upstream = await startTestService({ models: { only: fails }, service: { clock } })
    await postTimes(upstream, 5)
    advance(30_000)
    upstream.fake.setModel('only', (_request, nth) =>
      nth === 6 ? { chunks: 4, chunkDelayMs: 1_000 } : works,
    )

    const probe = await upstream.post('chat/completions', streamed)
    const [answer] = await postTimes(upstream, 1)
    const rows = await upstream.ledger(6)
    await probe.text()

    expect(answer).toMatchObject({ status: 200 })
    // The probe's own row came last: its stream was still running.
    expect(rows.map(({ status }) => status)).toEqual([200, 503, 503, 503, 503, 503])
  })

  test('is probed by the next request when the probe’s caller went away', async () => {
    const { clock, advance } = testClock()
    const upstream = await startTestService({ models: { only: fails }, service: { clock } })
    await postTimes(upstream, 5)
    advance(30_000)
    upstream.fake.setModel('only', { fault: { kind: 'hang', afterEvents: 0 } })
    const caller = new AbortController()
    const probe = upstream.post('chat/completions', streamed, { signal: caller.signal })
    await vi.waitFor(() => expect(upstream.fake.requestCount()).toBe(6))
    caller.abort()
    await expect(probe).rejects.toThrow(/abort/i)
    await upstream.ledger(6)
    upstream.fake.setModel('only', works)

    expect(await postTimes(upstream, 1)).toMatchObject([{ status: 200 }])
  })

  test('is not so because of callers that went away or sent bad requests', async () => {
    const hangs: FakeModelScript = { fault: { kind: 'hang', afterEvents: 0 } }
    const upstream = await startTestService({ models: { first: hangs, second: works } })
    const { post, fake, ledger } = upstream
    for (let time = 1; time <= 6; time += 1) {
      const caller = new AbortController()
      const answer = post('chat/completions', streamed, { signal: caller.signal })
      await vi.waitFor(() => expect(fake.requestCount()).toBe(time))
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

describe('a model that asked to be left alone', () => {
  const limited = { reply: errorReply(429, { retryAfterSeconds: 20 }) }

  test('is not asked before the time it named, then at once', async () => {
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

  test('is not asked even as the only one: a 429 says when, and lets the SDK retry', async () => {
    const { clock, advance } = testClock()
    const upstream = await startTestService({
      models: { only: limited },
      service: { clock, random: () => 0 },
    })

    const [asked] = await postTimes(upstream, 1)
    advance(5_000)
    const [unasked] = await postTimes(upstream, 1)

    expect(asked).toMatchObject({ status: 429, retryAfter: '20', shouldRetry: 'false' })
    expect(unasked).toMatchObject({ status: 429, retryAfter: '15', shouldRetry: null })
    expect(unasked?.body).toContain('"code":"rate_limit_exceeded"')
    expect(unasked?.body).toContain('it is rate limiting (next try in 15 s)')
    expect(upstream.fake.requestCount()).toBe(1)
    expect(await upstream.ledger(2)).toMatchObject([
      { status: 429, attempts: 0 },
      { status: 429, attempts: 1 },
    ])
  })

  test('beside a model that failed otherwise is a 503', async () => {
    const upstream = await startTestService({ models: { limited, broken: fails } })

    const [answer] = await postTimes(upstream, 1)

    expect(answer).toMatchObject({ status: 503, shouldRetry: 'false' })
  })

  test('is waited for by OpenAI’s SDK, which then gets its answer', async () => {
    const upstream = await startTestService({
      models: { only: { reply: errorReply(429, { retryAfterSeconds: 1 }) } },
    })
    await postTimes(upstream, 1)
    upstream.fake.setModel('only', works)

    const answer = await upstream
      .openai()
      .chat.completions.create({ ...hello, model: 'auto' }, { maxRetries: 1 })

    expect(answer.choices[0]?.message.content).toBe('Second answers.')
    expect(await upstream.ledger(3)).toMatchObject([
      { status: 200, attempts: 1 },
      { status: 429, attempts: 0 },
      { status: 429, attempts: 1 },
    ])
  })
})

test('retries are a fifth of the requests and the reserve, whatever fails', async () => {
  // So many models that none fails five times, and a clock that stands still.
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
