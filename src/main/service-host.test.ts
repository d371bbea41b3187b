import { expect, test } from 'vitest'
import { DatabaseFromNewerVersion } from '../service/storage/storage-errors.ts'
import type { Service } from '../service/service.ts'
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
  })

  expect(await host.retry()).toEqual({ status: 'started' })

  expect(await host.started).toBe(service)
  expect(states).toEqual(['newer_database', 'starting', 'started'])
  expect(bugs).toEqual([])
})

test('a running service is not started again', async () => {
  const { host } = startHost([service])
  await host.started

  expect(await host.retry()).toEqual({ status: 'started' })
  expect(await host.settled()).toBe(service)
})

test('a failure that nobody expected is reported', async () => {
  const bug = new TypeError('bug')
  const { host, bugs } = startHost([bug])
  await host.settled()

  expect(host.state()).toMatchObject({ problem: 'unexpected' })
  expect(bugs).toEqual([bug])
})
