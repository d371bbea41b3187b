/** Rules of sessions proved on one's own traffic, through the running service: split sessions and shadow steps. */
import { expect, test } from 'vitest'
import type { RouterInput } from '../../src/shared/entities.ts'
import type { ShadowProof } from '../../src/shared/requests/session-proof.ts'
import { sessionStepSchema, type SessionStep } from '../../src/shared/requests/session-step.ts'
import type { FakeModelScript } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

function calling(name: string, input: object): FakeModelScript {
  const call = { index: 0, id: 'call_x', name, argumentPieces: [JSON.stringify(input)] }
  return {
    toolCalls: [call],
    usage: { prompt_tokens: 900, completion_tokens: 30, total_tokens: 930 },
  }
}

const strong = 'fake:strong'
const other = 'fake:other'
const reads = calling('Read', { file_path: 'a' })

function start(
  routing: NonNullable<RouterInput['routing']>,
  second: FakeModelScript = reads,
): Promise<TestService> {
  return startTestService({
    models: { strong: reads, other: second },
    router: { models: [strong], routing },
  })
}

const shadowSteps = { model: other, share: 1, maxUsd: 5 }
const tools = [{ type: 'function', function: { name: 'Read' } }]
const subagent = {
  'x-claude-code-request-class': 'subagent',
  'x-claude-code-agent-id': 'agent-1',
  'x-claude-code-agent-type': 'Explore',
}

