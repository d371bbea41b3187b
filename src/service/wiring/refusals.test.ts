import { expect, onTestFinished, test, vi } from 'vitest'
import type { RefusedRequest } from '../../shared/requests/refusal.ts'
import type { RefusalBatch } from '../storage/refusal-store.ts'
import { Refusals } from './refusals.ts'

interface Line {
  what: string
  fields: Readonly<Record<string, string>>
}

function open() {
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const lines: Line[] = []
  const batches: RefusalBatch[] = []
  const store = {
    isBroken: false,
    async add(batch: RefusalBatch) {
      if (store.isBroken) throw new Error('no space')
      batches.push(batch)
    },
  }
  const log = {
    noted: (what: string, fields: Line['fields']) => void lines.push({ what, fields }),
    failed: (what: string) => void lines.push({ what, fields: {} }),
  }
  const onNews = vi.fn<() => void>()
  const refusals = new Refusals({ store, log, now: Date.now, onNews })
  const stored = () =>
    batches.flatMap(({ counts }) => counts).reduce((sum, { count }) => sum + count, 0)
  return { refusals, store, batches, lines, stored, onNews }
}

let ids = 0
function refused(changes: Partial<RefusedRequest> = {}): RefusedRequest {
  ids += 1
  const code = 'invalid_api_key'
  return {
    id: `id-${ids}`,
    atMs: Date.now(),
    apiKeyId: null,
    routerId: null,
    code,
    door: 'chat',
    ...changes,
  }
}

test('equal refusals of a minute are one count, and all of them have their ids', async () => {
  const { refusals, batches } = open()
  for (let count = 0; count < 300; count += 1) refusals.note(refused())
  await vi.advanceTimersByTimeAsync(5)

  expect(batches).toHaveLength(1)
  expect(batches[0]?.counts.map(({ startMs, count }) => [startMs, count])).toEqual([[0, 300]])
  expect(batches[0]?.newest).toHaveLength(300)
})

test('a batch that fails is stored with the next one, and no refusal is lost', async () => {
  const { refusals, store, batches, stored, lines } = open()
  store.isBroken = true
  refusals.note(refused())
  await vi.advanceTimersByTimeAsync(2_000)
  refusals.note(refused())
  store.isBroken = false
  await vi.advanceTimersByTimeAsync(2_000)

  expect(stored()).toBe(2)
  expect(batches.flatMap(({ newest }) => newest)).toHaveLength(2)
  expect(lines.filter(({ what }) => what === 'refusals')).toHaveLength(1)
})

test('a long outage keeps the exact count, five minutes and the newest ids', async () => {
  const { refusals, store, batches, stored } = open()
  store.isBroken = true
  for (let minute = 0; minute < 30; minute += 1) {
    for (let count = 0; count < 1_000; count += 1) refusals.note(refused())
    await vi.advanceTimersByTimeAsync(60_000)
  }
  store.isBroken = false
  await refusals.close()

  expect(stored()).toBe(30_000)
  expect(batches.flatMap(({ counts }) => counts)).toHaveLength(5)
  expect(batches.flatMap(({ newest }) => newest)).toHaveLength(10_000)
})

test('beyond 2,000 kinds, keys and routers are counted together', async () => {
  const { refusals, stored } = open()
  for (let key = 0; key < 5_000; key += 1) refusals.note(refused({ apiKeyId: `key-${key}` }))
  await refusals.close()

  expect([...refusals.totals()]).toHaveLength(2_001)
  expect(stored()).toBe(5_000)
})

test('10,000 refusals within a minute are logged in two lines that add up', async () => {
  const { refusals, lines } = open()
  for (let count = 0; count < 10_000; count += 1) refusals.note(refused())
  await vi.advanceTimersByTimeAsync(60_000)
  refusals.note(refused())
  await refusals.close()

  expect(lines.map(({ fields }) => fields)).toEqual([
    { sinceLastLine: '1', sinceStart: '1' },
    { sinceLastLine: '10000', sinceStart: '10001' },
  ])
})

test('the window hears of refusals once a second', async () => {
  const { refusals, onNews } = open()
  for (let time = 0; time < 20; time += 1) {
    refusals.note(refused())
    await vi.advanceTimersByTimeAsync(100)
  }
  await vi.advanceTimersByTimeAsync(1_000)

  expect(onNews.mock.calls.length).toBeGreaterThanOrEqual(1)
  expect(onNews.mock.calls.length).toBeLessThanOrEqual(3)
})
