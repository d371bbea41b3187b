import { expect, test } from 'vitest'
import { sampleRouter } from '../../../../test/storage/samples.ts'
import { shadowStoreInMemory } from '../../../../test/tuning/tuning-store.ts'
import type { StepToSample } from '../../chat/sessions/agent-memory.ts'
import { drawOf } from '../../chat/sessions/session-split.ts'
import type { CalledTool } from '../../chat/sessions/step-class.ts'
import { candidate } from '../../../../test/routing/sample-candidates.ts'
import type { StoredShadowStep } from '../../storage/session-proof-store.ts'
import type { AskOutcome } from '../asker.ts'
import { StepSampler, type StepSamplerOptions } from './step-sampler.ts'

const other = 'p:other'
const figures = { text: '', isCut: false, costNanoUsd: 1, latencyMs: 1, outputTokens: 1 }
const read = (file: string): CalledTool => ({ name: 'Read', input: `{"file_path":"${file}"}` })
const answering = (...calls: CalledTool[]): AskOutcome => ({ kind: 'answered', ...figures, calls })

function newSampler(given: Partial<StepSamplerOptions> & { share?: number; answer?: AskOutcome }) {
  const { share = 1, answer = answering(read('a')), ...options } = given
  const routing = { ...sampleRouter().routing, shadowSteps: { model: other, share, maxUsd: 5 } }
  const router = { ...sampleRouter(), routing }
  const asked: number[] = []
  const stored: StoredShadowStep[] = []
  const sampler = new StepSampler({
    money: shadowStoreInMemory(),
    steps: { addShadowStep: async (step) => void stored.push(step) },
    routers: () => new Map([[router.id, router]]),
    candidatesOf: () => [candidate({ modelId: other })],
    isUsable: () => true,
    askerFor: () => async (question) => {
      asked.push(question.body.max_tokens ?? 0)
      return await Promise.resolve(answer)
    },
    newId: () => 'id',
    random: () => 0,
    now: () => 0,
    afterAnswer: () => Promise.resolve(),
    onError(error) {
      throw error
    },
    ...options,
  })
  const step = (over: Partial<StepToSample> = {}, body: object = {}): StepToSample => ({
    call: {
      requestId: 'request',
      router,
      body: { messages: [{ role: 'user', content: 'Go.' }], ...body },
      apiKeyId: 'key',
      source: 'api',
      acceptAnyModel: true,
      client: null,
      cacheUse: 'none',
      asker: {
        client: 'claude-code',
        session: 'session-1',
        agent: null,
        parentAgent: null,
        agentType: null,
        turn: null,
        kind: 'main',
      },
    },
    session: 'session-1',
    model: 'p:first',
    class: 'explore',
    calls: [read('a')],
    ...over,
  })
  const send = async (one: StepToSample) => {
    sampler.answered(one)
    await sampler.idle()
  }
  return { sampler, asked, stored, step, send, router }
}

test.each<[string, CalledTool[], Partial<StoredShadowStep['outcome']>]>([
  ['the same file', [read('a')], { second: 'explore', isSameTool: true, isSameFile: true }],
  ['another file', [read('b')], { second: 'explore', isSameTool: true, isSameFile: false }],
  ['no file', [{ name: 'Read', input: '{}' }], { isSameTool: true, isSameFile: null }],
  ['another tool', [{ name: 'Edit', input: '{}' }], { second: 'edit', isSameTool: false }],
  ['nothing', [], { second: 'text', isSameTool: false, isSameFile: null }],
])('compares a step with one that would call %s', async (_name, calls, outcome) => {
  const { send, step, stored } = newSampler({ answer: answering(...calls) })
  await send(step())
  expect(stored).toMatchObject([{ model: other, sessionId: 'session-1', outcome }])
  expect(stored[0]?.outcome.first).toBe('explore')
})

test('where neither step names a file, none is compared', async () => {
  const search: CalledTool = { name: 'Grep', input: '{"pattern":"x"}' }
  const { send, step, stored } = newSampler({ answer: answering(search) })
  await send(step({ calls: [search] }))
  expect(stored[0]?.outcome).toMatchObject({ isSameTool: true, isSameFile: null })
})

test('a share draws whole sessions by their names, then steps of them', async () => {
  for (const [random, isAsked] of [
    [0.49, true],
    [0.5, false],
  ] as const) {
    const { send, step, asked, router } = newSampler({ share: 0.25, random: () => random })
    const sessions = Array.from({ length: 20 }, (_, nth) => `session-${nth}`)
    const drawn = sessions.filter((session) => drawOf('shadow', router.id, session) < 0.5)
    for (const session of sessions) await send(step({ session }))
    expect(asked).toHaveLength(isAsked ? drawn.length : 0)
    expect(drawn.length).toBeGreaterThan(0)
    expect(drawn.length).toBeLessThan(20)
  }
})

test.each<[string, Partial<StepToSample>, object]>([
  ['was answered by the other model', { model: other }, {}],
  ['has an image', {}, { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }],
  ['asks for several answers', {}, { n: 2 }],
])('leaves out a step that %s', async (_name, over, body) => {
  const { send, step, asked } = newSampler({})
  await send(step(over, body))
  expect(asked).toEqual([])
})

test('an answer is as long as the client’s limit, and 4,096 tokens at most', async () => {
  const { send, step, asked } = newSampler({})
  await send(step({}, { max_tokens: 100 }))
  await send(step({}, { max_completion_tokens: 32_000 }))
  await send(step())
  expect(asked).toEqual([100, 4_096, 4_096])
})

test('a model that cannot be asked now costs nothing, and one that billed too much is never asked again', async () => {
  const away = newSampler({ isUsable: () => false })
  await away.send(away.step())
  expect(away.asked).toEqual([])
  const dear = newSampler({ answer: { kind: 'answered', ...figures, costNanoUsd: 4e9 } })
  await dear.send(dear.step())
  await dear.send(dear.step())
  expect(dear.asked).toHaveLength(1)
})

test('after a failure, the router rests for a minute', async () => {
  let nowMs = 0
  const answer: AskOutcome = {
    kind: 'failed',
    costNanoUsd: 0,
    retryAfterMs: null,
    reason: 'model',
    message: '',
  }
  const { send, step, asked } = newSampler({ answer, now: () => nowMs })
  await send(step())
  nowMs = 59_999
  await send(step())
  expect(asked).toHaveLength(1)
  nowMs = 60_000
  await send(step())
  expect(asked).toHaveLength(2)
})

test('a closed sampler takes nothing more', async () => {
  const { sampler, send, step, asked } = newSampler({})
  await sampler.close()
  await send(step())
  expect(asked).toEqual([])
})
