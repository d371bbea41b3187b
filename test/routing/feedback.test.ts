/** Feedback on answers: how much it counts, for which kind of prompt, and how a router uses it. */
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { topicNames, type Topic } from '../../src/shared/routers/topics.ts'
import type { Feedback } from '../../src/shared/chat/feedback.ts'
import { openWorkspace, type Workspace } from '../../src/service/wiring/workspace.ts'
import { sampleDetail, sampleRecord } from '../storage/samples.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const nowMs = Date.UTC(2026, 10, 21)

/** A ledger with three answers from two models to prompts that are code with a probability of 0.9. */
async function openAnswered(): Promise<Workspace> {
  const dataDir = temporaryFolder()
  const workspace = await openWorkspace({
    dataDir,
    cacheDir: dataDir,
    allowSessionSecrets: true,
    env: {},
    now: () => nowMs,
  })
  onTestFinished(() => workspace.close())
  const { ledger } = workspace.storage
  await ledger.append(sampleRecord({ id: 'a1', modelUsed: 'p:a' }), sampleDetail())
  await ledger.append(sampleRecord({ id: 'a2', modelUsed: 'p:a' }), sampleDetail())
  await ledger.append(sampleRecord({ id: 'b1', modelUsed: 'p:b' }), sampleDetail())
  await ledger.append(sampleRecord({ id: 'none', modelUsed: null, status: 503 }), sampleDetail())
  return workspace
}

/** Judged answers over all kinds of prompts. */
async function judged({ storage }: Workspace): Promise<Record<string, [number, number]>> {
  const sum = (values: number[]) => Number(values.reduce((all, one) => all + one, 0).toFixed(9))
  const counts = await storage.feedback.counts(nowMs)
  return Object.fromEntries(
    counts.map(({ modelId, good, bad }) => [modelId, [sum(good), sum(bad)]]),
  )
}

test.each<[Feedback, Record<string, [good: number, bad: number]>]>([
  [{ requestId: 'a1', kind: 'up' }, { 'p:a': [1, 0] }],
  [{ requestId: 'a1', kind: 'down' }, { 'p:a': [0, 1] }],
  [{ requestId: 'a1', kind: 'valid' }, { 'p:a': [0.225, 0.075] }],
  [{ requestId: 'a1', kind: 'invalid' }, { 'p:a': [0, 0.3] }],
  [{ requestId: 'a1', kind: 'copied' }, { 'p:a': [0.16, 0.04] }],
  [
    { requestId: 'a1', kind: 'regenerated', otherRequestId: 'b1' },
    { 'p:a': [0, 0.7], 'p:b': [0.7, 0] },
  ],
  [
    { requestId: 'a1', kind: 'preferred', otherRequestId: 'b1' },
    { 'p:a': [1, 0], 'p:b': [0, 1] },
  ],
])('%o counts as good and bad answers until it is withdrawn', async (given, counts) => {
  const workspace = await openAnswered()

  await workspace.dashboard.giveFeedback(given)

  expect(await judged(workspace)).toEqual(counts)
  const { requestId, kind } = given
  await workspace.dashboard.withdrawFeedback({ requestId, kind })
  expect(await judged(workspace)).toEqual({})
})

test('thumbs are returned until they are withdrawn', async () => {
  const { dashboard } = await openAnswered()
  await dashboard.giveFeedback({ requestId: 'a1', kind: 'up' })
  await dashboard.giveFeedback({ requestId: 'b1', kind: 'down' })
  await dashboard.giveFeedback({ requestId: 'a2', kind: 'copied' })
  expect(await dashboard.thumbs(['a1', 'a2', 'b1'])).toEqual({ a1: 'up', b1: 'down' })

  await dashboard.withdrawFeedback({ requestId: 'a1', kind: 'up' })
  expect(await dashboard.thumbs(['a1'])).toEqual({})
})

test('a judgement tells how many answers of its kind were good, of the better of two models', async () => {
  const { dashboard } = await openAnswered()
  expect(await dashboard.giveFeedback({ requestId: 'a1', kind: 'up' })).toEqual({
    modelId: 'p:a',
    domain: 'code',
    judged: 1,
    good: 1,
  })
  // A copied answer was not judged.
  await dashboard.giveFeedback({ requestId: 'a2', kind: 'copied' })
  const preferred = { requestId: 'a1', kind: 'regenerated', otherRequestId: 'b1' } as const
  expect(await dashboard.giveFeedback(preferred)).toMatchObject({
    modelId: 'p:b',
    judged: 1,
    good: 1,
  })
  expect(await dashboard.giveFeedback({ requestId: 'a2', kind: 'down' })).toMatchObject({
    modelId: 'p:a',
    judged: 2,
  })
})

