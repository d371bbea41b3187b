import { expect, test } from 'vitest'
import type { RequestRecord } from '../../src/shared/entities.ts'
import type { SessionStep } from '../../src/shared/requests/session-step.ts'
import type { StoredShadowStep } from '../../src/service/storage/session-proof-store.ts'
import type { Storage } from '../../src/service/storage/storage.ts'
import { sampleDetail, sampleSessionRequest } from './samples.ts'

function shadowStep(id: string, given: Partial<StoredShadowStep> = {}): StoredShadowStep {
  return {
    id,
    routerId: 'router_a',
    model: 'openai:gpt-5-mini',
    sessionId: 'session-1',
    apiKeyId: 'key-1',
    atMs: 1,
    outcome: { first: 'edit', second: 'explore', isSameTool: false, isSameFile: null },
    ...given,
  }
}

export function describeSessionProofs(storage: () => Storage): void {
  const add = (id: string, step: Partial<SessionStep>, over: Partial<RequestRecord> = {}) =>
    storage().ledger.append(sampleSessionRequest(step, { id, ...over }), sampleDetail())
  const split = (given: { sinceMs?: number; endedBeforeMs?: number } = {}) =>
    storage().sessionProofs.splitSessions({ sinceMs: 0, endedBeforeMs: 9_000, ...given })

  test('of shadow steps, the newest of each router are stored', async () => {
    const { sessionProofs } = storage()
    const other = shadowStep('x', { routerId: 'router_b', apiKeyId: null })
    await sessionProofs.addShadowStep(other, 2)
    for (const atMs of [2, 3, 4]) {
      await sessionProofs.addShadowStep(shadowStep(`s${atMs}`, { atMs }), 2)
    }
    const stored = await sessionProofs.shadowSteps()
    expect(stored).toEqual([other, shadowStep('s3', { atMs: 3 }), shadowStep('s4', { atMs: 4 })])
  })

  test('a forgotten session’s shadow steps are deleted, those of another key’s stay', async () => {
    const { sessionProofs, ledger } = storage()
    await add('a', {}, { startedAtMs: 1_000 })
    await sessionProofs.addShadowStep(shadowStep('s1'), 9)
    await sessionProofs.addShadowStep(shadowStep('s2', { apiKeyId: 'key-2' }), 9)
    await ledger.forgetSession('session-1@key_none')
    expect(await sessionProofs.shadowSteps()).toHaveLength(2)
    await ledger.forgetSession('session-1')
    expect((await sessionProofs.shadowSteps()).map(({ id }) => id)).toEqual(['s2'])
  })

  test('a split session is added up, with its side and whether it was stuck', async () => {
    await add('a', { arm: 'rules', stuck: ['repeat', 'long'] }, { startedAtMs: 1_000 })
    await add('b', { arm: 'rules', kind: 'title' }, { startedAtMs: 2_000 })
    const plain = { sessionId: 'session-2', startedAtMs: 1_000 }
    await add('c', { arm: 'plain', stuck: ['errors'] }, plain)
    const found = await split()
    expect(found.toSorted((a, b) => b.stuck - a.stuck)).toEqual([
      { routerId: 'router_a', arm: 'rules', costNanoUsd: 2_240, stuck: 1 },
      { routerId: 'router_a', arm: 'plain', costNanoUsd: 1_120, stuck: 0 },
    ])
    expect(await split({ endedBeforeMs: 2_000 })).toHaveLength(1)
  })

  test('a session that began before the split, or changed its side, is not compared', async () => {
    await add('a', {}, { startedAtMs: 1_000 })
    await add('b', { arm: 'rules' }, { startedAtMs: 2_000 })
    const changed = { sessionId: 'session-2', startedAtMs: 1_000 }
    await add('c', { arm: 'rules' }, changed)
    await add('d', { arm: 'plain' }, changed)
    expect(await split()).toEqual([])
  })
}
