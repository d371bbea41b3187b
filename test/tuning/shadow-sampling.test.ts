/** Shadow sampling over the real request path: a second model and a judge, after the caller's answer. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RouterInput } from '../../src/shared/entities.ts'
import type { Preview } from '../../src/shared/routers/preview.ts'
import type { TuningRun } from '../../src/shared/tuning/tuning-run.ts'
import type { FakeModelScript } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { promptOf } from './starter-model.ts'

const fine: FakeModelScript = { text: 'A fine walrus answer.' }
const poor: FakeModelScript = { text: 'A poor walrus answer.' }
const hangs = { kind: 'hang', afterEvents: 0 } as const

/** Prefers fine answers. */
const judge: FakeModelScript = (request) => {
  const text = promptOf(request)
  const answerOf = (name: string) => text.split(`<<<${name} ANSWER`)[1]?.split('>>>')[1] ?? ''
  const [isFirst, isSecond] = [answerOf('FIRST'), answerOf('SECOND')].map((answer) =>
    answer.includes('fine'),
  )
  const better = isFirst === isSecond ? 'tie' : isFirst ? 'first' : 'second'
  return {
    text: JSON.stringify({
      kind: 'everyday_science',
      first_acceptable: isFirst,
      second_acceptable: isSecond,
      better,
    }),
  }
}

type Shadow = NonNullable<NonNullable<RouterInput['routing']>['shadow']>

const shadow: Shadow = { share: 1, maxUsdPerDay: 5, judge: 'fake:claude-judge' }

function start(
  given: {
    shadow?: Shadow | null
    models?: Record<string, FakeModelScript>
    router?: Partial<RouterInput>
  } = {},
) {
  return startTestService({
    models: { 'gpt-fine': fine, 'llama-poor': poor, 'claude-judge': judge, ...given.models },
    router: {
      models: ['fake:gpt-fine', 'fake:llama-poor'],
      routing: { shadow: given.shadow === undefined ? shadow : given.shadow },
      ...given.router,
    },
  })
}

function ask({ post }: TestService, content: string, more: object = {}) {
  return post('chat/completions', { messages: [{ role: 'user', content }], ...more })
}

async function samplesOf({ service, routerId }: TestService): Promise<TuningRun | undefined> {
  return (await service.tuning.list()).find((run) => run.id === `shadow-${routerId}`)
}

/** Resolves once so many samples are graded. */
async function graded(tested: TestService, count: number): Promise<TuningRun | undefined> {
  const gradedNow = async () => (await samplesOf(tested))?.prompts.graded
  await expect.poll(gradedNow).toBe(count)
  return await samplesOf(tested)
}

function askedOf({ fake }: TestService, model: string): number {
  return fake.requests.filter((request) => request.model === model).length
}

test('without the setting, no second model is asked', async () => {
  const tested = await start({ shadow: null })
  await (await ask(tested, 'Why is the sky blue?')).json()
  // The row of a request is stored after its answer, and a sample would have begun before this one.
  await (await ask(tested, 'Why is the sea salty?')).json()
  await tested.ledger(2)
  expect(tested.fake.requestCount()).toBe(2)
  expect(await samplesOf(tested)).toBeUndefined()
})

test('with a share of 1, every request of text is compared once, whole and streamed', async () => {
  const tested = await start()
  const whole = await ask(tested, 'Why do zookeepers like tides?')
  expect(await whole.json()).toMatchObject({ model: 'fake:gpt-fine' })
  const streamed = await ask(tested, 'Why do zookeepers like bridges?', { stream: true })
  expect(await streamed.text()).toContain('[DONE]')

  const run = await graded(tested, 2)
  expect(run).toMatchObject({ from: 'shadow', state: 'sampling', judge: 'fake:claude-judge' })
  expect(askedOf(tested, 'gpt-fine')).toBe(2)
  expect(askedOf(tested, 'llama-poor')).toBe(2)
  // Both orders, and a second time to measure the judge.
  expect(askedOf(tested, 'claude-judge')).toBe(8)
  const exported = await tested.service.tuning.export(run?.id ?? '')
  expect(exported).toHaveLength(2)
  for (const { kind, answers } of exported) {
    expect(kind).toBe('everyday_science')
    expect(answers).toEqual([
      { modelId: 'fake:gpt-fine', startLogit: expect.any(Number), grade: 1 },
      { modelId: 'fake:llama-poor', startLogit: expect.any(Number), grade: 0 },
    ])
  }
})

