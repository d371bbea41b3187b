import { expect, test } from 'vitest'
import { DatabaseFromNewerVersion, StorageUnavailable } from '../service/storage/storage-errors.ts'
import type { Service, StagedBackup } from '../service/service.ts'
import { hostService } from './service-host.ts'

// Checked boundary: the host only passes it on.
const service = {} as Service

/** @param outcomes  of the starts, one after another */
function startHost(outcomes: (Service | Error)[]) {
  const states: string[] = []
  const bugs: unknown[] = []
  const host = hostService({
    dataDir: '/data',
    async start() {
      const outcome = outcomes.shift() ?? new Error('no more starts')
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    onStarted: () => () => {},
    onState: (state) => states.push(state.status === 'failed' ? state.problem : state.status),
    onBug: (error) => bugs.push(error),
  })
  return { host, states, bugs }
}

test('a start that fails can be tried again', async () => {
  const { host, states, bugs } = startHost([new DatabaseFromNewerVersion('newer'), service])
  expect(await host.settled()).toBeNull()
  expect(host.state()).toEqual({
    status: 'failed',
    problem: 'newer_database',
    message: 'newer',
    dataDir: '/data',
    restore: null,
  })

  expect(await host.retry()).toEqual({ status: 'started', restore: null })

  expect(await host.running()).toBe(service)
  expect(states).toEqual(['newer_database', 'starting', 'started'])
  expect(bugs).toEqual([])
})

test('a running service is not started again', async () => {
  const { host } = startHost([service])
  await host.running()

  expect(await host.retry()).toEqual({ status: 'started', restore: null })
  expect(await host.settled()).toBe(service)
})

test('a failure that nobody expected is reported', async () => {
  const bug = new TypeError('bug')
  const { host, bugs } = startHost([bug])
  await host.settled()

  expect(host.state()).toMatchObject({ problem: 'unexpected' })
  expect(bugs).toEqual([bug])
})

const counts = { routers: 1, keys: 1, requests: 2, conversations: 0 }
function staged(apply: StagedBackup['apply'], discard = () => {}) {
  return () => Promise.resolve({ apply, discard })
}

const restored = { createdAtMs: 1, counts, salvagedRequests: 0, keptAs: 'modelport.before.db' }

test('a restore closes the service before it replaces the database, and starts another one', async () => {
  const order: string[] = []
  // Checked boundary: the host only closes it.
  const first = { close: async () => void order.push('closed') } as Service
  const { host, states } = startHost([first, service])
  await host.running()

  const state = await host.restore(
    staged(async () => {
      order.push('replaced')
      return restored
    }),
  )

  expect(order).toEqual(['closed', 'replaced'])
  expect(state).toEqual({ status: 'started', restore: { status: 'done', ...restored } })
  expect(states).toEqual(['started', 'restoring', 'started'])
  expect(await host.running()).toBe(service)
  // The quick entry, which may ask first.
  expect(host.takeState(false)).toEqual({ status: 'started', restore: null })
  expect(host.takeState(true)).toEqual(state)
  expect(host.takeState(true)).toEqual({ status: 'started', restore: null })
})

test('a restore that fails starts the service with the database as it was', async () => {
  // Checked boundary: the host only closes it.
  const first = { close: async () => {} } as Service
  const { host } = startHost([first, service])
  await host.running()

  const message = 'The copy is damaged. Nothing was changed.'
  const state = await host.restore(staged(() => Promise.reject(new StorageUnavailable(message))))

  expect(state).toEqual({ status: 'started', restore: { status: 'failed', message } })
  expect(await host.running()).toBe(service)
})

test('a restore that fails says why when the service cannot start either', async () => {
  const damaged = new StorageUnavailable('The database is damaged.')
  const { host } = startHost([damaged, damaged])
  await host.settled()

  const message = 'The copy is damaged. Nothing was changed.'
  const state = await host.restore(staged(() => Promise.reject(new StorageUnavailable(message))))

  expect(state).toMatchObject({ status: 'failed', restore: { status: 'failed', message } })
})

test('a second restore is refused before it stages anything, and the first one goes on', async () => {
  // Checked boundary: the host only closes it.
  const first = { close: async () => {} } as Service
  const { host, states } = startHost([first, service])
  await host.running()
  const checked = Promise.withResolvers<StagedBackup>()
  const running = host.restore(() => checked.promise)
  let isStagedTwice = false

  const second = host.restore(() => {
    isStagedTwice = true
    return checked.promise
  })

  await expect(second).rejects.toMatchObject({ code: 'conflict' })
  expect(isStagedTwice).toBe(false)
  checked.resolve({ apply: async () => restored, discard: () => {} })
  expect(await running).toMatchObject({ status: 'started', restore: { status: 'done' } })
  expect(states).toEqual(['started', 'restoring', 'started'])
  expect(await host.settled()).toBe(service)
})

test('a copy that cannot be staged changes nothing, and another restore can follow', async () => {
  // Checked boundary: the host only closes it.
  const first = { close: async () => {} } as Service
  const { host, states } = startHost([first, service])
  await host.running()

  const refused = host.restore(() => Promise.reject(new StorageUnavailable('damaged')))
  await expect(refused).rejects.toThrow('damaged')
  expect(states).toEqual(['started'])

  expect(await host.restore(staged(async () => restored))).toMatchObject({ status: 'started' })
})

test('a restore that cannot close the service deletes the staged copy', async () => {
  // Checked boundary: the host only closes it.
  const first = {
    close: () => Promise.reject(new StorageUnavailable('full')),
  } as unknown as Service
  const { host } = startHost([first, service])
  await host.running()
  let discarded = 0

  await host.restore(
    staged(
      async () => restored,
      () => void (discarded += 1),
    ),
  )

  expect(discarded).toBe(1)
})

test('a start is not tried while a restore prepares its copy, which it would delete', async () => {
  const { host, states } = startHost([new DatabaseFromNewerVersion('newer'), service])
  await host.settled()
  const checked = Promise.withResolvers<StagedBackup>()
  const running = host.restore(() => checked.promise)

  expect(await host.retry()).toMatchObject({ status: 'failed' })

  checked.resolve({ apply: async () => restored, discard: () => {} })
  expect(await running).toMatchObject({ status: 'started', restore: { status: 'done' } })
  expect(states).toEqual(['newer_database', 'restoring', 'started'])
})
