/** Tuning runs over the real request path, against an upstream with models of scripted ability. */
import { expect, test } from 'vitest'
import type { TuningRun } from '../../src/shared/tuning/tuning-run.ts'
import type { FakeModelScript } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const topics = ['tides', 'bridges', 'verbs', 'taxes', 'violins', 'glaciers', 'bread', 'comets']

/** Prompts of different words: number 7 asks for the word `right 7`. */
function promptFile(count: number): string {
  return Array.from({ length: count }, (_item, index) => {
    const words = topics.filter((_topic, bit) => ((index + 1) >> bit) & 1).join(' and ')
    const prompt = `Question [${index}] about ${words}: what is the right word?`
    return JSON.stringify({ prompt, check: { type: 'exact', expected: [`right ${index}`] } })
  }).join('\n')
}

function indexOf(body: unknown): number {
  return Number(/\[(\d+)\]/.exec(JSON.stringify(body))?.[1])
}

/** Answers a share of the prompts right. */
function able(share: number): FakeModelScript {
  return ({ body }) => {
    const index = indexOf(body)
    return { text: (index * 7) % 10 < share * 10 ? `right ${index}` : 'wrong' }
  }
}

/** The same, billed for long answers. */
function wordy(share: number): FakeModelScript {
  const usage = { prompt_tokens: 60, completion_tokens: 900, total_tokens: 960 }
  return ({ body }) => {
    const index = indexOf(body)
    return { text: (index * 7) % 10 < share * 10 ? `right ${index}` : 'wrong', usage }
  }
}

async function runToItsEnd(
  { service, routerId }: TestService,
  { count, capUsd }: { count: number; capUsd: number },
): Promise<TuningRun> {
  const prompts = { from: 'file' as const, name: 'own.jsonl', text: promptFile(count) }
  const { id } = await service.tuning.start({ routerId, prompts, count, capUsd })
  await service.tuning.ended(id)
  return await service.tuning.get(id)
}

test('asks each model each prompt once, and finds how good each is', async () => {
  const tested = await startTestService({ models: { good: able(0.9), poor: able(0.2) } })
  const run = await runToItsEnd(tested, { count: 20, capUsd: 1 })
  expect(run).toMatchObject({
    state: 'done',
    stoppedBy: null,
    prompts: { total: 20, graded: 20, ungraded: 0 },
    requests: { answered: 40, failed: 0, lost: 0 },
    reservedUsd: 0,
  })
  expect(tested.fake.requestCount()).toBe(40)
  const rows = await tested.ledger(40)
  expect(rows.every(({ source }) => source === 'tune')).toBe(true)
  const costNanoUsd = rows.reduce((sum, row) => sum + row.costNanoUsd, 0)
  expect(Math.round(run.spentUsd * 1e9)).toBe(costNanoUsd)
  const result = await tested.service.tuning.result(run.id)
  expect(result?.models.map(({ all }) => all.quality?.mean)).toEqual([0.9, 0.2])
})

test.each([0.02, 0.05, 0.08])(
  'with a cap of $%d a run stops within it, and resumes with a higher one',
  async (capUsd) => {
    const models = { good: wordy(0.9), poor: wordy(0.2) }
    const tested = await startTestService({ models })
    const { service, fake } = tested
    const run = await runToItsEnd(tested, { count: 40, capUsd })
    expect(run).toMatchObject({ state: 'done', stoppedBy: 'cap', reservedUsd: 0 })
    const sent = fake.requestCount()
    const rows = await tested.ledger(sent)
    const costNanoUsd = rows.reduce((sum, row) => sum + row.costNanoUsd, 0)
    expect(costNanoUsd).toBe(Math.round(run.spentUsd * 1e9))
    expect(costNanoUsd).toBeLessThanOrEqual(Math.round(capUsd * 1e9))
    expect(run.prompts.graded).toBeLessThan(40)

    await service.tuning.resume({ id: run.id, capUsd: 1 })
    await service.tuning.ended(run.id)
    expect(await service.tuning.get(run.id)).toMatchObject({
      stoppedBy: null,
      prompts: { graded: 40 },
    })
    expect(fake.requestCount()).toBe(80)
  },
)

