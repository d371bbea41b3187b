import { expect, test } from 'vitest'
import type { SessionStep } from '../../src/shared/requests/session-step.ts'
import type { RequestRecord } from '../../src/shared/entities.ts'
import type { Storage } from '../../src/service/storage/storage.ts'
import { sampleDetail, sampleRecord, sampleRouter, sampleSessionRequest } from './samples.ts'

export function describeSessions(storage: () => Storage): void {
  const add = async (
    id: string,
    over: Partial<RequestRecord> = {},
    step: Partial<SessionStep> = {},
  ) => {
    const record = sampleSessionRequest(step, { id, ...over })
    await storage().ledger.append(record, sampleDetail())
    return record
  }

  test('a session’s requests are read in their order, with their steps', async () => {
    const second = await add('b', { startedAtMs: 2_000, agentId: 'agent-1' }, { kind: 'subagent' })
    const first = await add('a', { startedAtMs: 1_000 })
    await add('c', { sessionId: 'session-2' })
    await storage().ledger.append(sampleRecord({ id: 'd' }), sampleDetail())

    expect(await storage().ledger.ofSession('session-1')).toEqual([first, second])
  })

  test('sessions are listed with their sums, the last used first', async () => {
    await add('a', { startedAtMs: 1_000 }, { startsTurn: true })
    await add(
      'b',
      { startedAtMs: 3_000, agentId: 'agent-1', modelUsed: 'openai:gpt-5-mini' },
      { kind: 'subagent' },
    )
    await add('c', { startedAtMs: 4_000, status: 500, modelUsed: null }, { kind: 'title' })
    const cache = { expected: 900, read: 0, lostNanoUsd: 5, culprit: 'vendor' } as const
    await add('d', { startedAtMs: 5_000, status: 499 }, { cache })
    await add('e', { startedAtMs: 9_000, sessionId: 'session-2', apiKeyId: null })

    const sessions = await storage().ledger.sessions({ sinceMs: 1_000, limit: 5 })

    expect(sessions.map(({ id }) => id)).toEqual(['session-2', 'session-1'])
    expect(sessions[1]).toEqual({
      id: 'session-1',
      client: 'claude-code',
      version: '2.1.330',
      apiKeyId: 'key-1',
      routerId: 'router_a',
      startedAtMs: 1_000,
      endedAtMs: 5_120,
      steps: 3,
      turns: 1,
      subagents: 1,
      models: ['openai:gpt-5', 'openai:gpt-5-mini'],
      costNanoUsd: 4 * 1_120,
      promptTokens: 4 * 1_010,
      readTokens: 4 * 900,
      failed: 1,
      broken: 1,
    })
    const { ledger } = storage()
    expect(await ledger.sessions({ sinceMs: 9_000, limit: 5 })).toHaveLength(1)
    expect(await ledger.sessions({ sinceMs: 0, limit: 1 })).toHaveLength(1)
  })

  test('a client’s name of a session counts for one key: it is listed, read and forgotten for each apart', async () => {
    const { ledger } = storage()
    const mine = await add('a', { startedAtMs: 1_000, apiKeyId: 'key_a' })
    const others = await add('b', { startedAtMs: 2_000, apiKeyId: 'key_b' })
    const listed = await ledger.sessions({ sinceMs: 0, limit: 5 })

    expect(listed.map(({ id }) => id)).toEqual(['session-1@key_b', 'session-1@key_a'])
    expect(await ledger.ofSession('session-1@key_a')).toEqual([mine])
    expect(await ledger.ofSession('session-1')).toEqual([others])

    expect(await ledger.forgetSession('session-1@key_b')).toBe(true)
    expect(await ledger.ofSession('session-1')).toEqual([mine])
    expect(await ledger.sessions({ sinceMs: 0, limit: 5 })).toMatchObject([{ id: 'session-1' }])
  })

  test('a forgotten session leaves its requests with their cost, and no texts', async () => {
    await add('a', { startedAtMs: 1_000 })
    const other = await add('b', { startedAtMs: 2_000, sessionId: 'session-2' })
    const { configuration, contents, ledger } = storage()
    const routing = { ...sampleRouter().routing, contentDays: 7 }
    await configuration.insertRouter(sampleRouter({ id: 'router_a', routing }))
    const texts = { routerId: 'router_a', startedAtMs: 1_000, request: '{}', answer: '{}' }
    for (const requestId of ['a', 'b']) {
      await contents.save({ ...texts, requestId, isRequestCut: false, isAnswerCut: false })
    }

    expect(await ledger.forgetSession('session-1')).toBe(true)

    expect(await ledger.forgetSession('session-1')).toBe(false)
    expect(await ledger.ofSession('session-1')).toEqual([])
    expect(await ledger.ofSession('session-2')).toEqual([other])
    expect((await ledger.get('a'))?.record).toMatchObject({
      costNanoUsd: 1_120,
      sessionId: null,
      agentId: null,
      sessionStep: null,
    })
    expect(await contents.get('a')).toBeNull()
    expect(await contents.get('b')).not.toBeNull()
  })

  test('the proofs that answers gave are read with their models, newest first, and so are subagents’ steps', async () => {
    const { ledger } = storage()
    await add('a', { startedAtMs: 1_000 }, { proofs: ['p1', 'p2'] })
    const newest = await add(
      'b',
      { startedAtMs: 2_000, modelUsed: 'a:b' },
      { proofs: ['p3'], kind: 'subagent' },
    )
    await add('c', { startedAtMs: 3_000 })

    expect(await ledger.givenProofs({ sinceMs: 0, limit: 9 })).toEqual([
      { modelId: 'a:b', proofs: ['p3'] },
      { modelId: 'openai:gpt-5', proofs: ['p1', 'p2'] },
    ])
    expect(await ledger.givenProofs({ sinceMs: 1_500, limit: 9 })).toHaveLength(1)
    expect(await ledger.givenProofs({ sinceMs: 0, limit: 1 })).toHaveLength(1)
    expect(await ledger.subagentSteps({ sinceMs: 0, limit: 9 })).toEqual([newest])
  })

  test('the steps that raised an alarm are found, newest first', async () => {
    const cache = { expected: 9, read: 0, lostNanoUsd: 5, culprit: 'client' } as const
    await add('a', { startedAtMs: 1_000 }, { cache: { ...cache, alarm: true } })
    await add('b', { startedAtMs: 2_000 }, { cache })
    const newest = await add('c', { startedAtMs: 3_000 }, { cache: { ...cache, alarm: true } })

    expect((await storage().ledger.brokenCaches(0)).map(({ id }) => id)).toEqual(['c', 'a'])
    expect(await storage().ledger.brokenCaches(2_000)).toEqual([newest])
  })
}