test('rows of samples have their own source, cost what the day’s account says, and are not counted', async () => {
  const tested = await start({ router: { tier: 'enterprise', dailyLimit: 2 } })
  const first = await ask(tested, 'Why do zookeepers like tides?')
  await first.json()
  const run = await graded(tested, 1)
  const rows = await tested.ledger(6)
  const sampled = rows.filter(({ source }) => source === 'shadow')
  expect(sampled).toHaveLength(5)
  expect(sampled.every(({ apiKeyId }) => apiKeyId === null)).toBe(true)
  const costNanoUsd = sampled.reduce((sum, row) => sum + row.costNanoUsd, 0)
  expect(costNanoUsd).toBeGreaterThan(0)
  expect(Math.round((run?.spentUsd ?? 0) * 1e9)).toBe(costNanoUsd)
  const second = await ask(tested, 'Why do zookeepers like bridges?')
  expect(second.status).toBe(200)
  expect(second.headers.get('x-ratelimit-remaining-requests')).toBe('0')
})

test('the caller has the whole answer while the second model is still working', async () => {
  const tested = await start({ models: { 'llama-poor': { fault: hangs } } })
  for (const stream of [false, true]) {
    const answer = await ask(tested, 'Why do zookeepers like tides?', { stream })
    expect(await answer.text()).toContain(stream ? '[DONE]' : 'walrus')
  }
  await expect.poll(() => askedOf(tested, 'llama-poor')).toBe(2)
  const [answered, sampled] = ['gpt-fine', 'llama-poor'].map((model) =>
    tested.fake.requests.find((request) => request.model === model),
  )
  expect(answered?.answeredAtMs).not.toBeNull()
  expect(sampled?.receivedAtMs).toBeGreaterThanOrEqual(answered?.answeredAtMs ?? Infinity)
  expect(sampled?.answeredAtMs).toBeNull()
})

test.each([
  ['a named model', { model: 'fake:gpt-fine' }],
  ['tools', { tools: [{ type: 'function', function: { name: 'look_up', parameters: {} } }] }],
  ['several answers', { n: 2 }],
  ['a reasoning effort', { reasoning_effort: 'low' }],
  ['a field of unknown cost', { web_search_options: {} }],
])('a request with %s is not sampled', async (_name, more) => {
  const tested = await start()
  await (await ask(tested, 'Why do zookeepers like tides?', more)).json()
  // Samples are taken in order: this one is graded after the first would have been.
  await (await ask(tested, 'Why do zookeepers like bridges?')).json()
  await graded(tested, 1)
  expect(askedOf(tested, 'llama-poor')).toBe(1)
})

test('an answer from the cache is not sampled again', async () => {
  const tested = await start({ router: { cacheTtlSeconds: 60 } })
  for (let times = 0; times < 2; times += 1) {
    await (await ask(tested, 'Why do zookeepers like tides?')).json()
  }
  await (await ask(tested, 'Why do zookeepers like bridges?')).json()
  await graded(tested, 2)
  expect(askedOf(tested, 'llama-poor')).toBe(2)
})

test('a failure of the second model is counted, and raises no alarm', async () => {
  const reply = { status: 400, body: '{"error":{"message":"no"}}' }
  const tested = await start({ models: { 'llama-poor': { reply } } })
  const alarms: unknown[] = []
  tested.service.on('alarm', (alarm) => alarms.push(alarm))
  expect((await ask(tested, 'Why do zookeepers like tides?')).status).toBe(200)
  const failed = async () => (await samplesOf(tested))?.requests.failed
  await expect.poll(failed).toBe(1)
  expect(alarms).toEqual([])
  expect(askedOf(tested, 'claude-judge')).toBe(0)
})

