/** What failures teach the service: breakers, cool-downs, providers that are out, limits of time. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openWorkspace } from '../src/service/workspace.ts'
import { errorReply, startFakeProvider, type FakeModelScript } from './fake-provider.ts'
import { hello, startTestService, type TestService } from './test-service.ts'

const works = { text: 'Second answers.' }
const streamed = { ...hello, stream: true }
const fails = { reply: errorReply(500) }

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

/** A second provider behind the same router: `other:<name>` for each of its models. */
async function addOther(
  { service, fake, routerId }: TestService,
  models: Readonly<Record<string, FakeModelScript>>,
  first: readonly string[],
) {
  const other = await startFakeProvider({ models, tls: false })
  onTestFinished(() => other.close())
  await service.dashboard.addProvider({
    id: 'other',
    type: 'openai-compatible',
    baseUrl: other.url,
    apiKey: 'sk-other-provider-key',
  })
  const added = Object.keys(models).map((name) => `other:${name}`)
  for (const id of added) {
    await service.dashboard.saveModel({
      id,
      inputUsdPerMtok: 1,
      outputUsdPerMtok: 2,
      contextTokens: 100_000,
    })
  }
  const router = { name: 'Two', strategy: 'priority' as const, models: [...first, ...added] }
  await service.dashboard.updateRouter(routerId, router)
  return { fake, other }
}

async function postTimes({ post }: TestService, times: number) {
  const answers = []
  for (let time = 0; time < times; time += 1) {
    const answer = await post('chat/completions', hello)
    answers.push({
      status: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      shouldRetry: answer.headers.get('x-should-retry'),
      body: await answer.text(),
    })
  }
  return answers
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
      body: expect.stringContaining('another request is just trying whether it works again'),
    })
    expect(upstream.fake.requestCount()).toBe(6)
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
    expect(answer?.body).toMatch(/fake:first: not asked, it failed too often \(again in \d+ s\)/)
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

  test('is not asked even as the only one: the 503 says when, and lets the SDK retry', async () => {
    const { clock, advance } = testClock()
    const upstream = await startTestService({
      models: { only: limited },
      service: { clock, random: () => 0 },
    })

    const [asked] = await postTimes(upstream, 1)
    advance(5_000)
    const [unasked] = await postTimes(upstream, 1)

    expect(asked).toMatchObject({ status: 503, retryAfter: '20', shouldRetry: 'false' })
    expect(unasked).toMatchObject({ status: 503, retryAfter: '15', shouldRetry: null })
    expect(unasked?.body).toContain('it limits the rate of requests (again in 15 s)')
    expect(upstream.fake.requestCount()).toBe(1)
    expect(await upstream.ledger(2)).toMatchObject([
      { status: 503, attempts: 0 },
      { status: 503, attempts: 1 },
    ])
  })
})

