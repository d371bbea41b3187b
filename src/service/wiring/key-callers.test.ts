import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { KeyUse } from '../http/checks/admission.ts'
import type { NewSighting, Sighting } from '../storage/unexpected-call-store.ts'
import { KeyCallers } from './key-callers.ts'

const use: KeyUse = {
  apiKeyId: 'key-1',
  routerId: 'router_1',
  client: 'curl/8.5.0',
  address: '192.0.2.7',
}

function start(see: (sightings: readonly Sighting[]) => Promise<NewSighting[]>) {
  vi.useFakeTimers()
  const seen: Sighting[][] = []
  const errors: unknown[] = []
  const callers = new KeyCallers({
    store: {
      see(sightings) {
        seen.push([...sightings])
        return see(sightings)
      },
    },
    onNew: async () => undefined,
    onError: (error) => errors.push(error),
    now: () => 5,
  })
  onTestFinished(async () => {
    await callers.close()
    vi.useRealTimers()
  })
  return { callers, seen, errors }
}

const stored = () => Promise.resolve([])

test('a use is stored once, with its program and network', async () => {
  const { callers, seen } = start(stored)
  for (let count = 0; count < 1_000; count += 1) callers.note(use)
  await vi.advanceTimersByTimeAsync(1_000)
  const of = (kind: Sighting['kind'], value: string) => ({
    apiKeyId: 'key-1',
    kind,
    value,
    atMs: 5,
  })
  expect(seen).toEqual([
    [of('address', '192.0.2.7'), of('program', 'curl'), of('router', 'router_1')],
  ])
  callers.note(use)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(seen).toHaveLength(1)
})

test('what is in use is stored again each hour, so that it is not forgotten', async () => {
  const { callers, seen } = start(stored)
  callers.note(use)
  await vi.advanceTimersByTimeAsync(3_600_000)
  callers.note(use)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(seen).toHaveLength(2)
  expect(seen[1]).toEqual(seen[0])
})

test('a caller with ever new names and addresses causes 64 of each in an hour', async () => {
  const { callers, seen } = start(stored)
  for (let count = 0; count < 10_000; count += 1) {
    callers.note({ ...use, client: `tool${count}/1`, address: `2001:db8:${count.toString(16)}::1` })
    if (count % 1_000 === 0) await vi.advanceTimersByTimeAsync(1_000)
  }
  await vi.advanceTimersByTimeAsync(1_000)
  // One router.
  expect(seen.flat()).toHaveLength(64 + 64 + 1)
})

test('what could not be stored is stored with the next use', async () => {
  const answers = [() => Promise.reject(new Error('disk is full')), stored]
  const { callers, seen, errors } = start(() => (answers.shift() ?? stored)())
  callers.note(use)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(errors).toHaveLength(1)
  callers.note(use)
  await callers.close()
  expect(seen[1]).toEqual(seen[0])
})

test('without an address and a user-agent, the program has no name', async () => {
  const { callers, seen } = start(stored)
  callers.note({ ...use, client: null, address: '' })
  await callers.close()
  expect(seen.flat().map(({ value }) => value)).toEqual(['unnamed program', 'router_1'])
})

function heapMib(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

test('a program’s name does not keep the request’s head in memory', async () => {
  const { callers } = start(stored)
  const before = heapMib()
  for (let count = 0; count < 50 * 64; count += 1) {
    const head = Buffer.alloc(16_000, `tool${count} `).toString('latin1')
    callers.note({ ...use, apiKeyId: `key-${count % 50}`, client: head.slice(0, 200) })
  }
  await vi.advanceTimersByTimeAsync(1_000)
  // With their heads: 49 MiB.
  expect(heapMib() - before).toBeLessThan(8)
})
