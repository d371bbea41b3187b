import { expect, test } from 'vitest'
import { tuningStoreInMemory } from '../../../../test/tuning/tuning-store.ts'

const lease = { holder: 'first', nowMs: 0, expiresAtMs: 10 }
const run = { id: 'run', routerId: 'r', createdAtMs: 0, setup: '{}', capNanoUsd: 100 }
const prompts = [{ position: 0, text: '{}', reading: '{}' }]
const request = { runId: 'run', holder: 'first', key: 'a', position: 0, nanoUsd: 60 }

test('a run that another process took over is neither continued nor ended by the first one', async () => {
  const store = tuningStoreInMemory()
  await store.create({ ...run, prompts }, lease)
  expect(await store.reserve(request)).toBe(true)
  const second = { holder: 'second', nowMs: 5, expiresAtMs: 15 }
  expect(await store.resume('run', second, null)).toBe(false)
  expect(await store.resume('run', { ...second, nowMs: 10 }, 200)).toBe(true)

  expect(await store.renew('run', lease)).toBeNull()
  expect(await store.reserve({ ...request, key: 'b', nanoUsd: 1 })).toBe(false)
  const late = { runId: 'run', key: 'a', state: 'answered', costNanoUsd: 1, answer: '{}' } as const
  await store.settle(late)
  const end = { stoppedBy: null, message: null, result: null, endedAtMs: 1 }
  await store.end('run', { ...end, holder: 'first', state: 'done' })
  // The request under way counts at its highest cost and is not sent again.
  expect(await store.get('run')).toMatchObject({
    state: 'running',
    spentNanoUsd: 60,
    reservedNanoUsd: 0,
    capNanoUsd: 200,
    requests: { answered: 0, failed: 0, lost: 1 },
  })
  expect(await store.reserve({ ...request, holder: 'second' })).toBe(false)
})

test('reserves up to the cap, to the nano-dollar', async () => {
  const store = tuningStoreInMemory()
  await store.create({ ...run, prompts }, lease)
  expect(await store.reserve(request)).toBe(true)
  expect(await store.reserve({ ...request, key: 'b', nanoUsd: 41 })).toBe(false)
  expect(await store.reserve({ ...request, key: 'b', nanoUsd: 40 })).toBe(true)
  await store.settle({ runId: 'run', key: 'a', state: 'failed', costNanoUsd: 59, answer: null })
  expect(await store.reserve({ ...request, nanoUsd: 2 })).toBe(false)
  expect(await store.reserve({ ...request, nanoUsd: 1 })).toBe(true)
})
