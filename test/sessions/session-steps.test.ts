/** Sessions of Claude Code through the running service, at a vendor that caches as Anthropic does. */
import { expect, test } from 'vitest'
import type { ChatUsage } from '../../src/shared/chat/chat.ts'
import { sessionStepSchema } from '../../src/shared/requests/session-step.ts'
import {
  startWithMessagesUpstream,
  type WithMessagesUpstream,
} from '../endpoints/messages-upstream.ts'
import { clientRequest, VendorCache, type Fault } from './agent-session.ts'

const headers = {
  'user-agent': 'claude-cli/2.1.330 (external, cli)',
  'x-claude-code-session-id': 'session-1',
}

/** An answer that reads a file. */
function answerWith({ prompt_tokens_details, prompt_tokens }: ChatUsage): string {
  const { cached_tokens = 0, cache_write_tokens = 0 } = prompt_tokens_details ?? {}
  const call = { type: 'tool_use', id: 'toolu_x', name: 'Read', input: { file: 'secret-file' } }
  return JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-4-8',
    content: [call],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: prompt_tokens - cached_tokens - cache_write_tokens,
      cache_read_input_tokens: cached_tokens,
      cache_creation_input_tokens: cache_write_tokens,
      output_tokens: 300,
    },
  })
}

interface Session {
  steps: number
  fault: Fault
  /** A subagent's name; absent for the main agent. */
  agent?: string
  session?: string
}

async function runSession(
  { post, upstream }: WithMessagesUpstream,
  { steps, fault, agent, session }: Session,
): Promise<void> {
  const vendor = new VendorCache()
  for (let step = 0; step < steps; step += 1) {
    const body = { model: 'auto', max_tokens: 900, ...clientRequest(step, fault) }
    upstream.answer = [answerWith(vendor.usageOf(body))]
    const own = {
      ...headers,
      ...(agent !== undefined && { 'x-claude-code-agent-id': agent }),
      ...(session !== undefined && { 'x-claude-code-session-id': session }),
    }
    const answer = await post('v1/messages', body, { headers: own })
    expect(answer.status).toBe(200)
    await answer.text()
  }
}

test('each request is a step of its session and agent, and its parts add up to its cost', async () => {
  const started = await startWithMessagesUpstream()
  await runSession(started, { steps: 4, fault: null })
  await runSession(started, { steps: 2, fault: null, agent: 'agent-1' })

  const rows = (await started.ledger(6)).toReversed()
  const steps = rows.map(({ sessionStep }) =>
    sessionStepSchema.parse(JSON.parse(sessionStep ?? '')),
  )

  expect(rows.map(({ sessionId, agentId }) => [sessionId, agentId])).toEqual([
    ...Array.from({ length: 4 }, () => ['session-1', null]),
    ...Array.from({ length: 2 }, () => ['session-1', 'agent-1']),
  ])
  for (const [index, { costs }] of steps.entries()) {
    const { read, written, uncached, output } = costs
    expect(read + written + uncached + output).toBe(rows[index]?.costNanoUsd)
  }
  expect(steps[0]).toMatchObject({ startsTurn: true, version: '2.1.330', why: 'only' })
  expect(steps[1]).toMatchObject({
    kind: 'main',
    class: 'explore',
    tools: ['Read'],
    startsTurn: false,
  })
  expect(steps[3]?.cache).toEqual({ expected: expect.any(Number), read: expect.any(Number) })
  expect(steps[5]).toMatchObject({ kind: 'subagent' })
  expect(JSON.stringify(rows)).not.toContain('secret-file')
})

test('a clock in the system prompt raises one alarm, and no request is changed for it', async () => {
  const started = await startWithMessagesUpstream()
  await runSession(started, { steps: 11, fault: 'clock' })
  await started.ledger(11)

  const broken = await started.service.usage.sessions.broken()

  expect(broken).toMatchObject([
    {
      session: expect.stringMatching(/^session-1@key_/),
      culprit: 'client',
      place: { part: 'system', at: 4_096 },
    },
  ])
  const last = JSON.parse(started.upstream.requests.at(-1)?.text ?? '') as object
  expect(last).toMatchObject(clientRequest(10, 'clock'))
})

test('an honest session raises none, and other programs have no session', async () => {
  const started = await startWithMessagesUpstream()
  await runSession(started, { steps: 11, fault: null })
  await (
    await started.post('v1/messages', {
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hi' }],
    })
  ).text()
  const [other] = await started.ledger(12)

  expect(other).toMatchObject({ sessionId: null, agentId: null, sessionStep: null })
  expect(await started.service.usage.sessions.broken()).toEqual([])
  expect(await started.service.usage.sessions.list({ limit: 5 })).toMatchObject([
    { id: 'session-1', steps: 11, broken: 0 },
  ])
})

test('what another model for subagents would have saved is told from the ledger alone', async () => {
  const started = await startWithMessagesUpstream({ models: { small: {} } })
  const { dashboard, usage } = started.service
  const figures = { contextTokens: 200_000, capabilities: ['tools' as const] }
  await dashboard.saveModel({
    id: 'fake:small',
    inputUsdPerMtok: 0.01,
    outputUsdPerMtok: 0.02,
    ...figures,
  })
  const run = async (nth: number) => {
    const session = `session-${nth}`
    await runSession(started, { steps: 1, fault: null, session })
    await runSession(started, { steps: 2, fault: null, session, agent: 'agent-1' })
  }
  for (let nth = 0; nth < 4; nth += 1) await run(nth)
  await started.ledger(12)

  expect(await usage.sessions.rules()).toMatchObject([
    { model: 'fake:small', routerName: 'Test', sessions: 4, missing: 1 },
  ])

  await run(4)
  const rows = await started.ledger(15)
  const [rule] = await usage.sessions.rules()
  const ofSubagents = rows.filter(({ agentId }) => agentId !== null)
  const charged = ofSubagents.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)
  expect(rule).toMatchObject({ sessions: 5, missing: 0 })
  expect(rule?.savedNanoUsd).toBeGreaterThan(0.9 * charged)
  expect(rule?.savedNanoUsd).toBeLessThan(charged)
  expect(started.fake.requests).toEqual([])
})