/** @returns the text of the answer */
async function send(
  { post }: TestService,
  session: string,
  { body = {}, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<string> {
  const messages = [{ role: 'user', content: 'Read the secret file.' }]
  const answer = await post(
    'v1/chat/completions',
    { messages, tools, ...body },
    {
      headers: {
        'user-agent': 'claude-cli/2.1.330 (external, cli)',
        'x-claude-code-session-id': session,
        ...headers,
      },
    },
  )
  expect(answer.status).toBe(200)
  return await answer.text()
}

async function stepsOf(
  tested: TestService,
  rows: number,
): Promise<(SessionStep & { session: string; model: string | null })[]> {
  return (await tested.ledger(rows)).flatMap(({ sessionStep, sessionId, modelUsed: model }) =>
    sessionStep === null
      ? []
      : [{ ...sessionStepSchema.parse(JSON.parse(sessionStep)), session: sessionId ?? '', model }],
  )
}

function askedOf({ fake }: TestService, model: string): number {
  return fake.requests.filter((request) => request.model === model).length
}

async function shadowOf({ service }: TestService): Promise<ShadowProof | undefined> {
  return (await service.usage.sessions.proofs()).shadows[0]
}

/** Resolves once so many steps were compared. */
async function compared(tested: TestService, steps: number): Promise<ShadowProof | undefined> {
  await expect.poll(async () => (await shadowOf(tested))?.steps).toBe(steps)
  return await shadowOf(tested)
}

test('a split session has its router’s rules from its first step to its last, or never', async () => {
  const tested = await start({ split: true, subagents: { Explore: other } })
  const sessions = Array.from({ length: 12 }, (_, nth) => `session-${nth}`)
  for (let round = 0; round < 2; round += 1) {
    for (const session of sessions) await send(tested, session, { headers: subagent })
  }
  const steps = await stepsOf(tested, 24)
  const sides = new Map(sessions.map((session) => [session, new Set<string>()]))
  for (const { session, arm, model } of steps) {
    sides.get(session)?.add(arm ?? '')
    expect(model).toBe(arm === 'rules' ? other : strong)
  }
  expect([...sides.values()].every(({ size }) => size === 1)).toBe(true)
  const arms = new Set([...sides.values()].flatMap((side) => [...side]))
  expect(arms).toEqual(new Set(['rules', 'plain']))
  const { splits } = await tested.service.usage.sessions.proofs()
  // They go on, so none of them counts yet.
  expect(splits).toMatchObject([{ rules: 0, plain: 0 }])
  expect(splits[0]?.cost.missing).toBeGreaterThan(0)
})

test('without the setting, a step has no side and no other model is asked', async () => {
  const tested = await start({})
  await send(tested, 'session-1')
  const [step] = await stepsOf(tested, 1)
  expect(step).not.toHaveProperty('arm')
  expect(await tested.service.usage.sessions.proofs()).toEqual({ splits: [], shadows: [] })
  expect(tested.fake.requestCount()).toBe(1)
})

test('a shadow step is compared, in a row of its own source, and no part of the session', async () => {
  const tested = await start({ shadowSteps }, calling('Edit', { file_path: 'a' }))
  const text = await send(tested, 'session-1', { body: { stream: true } })
  expect(text).toContain('Read')
  expect(text).not.toContain('Edit')
  const proof = await compared(tested, 1)

  const rows = await tested.ledger(2)
  const [shadow] = rows.filter(({ source }) => source === 'shadow')
  expect(shadow).toMatchObject({
    modelUsed: other,
    sessionId: null,
    sessionStep: null,
    apiKeyId: null,
  })
  expect(proof).toMatchObject({ model: other, sessions: 1, steps: 1, same: { value: 0 } })
  expect(shadow?.costNanoUsd).toBeGreaterThan(0)
  expect(Math.round((proof?.spentUsd ?? 0) * 1e9)).toBe(shadow?.costNanoUsd)
  const [session] = await tested.service.usage.sessions.list({ limit: 9 })
  expect(session).toMatchObject({ id: 'session-1', steps: 1, models: [strong] })
})

test('main steps and subagents are asked too; titles, safety checks and other programs are not', async () => {
  const tested = await start({ shadowSteps })
  await send(tested, 'session-1')
  await send(tested, 'session-1', { headers: subagent })
  await compared(tested, 2)
  const check = [
    { role: 'system', content: '<classifier_system_prompt>May it run?' },
    { role: 'user', content: 'rm -rf build' },
  ]
  const hints = (kind: string) => ({ 'x-claude-code-request-class': kind })
  await send(tested, 'session-1', { body: { messages: check, stop: ['</block>'], tools: [] } })
  await send(tested, 'session-1', { headers: hints('auxiliary'), body: { tools: [] } })
  await send(tested, 'session-1', { headers: hints('compaction') })
  const messages = [{ role: 'user', content: 'Read the file.' }]
  await (await tested.post('v1/chat/completions', { messages, tools })).text()
  // A shadow step of these would be sent before the one of this step.
  await send(tested, 'session-2')
  expect(await compared(tested, 3)).toMatchObject({ sessions: 2 })
  expect(askedOf(tested, 'other')).toBe(3)
})

test('the cap is never exceeded, whatever waits and however long it is', async () => {
  const tested = await start({ shadowSteps: { ...shadowSteps, maxUsd: 0.02 } })
  for (let nth = 0; nth < 6; nth += 1) {
    await send(tested, `session-${nth}`)
    const shadow = await shadowOf(tested)
    expect(shadow?.spentUsd).toBeLessThanOrEqual(0.02)
  }
  const tiny = await start({ shadowSteps: { ...shadowSteps, maxUsd: 0.000001 } })
  await send(tiny, 'session-1')
  await send(tiny, 'session-2')
  await tiny.onlyRows(2)
  expect(askedOf(tiny, 'other')).toBe(0)
  expect(await shadowOf(tiny)).toMatchObject({ spentUsd: 0, steps: 0 })
})

test('a failed shadow step is lost, and the client’s session goes on', async () => {
  const reply = { status: 400, body: '{"error":{"message":"no"}}' }
  const tested = await start({ shadowSteps }, { reply })
  await send(tested, 'session-1')
  await expect.poll(() => askedOf(tested, 'other')).toBe(1)
  await send(tested, 'session-1')
  expect(await shadowOf(tested)).toMatchObject({ steps: 0 })
})

test.each([
  [{ ...shadowSteps, model: 'fake:none' }, 'routing.shadowSteps.model'],
  [{ ...shadowSteps, share: 0 }, 'routing.shadowSteps.share'],
  [{ ...shadowSteps, maxUsd: 0 }, 'routing.shadowSteps.maxUsd'],
])('refuses %j', async (given, field) => {
  const { service, routerId } = await start({})
  const router: RouterInput = { name: 'Test', strategy: 'priority', models: [strong] }
  await expect(
    service.dashboard.updateRouter(routerId, { ...router, routing: { shadowSteps: given } }),
  ).rejects.toMatchObject({ field })
})