test('a thumb down replaces the thumb up, but no feedback of another aspect', async () => {
  const workspace = await openAnswered()
  const { dashboard } = workspace
  await dashboard.giveFeedback({ requestId: 'a1', kind: 'up' })
  await dashboard.giveFeedback({ requestId: 'a1', kind: 'copied' })

  await dashboard.giveFeedback({ requestId: 'a1', kind: 'down' })

  expect(await judged(workspace)).toEqual({ 'p:a': [0.16, 1.04] })
})

test('counts for the recorded kinds of the prompt, and equally for all others with the rest', async () => {
  const { dashboard, storage } = await openAnswered()

  await dashboard.giveFeedback({ requestId: 'a1', kind: 'up' })

  const [counts] = await storage.feedback.counts(nowMs)
  const of = (topic: Topic) => counts?.good[topicNames.indexOf(topic)]
  expect(of('code_editing')).toBeCloseTo(0.9, 9)
  expect(of('formal_maths')).toBeCloseTo(0.1 / (topicNames.length - 1), 9)
})

test('feedback that cannot be used is refused with a reason', async () => {
  const { dashboard } = await openAnswered()
  // Input that the window or a command could send by mistake.
  const give = (input: unknown) => dashboard.giveFeedback(input as Feedback)

  await expect(give({ requestId: 'gone', kind: 'up' })).rejects.toMatchObject({
    code: 'not_found',
    field: 'requestId',
    message: 'There is no request gone.',
  })
  await expect(give({ requestId: 'none', kind: 'up' })).rejects.toThrow(
    'No model answered the request none.',
  )
  await expect(give({ requestId: 'a1', kind: 'preferred', otherRequestId: 'a2' })).rejects.toThrow(
    'Both answers come from p:a',
  )
  await expect(give({ requestId: 'a1', kind: 'preferred' })).rejects.toMatchObject({
    field: 'otherRequestId',
  })
  await expect(give({ requestId: 'a1', kind: 'great' })).rejects.toMatchObject({ field: 'kind' })
  await expect(dashboard.withdrawFeedback({ requestId: 'a1', kind: 'up' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

/** The first of the two models is cheaper. */
async function startRouter(strategy: 'adaptive' | 'cost_optimized'): Promise<TestService> {
  const upstream = await startTestService({
    models: { first: {}, second: {} },
    router: { strategy, routing: { sticky: false, qualityTolerance: 0.08 } },
  })
  await upstream.service.dashboard.saveModel({
    id: 'fake:second',
    inputUsdPerMtok: 10,
    outputUsdPerMtok: 20,
    contextTokens: 100_000,
    capabilities: [],
  })
  return upstream
}

/** The id of a request that its router sent to this model. */
async function askedOf({ post }: TestService, expected: string): Promise<string> {
  const answer = await post('chat/completions', hello)
  expect(await answer.json()).toMatchObject({ model: expected })
  return answer.headers.get('x-request-id') ?? ''
}

async function modelOf({ post }: TestService): Promise<unknown> {
  const answer = await post('chat/completions', hello)
  // The form of Modelport's own answer.
  return ((await answer.json()) as { model: string }).model
}

test('an adaptive router leaves a model after a thumb down, and returns when it is withdrawn', async () => {
  const upstream = await startRouter('adaptive')
  const { dashboard } = upstream.service
  const requestId = await askedOf(upstream, 'fake:first')
  await upstream.ledger(1)

  await dashboard.giveFeedback({ requestId, kind: 'down' })

  await expect.poll(() => modelOf(upstream)).toBe('fake:second')
  await dashboard.withdrawFeedback({ requestId, kind: 'down' })
  await expect.poll(() => modelOf(upstream)).toBe('fake:first')
})

test('feedback does not affect any other strategy', async () => {
  const upstream = await startRouter('cost_optimized')
  const requestId = await askedOf(upstream, 'fake:first')
  await upstream.ledger(1)
  for (const kind of ['down', 'invalid'] as const) {
    await upstream.service.dashboard.giveFeedback({ requestId, kind })
  }
  // Long enough for another strategy to change its choice.
  await new Promise((resolve) => {
    setTimeout(resolve, 1_200)
  })

  expect(await modelOf(upstream)).toBe('fake:first')
})

test('stored feedback contains no word of a prompt', async () => {
  const upstream = await startTestService()
  const requestId = await askedOf(upstream, 'fake:fake-model')
  await upstream.ledger(1)
  await upstream.service.dashboard.giveFeedback({ requestId, kind: 'up' })
  await upstream.service.close()

  const storage = await openStorage({ dataDir: upstream.dataDir })
  onTestFinished(() => storage.close())
  expect(await storage.feedback.counts(Date.now())).toEqual([
    {
      modelId: 'fake:fake-model',
      good: expect.any(Array),
      bad: expect.any(Array),
      difficulty: expect.any(Array),
    },
  ])
})