interface Preview {
  model: string
  decision: { ranked: { model: string; estimate: { qualitySource: string; quality: number } }[] }
}

test('what a run found counts in the next decision, until it is forgotten', async () => {
  const tested = await startTestService({
    models: { poor: able(0.1), good: able(1) },
    router: { strategy: 'quality_optimized' },
  })
  const body = { messages: [{ role: 'user', content: 'Question about tides: what is right?' }] }
  const preview = async () => {
    const headers = { 'x-modelport-preview': 'true' }
    const answer = await tested.post('chat/completions', body, { headers })
    return (await answer.json()) as Preview
  }
  const chosen = async () => (await preview()).model
  // Models of equal quality are chosen by their latency, which differs by chance.
  const sources = async () =>
    (await preview()).decision.ranked.map(({ estimate }) => estimate.qualitySource)
  expect(await chosen()).toBe('fake:poor')
  const run = await runToItsEnd(tested, { count: 60, capUsd: 1 })
  await expect.poll(chosen).toBe('fake:good')
  await tested.service.tuning.forget(run.id)
  await expect.poll(sources).toEqual(['price', 'price'])
})

test('a run applies to all routers, to its own, or to none, as chosen', async () => {
  const strategy = 'quality_optimized' as const
  const models = { poor: able(0.1), good: able(1) }
  const tested = await startTestService({ models, router: { strategy } })
  const { service, routerId } = tested
  const second = { name: 'Second', strategy, models: ['fake:poor', 'fake:good'] }
  const { id: secondId } = await service.dashboard.createRouter(second)
  const expectedBy = async (id: string) => {
    const body = { messages: [{ role: 'user', content: 'Question about tides: what is right?' }] }
    const headers = { 'x-modelport-preview': 'true' }
    const answer = await tested.post(`../${id}/chat/completions`, body, { headers })
    const { ranked } = ((await answer.json()) as Preview).decision
    // An age of some seconds changes later digits.
    return ranked.map(({ model, estimate }) => `${model} ${estimate.quality.toFixed(5)}`).toSorted()
  }
  const both = async () => [await expectedBy(routerId), await expectedBy(secondId)]
  const untaught = await expectedBy(routerId)
  const run = await runToItsEnd(tested, { count: 60, capUsd: 1 })
  const learned = async () => (await service.tuning.result(run.id))?.learned.length
  await expect.poll(both).not.toContainEqual(untaught)
  const taught = await expectedBy(secondId)

  const own = await service.tuning.apply({ id: run.id, to: 'router' })
  expect(own).toMatchObject({ appliesTo: 'router', prompts: { graded: 60 } })
  await expect.poll(both).toEqual([taught, untaught])
  expect(await learned()).toBe(2)
  await service.tuning.apply({ id: run.id, to: 'none' })
  await expect.poll(both).toEqual([untaught, untaught])
  expect(await learned()).toBe(0)
  await service.tuning.apply({ id: run.id, to: 'all' })
  await expect.poll(both).toEqual([taught, taught])
  await expect(service.tuning.apply({ id: 'unknown', to: 'none' })).rejects.toThrow('no run')
})

test('a model that keeps failing is given up, and the others are asked to the end', async () => {
  const broken = { reply: { status: 400, body: '{"error":{"message":"no"}}' } }
  const tested = await startTestService({ models: { good: able(1), broken } })
  const run = await runToItsEnd(tested, { count: 30, capUsd: 1 })
  expect(run).toMatchObject({ state: 'done', prompts: { graded: 30 } })
  const asked = tested.fake.requests.filter(({ model }) => model === 'broken').length
  expect(asked).toBeLessThan(15)
  const result = await tested.service.tuning.result(run.id)
  expect(result?.models[1]).toMatchObject({ model: 'fake:broken', failed: 30 })
})
