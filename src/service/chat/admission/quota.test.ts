/** The daily limit on the real storage, with the test's clock. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Router } from '../../../shared/entities.ts'
import { routingSettingsSchema } from '../../../shared/routers/routing-settings.ts'
import { openStorage } from '../../storage/sqlite/open-storage.ts'
import type { QuotaStore } from '../../storage/storage.ts'
import { QuotaMarks } from './quota-marks.ts'
import { Quota, quotaHeaders, type OwnedMarks } from './quota.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const hourMs = 3_600_000

async function startQuota() {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-test-'))
  const storage = await openStorage({ dataDir })
  const clock = { nowMs: noon }
  const lost: unknown[] = []
  const open = (
    store: QuotaStore = storage.quota,
    role: OwnedMarks['role'] | 'unmarked' = 'service',
    name = 'dispatched-requests',
  ) => {
    const file = new QuotaMarks(join(dataDir, name), () => noon)
    return new Quota(store, {
      now: () => clock.nowMs,
      onLostLease: (error) => lost.push(error),
      marks: role === 'unmarked' ? null : { file, role },
    })
  }
  onTestFinished(async () => {
    await storage.close()
    await rm(dataDir, { recursive: true })
  })
  /** The day's count in storage, read by taking 0 requests. */
  const counted = async (day = '2026-11-21') => {
    const { used } = await storage.quota.take({ routerId: 'router_1', day, wanted: 0, limit: null })
    return used
  }
  return { quota: open(), open, clock, counted, lost, store: storage.quota, dataDir }
}

function router(dailyLimit: number | null, id = 'router_1'): Router {
  return {
    id,
    name: 'Test',
    strategy: 'priority',
    models: [],
    tier: 'enterprise',
    dailyLimit,
    cacheTtlSeconds: null,
    timeLimits: {},
    hedge: null,
    routing: routingSettingsSchema.parse({}),
    requestsPerMinute: null,
    budgetUsdPerDay: null,
    budgetUsdPerMonth: null,
    createdAtMs: 0,
    updatedAtMs: 0,
  }
}

