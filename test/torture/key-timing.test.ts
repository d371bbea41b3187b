/**
 * The time to refuse a key says nothing about which of its characters are right. Keys that resemble each other are
 * refused some nanoseconds faster than others, because the processor predicts the same characters better. So the wrong keys
 * that resemble a right one are compared with wrong keys that resemble a key that does not exist.
 */
import { crc32 } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { row } from '../../bench/row.ts'
import {
  isWellFormedApiKey,
  newApiKey,
  randomBase62,
  sha256OfKey,
} from '../../src/service/api-key-format.ts'
import { authorize } from '../../src/service/http/checks/auth.ts'
import { openLiveConfiguration } from '../../src/service/storage/live-configuration.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import { seeded } from '../agents/random.ts'
import { sampleApiKey } from '../storage/samples.ts'
import { temporaryFolder } from '../storage/temporary-folder.ts'
import { amount, expectMeasured, isTorture, tortureTimeoutMs } from './amounts.ts'

const callsPerKey = amount({ quick: 2_000, full: 100_000 })
/** Chance alone gives a smaller p in one of a hundred runs, so only two in a row count. */
const smallestP = 0.01
const runs = 2
/** Half of a key's 30 random characters. */
const half = 15
/** Different keys of each kind: two single keys have different hashes, and differ in time for that alone. */
const keysPerKind = amount({ quick: 500, full: 5_000 })

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A well-formed key that shares its first or its last characters with another one. */
function similarTo(key: string, sharedPart: 'beginning' | 'end'): string {
  const random = key.slice(3, 33)
  const other = randomBase62(half)
  const changed = sharedPart === 'end' ? other + random.slice(half) : random.slice(0, half) + other
  let rest = crc32(changed)
  let checksum = ''
  while (checksum.length < 6) {
    checksum = `${alphabet[rest % 62] ?? ''}${checksum}`
    rest = Math.floor(rest / 62)
  }
  return `mp_${changed}${checksum}`
}

interface Sample {
  mean: number
  /** Variance of the mean. */
  variance: number
}

/** Sample without the slowest tenth: pauses of the process, which fall on either key. */
function sampleOf(timesNs: Float64Array): Sample {
  const kept = timesNs.toSorted().subarray(0, Math.floor(timesNs.length * 0.9))
  const mean = kept.reduce((sum, timeNs) => sum + timeNs, 0) / kept.length
  const squares = kept.reduce((sum, timeNs) => sum + (timeNs - mean) ** 2, 0)
  return { mean, variance: squares / (kept.length - 1) / kept.length }
}

/** Welch's test. With this many values Student's distribution is the normal one. @returns two-sided p */
function welchP(one: Sample, other: Sample): number {
  const t = Math.abs(one.mean - other.mean) / Math.sqrt(one.variance + other.variance)
  return Math.min(1, 2 * upperTail(t))
}

/** Upper tail of the standard normal distribution (Abramowitz and Stegun 26.2.17; the error is below 1e-7). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const factors = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = factors.reduceRight((inner, factor) => t * (factor + inner), 0)
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}

test('the test of equal times notices a difference of three standard errors', () => {
  const [one, other] = [
    { mean: 100, variance: 0.5 },
    { mean: 103, variance: 0.5 },
  ]
  expect(welchP(one, other)).toBeCloseTo(0.0027, 4)
  expect(welchP(one, one)).toBeCloseTo(1, 6)
})

test(
  'a key that resembles a right one is refused as fast as one that resembles none',
  { timeout: tortureTimeoutMs },
  async () => {
    const right = Array.from({ length: keysPerKind }, () => newApiKey())
    const storage = await openStorage({ dataDir: temporaryFolder() })
    onTestFinished(() => storage.close())
    const insertions = right.map((key, id) =>
      storage.configuration.insertApiKey(
        sampleApiKey({ id: `key_${id}`, sha256: sha256OfKey(key) }),
      ),
    )
    await Promise.all(insertions)
    const live = await openLiveConfiguration(storage, () => {})
    onTestFinished(() => live.close())
    const now = { configuration: live.current(), nowMs: Date.now() }
    const wrong: [Buffer[], Buffer[]] = [[], []]
    // Made in turn, so that neither kind is older or nearer to each other in memory.
    for (const [index, key] of right.entries()) {
      const sharedPart = index % 2 === 0 ? 'beginning' : 'end'
      wrong[0].push(Buffer.from(`Bearer ${similarTo(key, sharedPart)}`))
      wrong[1].push(Buffer.from(`Bearer ${similarTo(newApiKey(), sharedPart)}`))
    }
    expect(
      wrong.flat().every((one) => isWellFormedApiKey(one.toString().slice('Bearer '.length))),
    ).toBe(true)
    const refuse = (authorization: string): boolean => {
      try {
        authorize(authorization, 'router_none', now)
        return false
      } catch {
        return true
      }
    }

    const ps: number[] = []
    const differencesNs: number[] = []
    let refused = 0
    for (let run = 0; run < runs; run += 1) {
      const chance = seeded(run)
      const times = [new Float64Array(callsPerKey), new Float64Array(callsPerKey)] as const
      for (let call = 0; call < callsPerKey; call += 1) {
        // Both keys in a random order, so that neither always follows the other.
        const first = chance.below(2)
        for (const which of [first, 1 - first]) {
          // A new text for each call, as from a request: its place in memory must not depend on its kind.
          const authorization = wrong[which]?.[chance.below(keysPerKind)]?.toString('latin1') ?? ''
          const startedAt = process.hrtime.bigint()
          refused += Number(refuse(authorization))
          const tookNs = Number(process.hrtime.bigint() - startedAt)
          const list = which === 0 ? times[0] : times[1]
          list[call] = tookNs
        }
      }
      const [one, other] = [sampleOf(times[0]), sampleOf(times[1])]
      ps.push(welchP(one, other))
      differencesNs.push(Math.abs(one.mean - other.mean))
    }
    const calls = 2 * runs * callsPerKey
    expectMeasured([
      row('refused keys', [refused, ''], { target: { atLeast: calls } }),
      row('difference of the means, smaller of two runs', [Math.min(...differencesNs), 'ns']),
      row(
        'Welch p, the better of two runs',
        [Math.max(...ps), ''],
        // On a busy machine with few calls the figure says nothing.
        isTorture ? { target: { atLeast: smallestP } } : {},
      ),
    ])
  },
)