describe.each([
  ['rejects the key', 401, 'key_rejected'],
  ['is out of credit', 402, 'out_of_credit'],
] as const)('a provider that %s', (_what, status, problem) => {
  const says = { reply: errorReply(status) }

  test('is out with all its models, and another provider answers', async () => {
    const upstream = await startTestService({ models: { a: says, b: says } })
    const { fake, other } = await addOther(upstream, { c: works }, ['fake:a', 'fake:b'])

    const answers = await postTimes(upstream, 3)

    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
    expect(fake.requestCount()).toBe(1)
    expect(other.requestCount()).toBe(3)
    const [, health] = (await upstream.service.dashboard.providers()).map(
      (provider) => provider.health,
    )
    expect(health).toMatchObject({ status: 'failing', problem })
  })

  test('is asked again after its key was replaced', async () => {
    const upstream = await startTestService({ models: { only: says } })
    await postTimes(upstream, 2)
    upstream.fake.setModel('only', works)
    const [out] = await postTimes(upstream, 1)

    await upstream.service.dashboard.setProviderKey('fake', 'sk-another-fake-key')
    const [back] = await postTimes(upstream, 1)

    expect(out).toMatchObject({ status: 503, shouldRetry: 'false' })
    expect(back).toMatchObject({ status: 200 })
    expect(upstream.fake.requests.at(-1)?.headers.authorization).toBe('Bearer sk-another-fake-key')
  })

  test('is asked again after another process tested it', async () => {
    const upstream = await startTestService({ models: { only: says } })
    await postTimes(upstream, 2)
    upstream.fake.setModel('only', works)
    const command = await openWorkspace({
      dataDir: upstream.dataDir,
      cacheDir: upstream.dataDir,
      allowSessionSecrets: true,
      env: {},
      extraCa: upstream.fake.ca === null ? [] : [upstream.fake.ca],
    })
    onTestFinished(() => command.close())

    await command.dashboard.testProvider('fake')

    await vi.waitFor(
      async () => expect(await postTimes(upstream, 1)).toMatchObject([{ status: 200 }]),
      {
        timeout: 5_000,
      },
    )
  })

  test('is asked again after a successful test', async () => {
    const upstream = await startTestService({ models: { only: says } })
    await postTimes(upstream, 2)
    upstream.fake.setModel('only', works)

    await upstream.service.dashboard.testProvider('fake')
    const [back] = await postTimes(upstream, 1)

    expect(back).toMatchObject({ status: 200 })
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
  expect(answers[4]?.body).toContain('too many requests are being retried just now')
})

describe('limits of time', () => {
  // What a test is not about has its default: a busy machine must not run into it.

  test.each([
    ['before its headers', 0],
    ['after the role-only chunk', 1],
  ])(
    'a stream that hangs %s falls over when the first token is late',
    async (_when, afterEvents) => {
      const hangs: FakeModelScript = { fault: { kind: 'hang', afterEvents } }
      const { post, fake, ledger } = await startTestService({
        models: { first: hangs, second: works },
        service: { timeLimits: { firstTokenMs: 200 } },
      })

      const startedAt = performance.now()
      const answer = await post('chat/completions', streamed)
      const body = await answer.text()
      const tookMs = performance.now() - startedAt

      expect(body).toContain('"model":"fake:second"')
      expect(body).not.toContain('"model":"fake:first"')
      expect(tookMs).toBeGreaterThan(195)
      expect(tookMs).toBeLessThan(5_000)
      expect(await ledger(1)).toMatchObject([{ status: 200, attempts: 2 }])
      expect(fake.requests[0]?.abortedAtMs).not.toBeNull()
    },
  )

  test('a stream that hangs after its first delta ends with an error event', async () => {
    const first: FakeModelScript = {
      text: 'abcdef',
      chunks: 6,
      fault: { kind: 'hang', afterEvents: 3 },
    }
    const { post, fake, ledger } = await startTestService({
      models: { first, second: works },
      service: { timeLimits: { betweenChunksMs: 200 } },
    })

    const answer = await post('chat/completions', streamed)
    const body = await answer.text()

    expect(body).toContain('"content":"b"')
    expect(body).toMatch(
      /data: \{"error":\{"message":"[^"]*the next part of the answer took longer than 0.2 s[^\n]*\n\ndata: \[DONE\]\n\n$/,
    )
    expect(fake.requestCount()).toBe(1)
    expect(await ledger(1)).toMatchObject([{ status: 503, modelUsed: 'fake:first' }])
  })

  test('an answer in one piece is not held to the first token, only to the total', async () => {
    const slow: FakeModelScript = { text: 'Slow.', firstByteDelayMs: 400 }
    const hangs: FakeModelScript = { fault: { kind: 'hang', afterEvents: 0 } }
    const { post, fake } = await startTestService({
      models: { first: slow, second: works },
      service: { timeLimits: { firstTokenMs: 150, totalMs: 2_000 } },
    })

    const inTime = await post('chat/completions', hello)
    fake.setModel('first', hangs)
    const fallenOver = await post('chat/completions', hello)

    expect(await inTime.json()).toMatchObject({ model: 'fake:first' })
    expect(await fallenOver.json()).toMatchObject({ model: 'fake:second' })
  })

  test('a stream that never ends is cut by the total limit', async () => {
    const endless: FakeModelScript = { text: 'x'.repeat(500), chunks: 500, chunkDelayMs: 20 }
    const { post } = await startTestService({
      models: { first: endless },
      service: { timeLimits: { totalMs: 1_000 } },
    })

    const answer = await post('chat/completions', streamed)

    expect(await answer.text()).toMatch(/the answer took longer than 1 s/)
  })
})

describe('two deployments of one model at the same price', () => {
  /** Chance draws the first of the list both times: only load can send a request to the second. */
  async function startTwo(first: FakeModelScript, strategy: 'cost_optimized' | 'priority') {
    const upstream = await startTestService({
      models: { gpt: first },
      service: { random: () => 0 },
    })
    const { fake, other } = await addOther(upstream, { gpt: { text: 'Other.' } }, ['fake:gpt'])
    const models = ['fake:gpt', 'other:gpt']
    await upstream.service.dashboard.updateRouter(upstream.routerId, {
      name: 'Two',
      strategy,
      models,
    })
    return { upstream, fake, other }
  }

  test('the slower one gets fewer of the requests', async () => {
    const { upstream, fake, other } = await startTwo({ firstByteDelayMs: 150 }, 'cost_optimized')

    await Promise.all(Array.from({ length: 4 }, () => postTimes(upstream, 5)))

    expect(fake.requestCount() + other.requestCount()).toBe(20)
    expect(fake.requestCount()).toBeGreaterThan(0)
    expect(other.requestCount()).toBeGreaterThan(fake.requestCount())
  })

  test('one that fails fast is avoided from its first failure on', async () => {
    const { upstream, fake, other } = await startTwo(fails, 'cost_optimized')

    const answers = await postTimes(upstream, 5)

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(fake.requestCount()).toBe(1)
    expect(other.requestCount()).toBe(5)
  })

  test('one that refuses a bad request is not avoided for it', async () => {
    const refuses = { reply: errorReply(400) }
    const { upstream, fake, other } = await startTwo(refuses, 'cost_optimized')

    const answers = await postTimes(upstream, 3)

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(fake.requestCount()).toBe(3)
    expect(other.requestCount()).toBe(0)
  })

  test('keep the order a person gave them with the strategy priority', async () => {
    const { upstream, fake, other } = await startTwo({ firstByteDelayMs: 20 }, 'priority')

    await Promise.all(Array.from({ length: 4 }, () => postTimes(upstream, 2)))

    expect(fake.requestCount()).toBe(8)
    expect(other.requestCount()).toBe(0)
  })
})
