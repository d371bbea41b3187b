/**
 * Refusals as fast as they come, from many addresses and with many keys: the memory and the database stay small, every
 * count is exact, and answered requests go on. The senders run in a thread of their own.
 */
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { row } from '../../bench/row.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { amount, expectMeasured, isTorture, tortureTimeoutMs } from './amounts.ts'
import type { FloodOptions, FloodResult } from './children/refused-flood.ts'

const addresses = amount({ quick: 40, full: 10_000 })
const keys = amount({ quick: 10, full: 100 })
const perAddress = 100
/** The flood and the probes take turns, so that both meet the same load of the machine. */
const turns = amount({ quick: 1, full: 10 })
const mib = 1024 * 1024

setFlagsFromString('--expose-gc')
const collectGarbage: unknown = runInNewContext('gc')

/** What the provider recorded of the answered requests is the test's own, up to 6 MiB. */
function usedHeapBytes({ fake }: TestService): number {
  fake.forgetRequests()
  if (typeof collectGarbage === 'function') collectGarbage()
  return process.memoryUsage().heapUsed
}

/** The pages of the refusals' tables and their indexes. The answered requests have rows in other tables. */
function bytesOfRefusals(file: string): number {
  const db = new Sqlite(file, { readonly: true })
  try {
    const bytes = db
      .prepare<[], number>(`
        SELECT sum(pgsize) FROM dbstat WHERE name IN (
          SELECT name FROM sqlite_schema
          WHERE tbl_name IN ('refusal_kinds', 'refusal_counts', 'newest_refusals')
        )`)
      .pluck()
      .get()
    return bytes ?? 0
  } finally {
    db.close()
  }
}

async function flood(options: FloodOptions): Promise<FloodResult> {
  const worker = new Worker(new URL('children/refused-flood.ts', import.meta.url), {
    workerData: options,
  })
  onTestFinished(async () => void (await worker.terminate()))
  return await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

async function optionsOf({ service, routerId, apiKey }: TestService): Promise<FloodOptions> {
  const created = []
  for (let index = 0; index < keys; index += 1) {
    created.push(await service.dashboard.createApiKey({ name: `key ${index}`, routers: 'all' }))
  }
  const endpoint = service.endpoint()
  const url = endpoint.status === 'listening' ? (endpoint.httpUrl ?? '') : ''
  const answered = { apiKey, body: JSON.stringify(hello) }
  const keysOf = created.map(({ key, apiKey: { id } }) => ({ id, key }))
  return {
    port: Number(new URL(url).port),
    routerId,
    keys: keysOf,
    answered,
    firstAddress: 0,
    addresses,
    perAddress,
  }
}

async function floodInTurns(options: FloodOptions) {
  const floods: FloodResult[] = []
  const probes: FloodResult[] = []
  const share = Math.ceil(addresses / turns)
  for (let firstAddress = 0; firstAddress < addresses; firstAddress += share) {
    const part = { ...options, firstAddress, addresses: Math.min(share, addresses - firstAddress) }
    probes.push(await flood({ ...part, isHealth: true }))
    floods.push(await flood(part))
  }
  return { flooded: together(floods), probed: together(probes) }
}

function together(
  results: readonly FloodResult[],
): Omit<FloodResult, 'counts'> & { counts: [string, number][] } {
  const sum = (of: (result: FloodResult) => number) =>
    results.reduce((total, result) => total + of(result), 0)
  return {
    refused: sum(({ refused }) => refused),
    failed: sum(({ failed }) => failed),
    tookMs: sum(({ tookMs }) => tookMs),
    counts: results.flatMap(({ counts }) => [...counts]),
    answeredMs: results.flatMap(({ answeredMs }) => answeredMs),
  }
}

test(
  'a flood of refusals is counted exactly, in little memory and space',
  async () => {
    const running = await startTestService({
      models: { 'fake-model': {} },
      router: { tier: 'enterprise' },
      service: { httpPort: 0 },
    })
    const { service, dataDir } = running
    const options = await optionsOf(running)
    // What the first refusals of any kind compile and create is not what a flood adds.
    const warmUp = await flood({ ...options, addresses: 10 })
    await flood({ ...options, addresses: 10, isHealth: true })
    const heapBefore = usedHeapBytes(running)

    const { flooded, probed } = await floodInTurns(options)

    const expected = new Map<string, number>()
    for (const [name, count] of [...warmUp.counts, ...flooded.counts]) {
      expected.set(name, (expected.get(name) ?? 0) + count)
    }
    const counted = async () =>
      new Map(
        (await service.usage.refusals.counts({ sinceMs: 0 })).map(
          ({ apiKeyId, code, door, count }) => [`${apiKeyId ?? ''} ${code} ${door}`, count],
        ),
      )
    const total = (counts: ReadonlyMap<string, number>) =>
      [...counts.values()].reduce((sum, count) => sum + count, 0)
    await expect.poll(async () => total(await counted())).toBe(total(expected))
    const counts = await counted()
    const wrong = [...expected].filter(([name, count]) => counts.get(name) !== count)
    const heapGrown = usedHeapBytes(running) - heapBefore
    await service.close()
    const storedBytes = bytesOfRefusals(join(dataDir, 'modelport.db'))

    const slower = isTorture ? { target: { atMost: 1.5 } } : {}
    expectMeasured([
      row('refusals', [flooded.refused, '']),
      row('addresses', [addresses, '']),
      row('keys', [keys, '']),
      row('wrong counts', [wrong.length, ''], { target: { atMost: 0 } }),
      row('answers lost', [flooded.failed, ''], { target: { atMost: 0 } }),
      row('memory', [heapGrown / mib, 'MiB'], { target: { atMost: 5 } }),
      row('database', [storedBytes / mib, 'MiB'], { target: { atMost: 1 } }),
      row('refusals per second', [flooded.refused / (flooded.tookMs / 1000), '']),
      row('answered requests meanwhile', [flooded.answeredMs.length, '']),
      row('answered, p50', [quantile(flooded.answeredMs, 0.5), 'ms']),
      row('answered, p99', [quantile(flooded.answeredMs, 0.99), 'ms']),
      row(
        'answered p99, times that beside as many probes of /healthz',
        [quantile(flooded.answeredMs, 0.99) / quantile(probed.answeredMs, 0.99), ''],
        slower,
      ),
    ])
  },
  tortureTimeoutMs,
)

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN
}
