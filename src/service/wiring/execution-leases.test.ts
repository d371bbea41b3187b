/** Several processes on one database: each marks only executions without a running process. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { startedExecution } from '../../shared/agents/agent.ts'
import { startExecutionLeases } from './execution-leases.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

const running = startedExecution({
  id: 'execution',
  agent: 'a',
  agentVersion: 1,
  routerId: 'router_1',
  apiKeyId: null,
  source: 'api',
  isStreamed: false,
  startedAtMs: 0,
})

async function openDatabase() {
  const { executions, onChange, close } = await openStorage({ dataDir: temporaryFolder() })
  onTestFinished(() => close())
  const onError = (error: unknown) => {
    throw error
  }
  const startProcess = (holder: string, nowMs: number) =>
    startExecutionLeases({ executions, onChange, holder, now: () => nowMs, onError })
  const state = async () => (await executions.get(running.id))?.state
  return { startProcess, state, executions }
}

test('a process that starts leaves the executions of another one running', async () => {
  const { startProcess, state } = await openDatabase()
  const first = startProcess('first', 0)
  await first.begin(running)
  await first.close()

  await startProcess('second', 5_000).close()

  expect(await state()).toBe('running')
})

test('the next process that looks marks an execution as interrupted if its own process is gone', async () => {
  const { startProcess, state } = await openDatabase()
  const first = startProcess('first', 0)
  await first.begin(running)
  await first.close()

  await startProcess('second', 6_000).close()

  expect(await state()).toBe('interrupted')
})

test('a process that wakes up renews its own leases before it looks', async () => {
  const { startProcess, state } = await openDatabase()
  const first = startProcess('first', 0)
  await first.begin(running)
  await first.close()

  await startProcess('first', 60_000).close()

  expect(await state()).toBe('running')
})

test('leases are renewed only while an execution runs', async () => {
  const { startProcess, executions } = await openDatabase()
  const areRunning = vi.spyOn(executions, 'areRunning')
  const renewals = vi.spyOn(executions, 'renewLeases')
  const first = startProcess('first', 0)
  await vi.waitFor(() => expect(areRunning).toHaveResolved(), 60_000)
  expect(renewals).not.toHaveBeenCalled()

  await first.begin(running)
  await expect.poll(() => renewals.mock.calls.length).toBeGreaterThan(1)
  await executions.end({ ...running, state: 'done' })
  const looks = areRunning.mock.calls.length
  await expect.poll(() => areRunning.mock.calls.length).toBeGreaterThan(looks)
  await first.close()
  const last = renewals.mock.calls.length
  await startProcess('second', 0).close()
  expect(renewals).toHaveBeenCalledTimes(last)
})
