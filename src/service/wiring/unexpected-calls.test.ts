import { expect, onTestFinished, test, vi } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'
import { createEventHub } from './events.ts'
import { startUnexpectedCalls, openUnexpectedCalls } from './unexpected-calls.ts'
import type { Workspace } from './workspace.ts'

const dayMs = 86_400_000
const startMs = Date.UTC(2026, 10, 1)

/** A router and a key of 60 days over a real database, at noon of the 30th day. */
async function start() {
  const storage = await openStorage({ dataDir: temporaryFolder() })
  onTestFinished(() => storage.close())
  const clock = { nowMs: startMs + 30 * dayMs + dayMs / 2 }
  const old = { name: 'Old', createdAtMs: startMs - 30 * dayMs }
  const events = createEventHub((error) => {
    throw error
  })
  const told: unknown[] = []
  events.on('unexpected-call', (call) => told.push(call))
  // Only what these parts read.
  const configuration = {
    current: () => ({ apiKeys: new Map([['key-1', old]]), routers: new Map([['router_1', old]]) }),
  } as unknown as Workspace['configuration']
  const log = {
    noted: vi.fn<Workspace['log']['noted']>(),
    failed: vi.fn<Workspace['log']['failed']>(),
  }
  const parts = { storage, configuration, events, log, now: () => clock.nowMs }
  const joined = startUnexpectedCalls(parts)
  onTestFinished(() => joined.close())
  const open = openUnexpectedCalls(parts)
  return { storage, clock, joined, open, told, log }
}

type Started = Awaited<ReturnType<typeof start>>

async function refuse({ storage }: Started, day: number, count: number): Promise<void> {
  const code = 'invalid_parameter'
  const kind = { apiKeyId: 'key-1', routerId: 'router_1', code, door: 'chat' } as const
  const counts = [{ kind, startMs: startMs + day * dayMs, count }]
  await storage.refusals.add({ counts, newest: [] })
}

async function spend({ storage }: Started, day: number, costUsd: number): Promise<void> {
  const row = {
    id: `row-${day}-${costUsd}`,
    apiKeyId: 'key-1',
    routerId: 'router_1',
    startedAtMs: startMs + day * dayMs + 60_000,
    costNanoUsd: costUsd * 1e9,
  }
  await storage.ledger.append(sampleRecord(row), sampleDetail(), true)
}

const ofKey = { ownerKind: 'key', ownerId: 'key-1' }

test('a spike of refusals is told once, and after it was accepted only far above it', async () => {
  const started = await start()
  const { joined, open, told, log } = started
  for (const day of [5, 6, 7]) await refuse(started, day, 20)
  await refuse(started, 30, 150)
  await joined.findSpikes()
  expect(told).toEqual([])

  await refuse(started, 30, 20)
  await joined.findSpikes()
  await refuse(started, 30, 30)
  await joined.findSpikes()
  const spike = { ...ofKey, kind: 'refusals', amount: 170, usual: 20 }
  expect(told).toEqual([{ owner: { kind: 'key', id: 'key-1', name: 'Old' }, kind: 'refusals' }])
  // It grows while it is open.
  expect(await open.list()).toMatchObject([{ ...spike, amount: 200 }])
  expect(log.noted).toHaveBeenCalledWith('a call was not expected', {
    owner: 'key-1',
    kind: 'refusals',
  })

  expect(await open.dismiss({ ownerId: 'key-1', kind: 'refusals' })).toBe(true)
  await joined.findSpikes()
  expect(told).toHaveLength(1)
  await refuse(started, 30, 1_500)
  await joined.findSpikes()
  expect(told).toHaveLength(2)
})

test('a spike of spending is found in the ledger, also on the day after', async () => {
  const started = await start()
  const { joined, open, clock, told } = started
  for (let day = 3; day < 25; day += 1) await spend(started, day, 1)
  await spend(started, 30, 3.9)
  await joined.findSpikes()
  expect(told).toEqual([])

  await spend(started, 30, 0.2)
  await joined.findSpikes()
  expect(told).toMatchObject([{ kind: 'spend' }])
  expect(await open.list()).toMatchObject([
    { ...ofKey, kind: 'spend', amount: expect.closeTo(4.1), usual: 1 },
  ])

  // The day that ended is one of the days before.
  clock.nowMs += dayMs
  await spend(started, 31, 4.2)
  await joined.findSpikes()
  expect(told).toHaveLength(1)
})