test('a cap below one sample asks no second model', async () => {
  const tested = await start({ shadow: { ...shadow, maxUsdPerDay: 0.001 } })
  await (await ask(tested, 'Why do zookeepers like tides?')).json()
  const message = async () => (await samplesOf(tested))?.message
  await expect.poll(message).toBe('1 sample was left out because of the cap per day.')
  expect(askedOf(tested, 'llama-poor')).toBe(0)
})

test('what samples teach counts in the next decision, until they are forgotten', async () => {
  const tested = await start({
    models: { 'gpt-fine': poor, 'llama-poor': fine },
    router: { strategy: 'quality_optimized' },
  })
  const expected = async () => {
    const headers = { 'x-modelport-preview': 'true' }
    const body = { messages: [{ role: 'user', content: 'Why do zookeepers like tides?' }] }
    const answer = await tested.post('chat/completions', body, { headers })
    const { model, decision } = (await answer.json()) as Preview
    const worse = decision.ranked.find((one) => one.model === 'fake:gpt-fine')
    return { model, quality: worse?.estimate.quality }
  }
  const before = await expected()
  for (let asked = 1; asked <= 12; asked += 1) {
    await (await ask(tested, `Why do zookeepers like tides and bridges ${asked}?`)).json()
    await graded(tested, asked)
  }
  const model = async () => (await expected()).model
  await expect.poll(model).toBe('fake:llama-poor')
  const quality = async () => (await expected()).quality
  expect(await quality()).toBeLessThan(before.quality ?? 0)
  const { service, routerId } = tested
  await service.tuning.apply({ id: `shadow-${routerId}`, to: 'none' })
  await expect.poll(quality).toBe(before.quality)
  expect(await samplesOf(tested)).toMatchObject({ appliesTo: 'none', prompts: { graded: 12 } })
  await service.tuning.apply({ id: `shadow-${routerId}`, to: 'router' })
  await expect.poll(model).toBe('fake:llama-poor')
  await service.tuning.forget(`shadow-${routerId}`)
  expect(await service.tuning.export(`shadow-${routerId}`)).toEqual([])
  await expect.poll(quality).toBe(before.quality)
})

test('no word of a prompt or an answer is in the data folder, graded or under way', async () => {
  const tested = await start({
    models: { 'llama-poor': (_request, nth) => (nth === 1 ? poor : { fault: hangs }) },
  })
  await (await ask(tested, 'Why do zookeepers like tides?')).json()
  await graded(tested, 1)
  await (await ask(tested, 'Why do zookeepers like bridges?')).json()
  await expect.poll(() => askedOf(tested, 'llama-poor')).toBe(2)
  const holding = () =>
    readdirSync(tested.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter((entry) =>
        /zookeeper|walrus/.test(readFileSync(join(entry.parentPath, entry.name), 'latin1')),
      )
      .map(({ name }) => name)
  expect(holding()).toEqual([])
  await tested.service.close()
  expect(holding()).toEqual([])
})

test.each([
  [{ ...shadow, judge: '' }, 'routing.shadow.judge', 'Choose a judge'],
  [{ share: 1, maxUsdPerDay: 5 } as Shadow, 'routing.shadow.judge', 'Choose a judge'],
  [{ ...shadow, judge: 'fake:unknown' }, 'routing.shadow.judge', 'is not known'],
  [{ ...shadow, judge: 'fake:gpt-fine' }, 'routing.shadow.judge', 'another vendor'],
  [{ ...shadow, share: 0 }, 'routing.shadow.share', 'above 0'],
  [{ ...shadow, maxUsdPerDay: 0 }, 'routing.shadow.maxUsdPerDay', 'above 0'],
])('%j is refused, naming %s', async (refused, field, words) => {
  const tested = await start({ shadow: null })
  const {
    id: _id,
    createdAtMs: _created,
    updatedAtMs: _updated,
    ...router
  } = (await tested.service.dashboard.routers()).find(
    ({ id }) => id === tested.routerId,
  ) as never as RouterInput & Record<string, unknown>
  const routing = { ...router.routing, shadow: refused }
  const update = tested.service.dashboard.updateRouter(tested.routerId, { ...router, routing })
  await expect(update).rejects.toMatchObject({ field, message: expect.stringContaining(words) })
})
