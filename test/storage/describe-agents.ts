import { expect, test } from 'vitest'
import { startedExecution, type Execution } from '../../src/shared/agents/agent.ts'
import type { Storage } from '../../src/service/storage/storage.ts'
import { sampleDetail, sampleRecord } from './samples.ts'

type Use = () => Storage

const lease = { holder: 'process-1', expiresAtMs: 1_000 }

export function describeAgents(storage: Use): void {
  const save = (source: string, createdAtMs: number) =>
    storage().configuration.saveAgent({ slug: 'news', source, createdAtMs })

  test('keeps every version, and uses the last one as the agent', async () => {
    const { configuration } = storage()
    expect([await save('name: a', 1), await save('name: b', 5)]).toEqual([1, 2])
    expect((await configuration.read()).agents).toEqual([
      { slug: 'news', version: 2, source: 'name: b', createdAtMs: 1, updatedAtMs: 5 },
    ])
    expect(await configuration.agentVersions('news')).toEqual([
      { version: 1, source: 'name: a', createdAtMs: 1 },
      { version: 2, source: 'name: b', createdAtMs: 5 },
    ])
  })

  test('increases the configuration’s version with each change', async () => {
    const { configuration } = storage()
    const before = await configuration.version()
    await save('name: a', 1)
    await configuration.removeAgent('news')
    expect(await configuration.version()).toBeGreaterThanOrEqual(before + 2)
  })

  test('continues the version count of a removed agent of the same name', async () => {
    const { configuration } = storage()
    await save('name: a', 1)
    expect(await configuration.removeAgent('news')).toBe(true)
    expect(await configuration.removeAgent('news')).toBe(false)
    expect((await configuration.read()).agents).toEqual([])
    expect(await save('name: c', 9)).toBe(2)
  })
}