/** The number of accepted requests among `count` simultaneous ones. */
async function takeMany(quota: Quota, count: number, limited: Router): Promise<number> {
  const outcomes = await Promise.allSettled(
    Array.from({ length: count }, () => quota.take(limited)),
  )
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

function newGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

test.each([1, 3, 100, 250])('accepts exactly %i of 500 simultaneous requests', async (limit) => {
  const { quota } = await startQuota()

  expect(await takeMany(quota, 500, router(limit))).toBe(limit)
})

test('hundreds of requests that waited together do not continue in one tick', async () => {
  const { open, store } = await startQuota()
  const gate = newGate()
  const late: QuotaStore = {
    ...store,
    take: async (request) => {
      await gate.opened
      return await store.take(request)
    },
  }
  const quota = open(late)
  let served = 0
  const waiting = Array.from({ length: 500 }, async () => {
    await quota.take(router(10_000))
    served += 1
  })
  gate.open()
  const perIteration: number[] = []
  while (served < waiting.length) {
    const before = served
    await nextIteration()
    perIteration.push(served - before)
  }

  expect(Math.max(...perIteration)).toBeLessThanOrEqual(32)
})

test('reports the requests left and the end of the day', async () => {
  const { quota } = await startQuota()

  expect(await quota.take(router(100))).toEqual({ limit: 100, remaining: 99, resetMs: 12 * hourMs })
  expect(await quota.take(router(100))).toMatchObject({ remaining: 98 })
})

test('counts nothing for a router without a limit', async () => {
  const { quota, counted } = await startQuota()

  expect(await quota.take(router(null))).toBeNull()
  expect(await counted()).toBe(0)
})

test('a refusal states the time of the reset and asks SDKs not to retry', async () => {
  const { quota } = await startQuota()
  await quota.take(router(1))

  await expect(quota.take(router(1))).rejects.toMatchObject({
    code: 'daily_limit_exceeded',
    headers: {
      'retry-after': '43200',
      'x-should-retry': 'false',
      ratelimit: '"router-day";r=0;t=43200',
    },
  })
})

test('after an orderly stop the count equals the served requests', async () => {
  const { quota, open, counted } = await startQuota()
  await takeMany(quota, 7, router(10_000))
  await quota.close()

  expect(await counted()).toBe(7)
  expect(await open().take(router(10_000))).toMatchObject({ remaining: 9_992 })
})

test('without marks, after a crash at most 1 % of the limit is lost, and none is gained', async () => {
  const { open, store, counted } = await startQuota()
  const quota = open(store, 'unmarked')
  await takeMany(quota, 7, router(10_000))

  expect(await open(store, 'unmarked').take(router(10_000))).toMatchObject({ remaining: 9_919 })

  // The next lease is taken while a quarter of the last one is left.
  const before = await counted()
  await takeMany(quota, 54, router(10_000))
  expect(await counted()).toBe(before + 80)
  expect((await counted()) - 62).toBeLessThanOrEqual(80 + 100)
})

test.each([
  [100, 3],
  [10_000, 200],
])('30 kills lose at most 1 % of a limit of %i, and gain none', async (limit, perProcess) => {
  const { open, store } = await startQuota()
  let served = 0
  for (let kill = 0; kill < 30; kill += 1) {
    // Killed while it has a lease, and every third one before it hears of the lease.
    const isUnheard = kill % 3 === 0
    const isTaken = Promise.withResolvers<void>()
    const unheard: QuotaStore['take'] = async (request) => {
      const taken = await store.take(request)
      if (request.wanted === 0) return taken
      isTaken.resolve()
      return new Promise(() => {})
    }
    const quota = open(isUnheard ? { ...store, take: unheard } : store)
    const taking = takeMany(quota, perProcess, router(limit))
    if (isUnheard) await isTaken.promise
    else served += await taking
  }
  served += await takeMany(open(), limit, router(limit))
  expect(served).toBeLessThanOrEqual(limit)
  expect(served).toBeGreaterThanOrEqual(limit * 0.99)
})

test.each([
  [100, 3],
  [10_000, 200],
])(
  'of several services, 30 kills of two lose at most 1 % of a limit of %i, and gain none',
  async (limit, perProcess) => {
    const { open, store } = await startQuota()
    const start = (name: string) => open(store, 'shared', name)
    const beside = start('third')
    let served = 0
    for (let kill = 0; kill < 30; kill += 1) {
      served += await takeMany(
        start(kill % 2 === 0 ? 'first' : 'second'),
        perProcess,
        router(limit),
      )
      served += await takeMany(beside, 1, router(limit))
    }
    const left = [start('first'), start('second')]
    // As each second: what a killed process left is found without a request to its successor.
    for (const quota of [...left, beside]) await quota.share()
    for (const quota of [...left, beside]) served += await takeMany(quota, limit, router(limit))

    expect(served).toBeLessThanOrEqual(limit)
    expect(served).toBeGreaterThanOrEqual(limit * 0.99)
  },
)

test('of several services, a kill before the storage has answered costs one lease, whoever waits', async () => {
  const { open, store, counted } = await startQuota()
  const isTaken = Promise.withResolvers<void>()
  const unheard: QuotaStore['take'] = async (request) => {
    await store.take(request)
    isTaken.resolve()
    return new Promise(() => {})
  }
  void takeMany(open({ ...store, take: unheard }, 'shared'), 60, router(100))
  await isTaken.promise

  expect(await counted()).toBe(1)
})

test('of several services, what was returned before a kill is not returned again', async () => {
  const { open, store, clock, counted } = await startQuota()
  const quota = open(store, 'shared')
  await takeMany(quota, 10, router(10_000))
  clock.nowMs += 6_000
  const isReturned = Promise.withResolvers<void>()
  const returning = open(
    {
      ...store,
      async giveBack(request) {
        await store.giveBack(request)
        isReturned.resolve()
        return new Promise(() => {})
      },
    },
    'shared',
  )
  // It finds what the first left, and is killed before it hears that this was returned.
  void returning.share()
  await isReturned.promise
  const before = await counted()
  await open(store, 'shared').share()

  expect(before).toBeLessThanOrEqual(13)
  expect(await counted()).toBe(before)
})

test('a command that takes requests beside the service is counted after a kill', async () => {
  const { quota, open, store } = await startQuota()
  const limited = router(100)
  const guest = open(store, 'guest')
  let served = (await takeMany(quota, 10, limited)) + (await takeMany(guest, 5, limited))
  served += await takeMany(open(), 40, limited)
  await guest.close()
  served += await takeMany(open(), 100, limited)
  expect(served).toBeLessThanOrEqual(100)
  expect(served).toBeGreaterThanOrEqual(99)
})

test('after a restart of the computer nothing is returned, because the marks may be too low', async () => {
  const { quota, open, dataDir } = await startQuota()
  await takeMany(quota, 100, router(10_000))
  const file = join(dataDir, 'dispatched-requests')
  const marks = await readFile(file, 'latin1')
  await writeFile(
    file,
    marks.replace(/^\d+/, (start) => String(Number(start) - 3_000)),
  )
  const left = await takeMany(open(), 10_000, router(10_000))
  expect(left).toBeLessThan(9_900)
  expect(left).toBeGreaterThanOrEqual(9_800)
})

test('marks that cannot be written are given up, and the requests are still counted', async () => {
  const { quota, dataDir, lost, open } = await startQuota()
  await mkdir(join(dataDir, 'dispatched-requests', 'in-the-way'), { recursive: true })
  expect(await takeMany(quota, 120, router(100))).toBe(100)
  expect(await takeMany(open(), 1, router(100))).toBe(0)
  expect(lost).not.toEqual([])
})

test('no request waits for storage after the first lease', async () => {
  const { open, store } = await startQuota()
  let isHeld = false
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const quota = open({
    ...store,
    async take(request) {
      if (isHeld) await held
      return store.take(request)
    },
  })
  await quota.take(router(10_000))
  isHeld = true

  // All but one of the lease. Its last quarter would wait if the next lease were not already requested.
  expect(await takeMany(quota, 79, router(10_000))).toBe(79)
  const waiting = quota.take(router(10_000))
  release()
  expect(await waiting).toMatchObject({ remaining: 9_919 })
})

test('a new day begins at 00:00 UTC, and the old day’s lease is returned', async () => {
  const { quota, clock, counted } = await startQuota()
  await takeMany(quota, 3, router(1_000))

  clock.nowMs = noon + 12 * hourMs
  expect(await quota.take(router(1_000))).toMatchObject({ remaining: 999, resetMs: 24 * hourMs })

  await quota.close()
  expect([await counted('2026-11-22'), await counted('2026-11-21')]).toEqual([1, 3])
})

test('requests that arrive over midnight are served up to the limit of each day', async () => {
  const { quota, clock } = await startQuota()
  const before = takeMany(quota, 300, router(100))
  clock.nowMs = noon + 12 * hourMs
  const after = takeMany(quota, 300, router(100))

  expect(await before).toBeLessThanOrEqual(100)
  expect(await after).toBeLessThanOrEqual(100)
  expect((await before) + (await after)).toBeGreaterThanOrEqual(100)
})

test('a clock set back refills nothing', async () => {
  const { quota, clock } = await startQuota()
  await takeMany(quota, 100, router(100))

  clock.nowMs = noon - 26 * hourMs

  await expect(quota.take(router(100))).rejects.toMatchObject({ code: 'daily_limit_exceeded' })
})

test('a restart with the clock set back refills nothing', async () => {
  const { quota, open, clock } = await startQuota()
  await takeMany(quota, 100, router(100))
  await quota.close()

  clock.nowMs = noon - 26 * hourMs

  await expect(open().take(router(100))).rejects.toMatchObject({ code: 'daily_limit_exceeded' })
})

test('after a clock that was years ahead the next day has its full limit', async () => {
  const { quota, clock } = await startQuota()
  clock.nowMs = noon + 5 * 365 * 24 * hourMs
  await takeMany(quota, 100, router(100))

  clock.nowMs = noon
  await expect(quota.take(router(100))).rejects.toMatchObject({
    code: 'daily_limit_exceeded',
    headers: { 'retry-after': String(12 * 3600) },
  })
  clock.nowMs = noon + 24 * hourMs

  expect(await quota.take(router(100))).toMatchObject({ remaining: 99 })
})

test('a raised limit applies at once and counts earlier requests', async () => {
  const { quota } = await startQuota()
  await takeMany(quota, 10, router(10))

  expect(await quota.take(router(1_000))).toMatchObject({ limit: 1_000, remaining: 989 })
})

test('a lowered limit applies at once', async () => {
  const { quota } = await startQuota()
  await takeMany(quota, 10, router(1_000))

  await expect(quota.take(router(10))).rejects.toMatchObject({ code: 'daily_limit_exceeded' })
})

test('changing the limit while requests wait for storage loses no requests', async () => {
  const { quota, counted } = await startQuota()

  const waiting = quota.take(router(10_000))
  const changed = quota.take(router(20_000))
  await Promise.all([waiting, changed])
  await quota.close()

  expect(await counted()).toBe(2)
})

test('each router has its own count', async () => {
  const { quota } = await startQuota()
  await takeMany(quota, 5, router(5))

  expect(await quota.take(router(5, 'router_2'))).toMatchObject({ remaining: 4 })
})

test('refuses requests while storage fails, and recovers', async () => {
  const { open, store } = await startQuota()
  let isBroken = true
  const quota = open({
    take: (request) => (isBroken ? Promise.reject(new Error('disk full')) : store.take(request)),
    giveBack: (request) => store.giveBack(request),
  })

  await expect(quota.take(router(100))).rejects.toMatchObject({
    code: 'storage_unavailable',
    headers: { 'retry-after': '5' },
  })
  isBroken = false
  expect(await quota.take(router(100))).toMatchObject({ remaining: 99 })
})

test('a lease that could not be returned is reported', async () => {
  const { open, store, lost } = await startQuota()
  const quota = open({
    take: (request) => store.take(request),
    giveBack: () => Promise.reject(new Error('disk full')),
  })
  await quota.take(router(10_000))

  await quota.close()

  expect(lost).toEqual([new Error('disk full')])
})

test.each([
  [0, '0s'],
  [999, '1s'],
  [360_000, '6m0s'],
  [47_105_000, '13h5m5s'],
])('writes %i ms as %s', (resetMs, written) => {
  const headers = quotaHeaders({ limit: 100, remaining: 37, resetMs })

  expect(headers).toMatchObject({
    'x-ratelimit-limit-requests': '100',
    'x-ratelimit-remaining-requests': '37',
    'x-ratelimit-reset-requests': written,
    'ratelimit-policy': '"router-day";q=100;w=86400',
  })
})

test('shared with other services, an idle lease is returned, and returned requests are found', async () => {
  const { open, clock, counted, store } = await startQuota()
  const [first, second] = [open(store, 'shared', 'first'), open(store, 'shared', 'second')]
  await first.take(router(1_000))
  expect(await counted()).toBe(8)
  await takeMany(second, 992, router(1_000))
  await expect(second.take(router(1_000))).rejects.toMatchObject({ code: 'daily_limit_exceeded' })

  clock.nowMs += 5_000
  await first.share()
  expect(await counted()).toBe(993)
  await expect(second.take(router(1_000))).rejects.toMatchObject({ code: 'daily_limit_exceeded' })
  await second.share()
  expect(await takeMany(second, 20, router(1_000))).toBe(7)
  await expect(first.take(router(1_000))).rejects.toMatchObject({ code: 'daily_limit_exceeded' })
})

test('the use of the day has the requests that were counted, of routers with a limit', async () => {
  const { quota, open } = await startQuota()
  await quota.take(router(1_000))
  await quota.take(router(1_000))
  await quota.take(router(null, 'router_2'))

  const routers = [router(1_000), router(null, 'router_2'), router(5, 'router_3')]
  expect(await quota.dailyUse(routers)).toEqual([
    { routerId: 'router_1', requests: 2 },
    { routerId: 'router_3', requests: 0 },
  ])
  await quota.close()
  expect(await open().dailyUse(routers)).toMatchObject([{ requests: 2 }, { requests: 0 }])
})
