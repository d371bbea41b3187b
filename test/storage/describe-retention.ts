import { sampleConversation, sampleMessage } from '../sample-conversations.ts'
import { expect, test } from 'vitest'
import type { LedgerLimits, Storage } from '../../src/service/storage/storage.ts'
import { sampleDetail, sampleRecord, sampleRouter } from './samples.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A limit that no data exceeds. */
const generous: LedgerLimits = {
  rowsBeforeMs: 0,
  minutesBeforeMs: 0,
  hoursBeforeMs: 0,
  maxBytes: 2 ** 40,
  keptSinceMs: 0,
}

export function describeRetention(storage: () => Storage): void {
  /** One request every 20 minutes of some days, by two models. */
  const fill = (days: number) =>
    Promise.all(
      Array.from({ length: days * 72 }, (_, row) =>
        storage().ledger.append(
          sampleRecord({
            id: `request-${row}`,
            startedAtMs: (row * hourMs) / 3,
            modelUsed: `openai:${row % 2}`,
          }),
          sampleDetail(),
        ),
      ),
    )
  /** @returns the number of slices */
  const prune = async (limits: Partial<LedgerLimits>): Promise<number> => {
    for (let slices = 1; ; slices += 1) {
      if (await storage().ledger.prune({ ...generous, ...limits })) return slices
    }
  }
  const startsKept = async () =>
    (await storage().ledger.list({ limit: 10_000 })).map(({ startedAtMs }) => startedAtMs)
  const countSince = async (sinceMs: number) => {
    const rows = await storage().ledger.usage({ sinceMs, group: 'model' })
    return rows.reduce((sum, { requests }) => sum + requests, 0)
  }

  const points = async (bucketMs: number) => {
    const query = { fromMs: 0, toMs: 10 * dayMs, bucketMs, offsetMs: 0 }
    return (await storage().ledger.report({ ...query, group: 'none' })).points
  }

  test('deletes nothing within the limits', async () => {
    await fill(2)
    expect(await prune({})).toBe(1)
    expect(await startsKept()).toHaveLength(144)
  })

  test('deletes the requests before a day, in slices, and keeps their totals', async () => {
    await fill(10)
    const before = await storage().ledger.usage({ sinceMs: 0, group: 'router' })
    expect(await prune({ rowsBeforeMs: 7 * dayMs })).toBeGreaterThan(2)
    expect(Math.min(...(await startsKept()))).toBe(7 * dayMs)
    expect(await storage().ledger.get('request-0')).toBeNull()
    expect(await storage().ledger.usage({ sinceMs: 0, group: 'router' })).toEqual(before)
    expect(await points(6 * hourMs)).toHaveLength(40)
  })

  test('counts the shortest available cell in full when the range starts within it', async () => {
    await fill(10)
    await prune({ rowsBeforeMs: 8 * dayMs, minutesBeforeMs: 6 * dayMs, hoursBeforeMs: 3 * dayMs })
    const middle = 10 * hourMs + 21 * 60_000
    // Of three requests an hour, the third is after 10:21. The range is read from rows, minutes, hours and
    // days.
    expect(await countSince(9 * dayMs + middle)).toBe(40)
    expect(await countSince(7 * dayMs + middle)).toBe(40 + 2 * 72)
    expect(await countSince(4 * dayMs + middle)).toBe(42 + 5 * 72)
    expect(await countSince(dayMs + middle)).toBe(9 * 72)
    const fine = await points(60_000)
    expect(fine.reduce((sum, { total }) => sum + total.requests, 0)).toBe(720)
    expect(fine.length).toBeLessThan(720)
  })

  test('deletes the oldest requests while the storage is too large, but none of the last days', async () => {
    await fill(10)
    await prune({ maxBytes: 1, keptSinceMs: 9 * dayMs })
    expect(Math.min(...(await startsKept()))).toBe(9 * dayMs)
    expect(await countSince(0)).toBe(720)
  })

  test('deletes changes of routers with the hourly figures of their time', async () => {
    const { configuration } = storage()
    const router = sampleRouter({ strategy: 'priority' })
    await configuration.insertRouter(router)
    await configuration.updateRouter({ ...router, strategy: 'balanced', updatedAtMs: dayMs })
    await configuration.updateRouter({ ...router, strategy: 'priority', updatedAtMs: 3 * dayMs })
    await prune({ hoursBeforeMs: 2 * dayMs })
    const left = await configuration.routerChanges(router.id)
    expect(left.map(({ atMs }) => atMs)).toEqual([3 * dayMs])
  })

  test('never deletes conversations', async () => {
    await fill(2)
    await storage().conversations.save(sampleConversation())
    await storage().conversations.saveMessage('c', sampleMessage())
    await prune({ rowsBeforeMs: 9 * dayMs, maxBytes: 1, keptSinceMs: 9 * dayMs })
    expect(await startsKept()).toEqual([])
    expect(await storage().conversations.messages('c')).toEqual([sampleMessage()])
  })

  test('lets others write between two slices', async () => {
    await fill(30)
    let isDone = false
    const pruning = prune({ rowsBeforeMs: 29 * dayMs }).finally(() => (isDone = true))
    const take = { routerId: 'router_a', day: '2026-11-21', wanted: 1, limit: null }
    await storage().quota.take(take)
    await storage().quota.take(take)
    expect(isDone).toBe(false)
    expect(await pruning).toBeGreaterThan(10)
  })

  test('continues to count after deleting', async () => {
    await fill(3)
    await prune({ rowsBeforeMs: 2 * dayMs, minutesBeforeMs: 2 * dayMs })
    await storage().ledger.append(sampleRecord({ id: 'late', startedAtMs: 5 }), sampleDetail())
    await storage().ledger.append(
      sampleRecord({ id: 'new', startedAtMs: 3 * dayMs }),
      sampleDetail(),
    )
    expect(await countSince(0)).toBe(3 * 72 + 2)
    expect(await countSince(2 * dayMs)).toBe(72 + 1)
  })
}