export function describeExecutions(storage: Use): void {
  test('reads an execution while it runs and after it ended', async () => {
    const { executions } = storage()
    await executions.begin(running, lease)
    expect(await executions.get('execution-1')).toEqual(running)
    await executions.end(done)
    expect(await executions.get('execution-1')).toEqual(done)
    expect(await executions.get('execution-2')).toBeNull()
  })

  test('lists the newest first, for all agents or for one', async () => {
    const { executions } = storage()
    await executions.begin({ ...running, id: '1', startedAtMs: 1 }, lease)
    await executions.begin({ ...running, id: '3', startedAtMs: 3 }, lease)
    await executions.begin({ ...running, id: '2', startedAtMs: 2, agent: 'other' }, lease)
    const ids = async (query: { agent?: string; limit: number }) =>
      (await executions.list(query)).map(({ id }) => id)
    expect(await ids({ limit: 10 })).toEqual(['3', '2', '1'])
    expect(await ids({ agent: 'news', limit: 1 })).toEqual(['3'])
  })

  test('interrupts an execution whose lease expired, with the sum of its rows', async () => {
    const { executions, ledger } = storage()
    await executions.begin({ ...done, id: 'execution-0' }, lease)
    await executions.begin(running, lease)
    const step = { executionId: running.id, carbonGrams: 0.5 }
    await Promise.all([
      ledger.append(sampleRecord({ ...step, id: '1', costNanoUsd: 70 }), sampleDetail()),
      ledger.append(sampleRecord({ ...step, id: '2', costNanoUsd: 7 }), sampleDetail()),
      ledger.append(sampleRecord({ id: '3', costNanoUsd: 700 }), sampleDetail()),
    ])
    expect(await executions.interruptExpired(lease.expiresAtMs)).toBe(1)
    expect(await executions.get(running.id)).toEqual({
      ...running,
      state: 'interrupted',
      steps: 2,
      costNanoUsd: 77,
      carbonGrams: 1,
      models: ['openai:gpt-5'],
    })
    expect((await executions.get('execution-0'))?.state).toBe('done')
  })

  test('does not interrupt an execution whose holder renews its lease', async () => {
    const { executions } = storage()
    await executions.begin({ ...running, id: 'mine' }, lease)
    await executions.begin({ ...running, id: 'other' }, { ...lease, holder: 'process-2' })
    await executions.renewLeases({ ...lease, expiresAtMs: 2_000 })

    expect(await executions.interruptExpired(1_999)).toBe(1)
    expect((await executions.get('mine'))?.state).toBe('running')
    expect((await executions.get('other'))?.state).toBe('interrupted')
    expect(await executions.interruptExpired(2_000)).toBe(1)
  })

  test('lists the rows of its steps in order', async () => {
    const { ledger } = storage()
    const step = { executionId: done.id, stepId: 'best' }
    await ledger.append(sampleRecord({ ...step, id: '2', startedAtMs: 20 }), sampleDetail())
    await ledger.append(sampleRecord({ ...step, id: '1', startedAtMs: 10 }), sampleDetail())
    await ledger.append(sampleRecord({ id: '3' }), sampleDetail())

    expect((await ledger.ofExecution(done.id)).map(({ id }) => id)).toEqual(['1', '2'])
  })

  test('counts for its agent; means are over successful executions', async () => {
    const { executions } = storage()
    await executions.begin(
      { ...done, id: '1', costNanoUsd: 100, latencyMs: 10, carbonGrams: 1 },
      lease,
    )
    await executions.begin(
      { ...done, id: '2', costNanoUsd: 300, latencyMs: 30, carbonGrams: 3 },
      lease,
    )
    await executions.begin({ ...done, id: '3', state: 'failed', startedAtMs: 5_000 }, lease)
    await executions.begin({ ...running, id: '4', agent: 'other' }, lease)

    const figures = await executions.figures()
    expect(figures.find(({ agent }) => agent === 'news')).toEqual({
      agent: 'news',
      runs: 3,
      done: 2,
      failed: 1,
      costUsdMean: 200e-9,
      latencyMsMean: 20,
      carbonGramsMean: 2,
      lastRunAtMs: 5_000,
    })
    expect(figures.find(({ agent }) => agent === 'other')).toMatchObject({
      runs: 1,
      done: 0,
      costUsdMean: null,
      latencyMsMean: null,
    })
  })

  test('is in no total, but its steps are', async () => {
    const { executions, ledger } = storage()
    await executions.begin(done, lease)
    const step = { executionId: done.id, stepId: 'best', costNanoUsd: 70 }
    await ledger.append(sampleRecord(step), sampleDetail())
    const [row] = await ledger.usage({ sinceMs: 0, group: 'router' })
    expect(row).toMatchObject({ requests: 1, costUsd: 70e-9 })
    expect((await ledger.get('request-1'))?.record).toMatchObject(step)
  })

  test('is removed with the rows of its day', async () => {
    const { executions, ledger } = storage()
    const dayMs = 86_400_000
    await executions.begin({ ...done, id: 'old', startedAtMs: dayMs - 1 }, lease)
    await executions.begin({ ...done, id: 'new', startedAtMs: dayMs }, lease)
    const limits = { minutesBeforeMs: 0, hoursBeforeMs: 0, maxBytes: 2 ** 40, keptSinceMs: 0 }
    while (!(await ledger.prune({ ...limits, rowsBeforeMs: dayMs })));
    expect((await executions.list({ limit: 10 })).map(({ id }) => id)).toEqual(['new'])
  })
}

const running = startedExecution({
  id: 'execution-1',
  agent: 'news',
  agentVersion: 3,
  routerId: 'router_a',
  apiKeyId: 'key-1',
  source: 'api',
  isStreamed: true,
  startedAtMs: 1_000,
})

const done: Execution = {
  ...running,
  state: 'done',
  status: 200,
  latencyMs: 12.5,
  steps: 2,
  costNanoUsd: 77,
  carbonGrams: 0.25,
  models: ['openai:gpt-5', 'local:a'],
  trace: [{ stepId: 'best', type: 'judge', outcome: 'done', startedMs: 0.5, tookMs: 12 }],
}
