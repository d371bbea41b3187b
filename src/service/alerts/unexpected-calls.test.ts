import { seeded } from '../../../test/agents/random.ts'
import { expect, test } from 'vitest'
import type { DailyAmount, NewSighting } from '../storage/unexpected-call-store.ts'
import { findSpikes } from './spikes.ts'
import { dayMs, isUnexpected, spikeOver, type WatchedAmount } from './unexpected-calls.ts'

const nowMs = 100 * dayMs + dayMs / 2
const caller: NewSighting = {
  apiKeyId: 'key-1',
  kind: 'program',
  value: 'curl',
  atMs: nowMs,
  knownSinceMs: nowMs - dayMs,
  isFull: false,
}

test.each<[string, Partial<NewSighting>, routerSinceMs: number | null, boolean]>([
  ['a new program of a key that is known for a day', {}, null, true],
  ['the first use of a key', { knownSinceMs: null }, null, false],
  ['the first day of a key', { knownSinceMs: nowMs - dayMs + 1 }, null, false],
  ['one more caller of a key with very many', { isFull: true }, null, false],
  ['a router that exists for a day', { kind: 'router' }, nowMs - dayMs, true],
  ['a router that was created today', { kind: 'router' }, nowMs - dayMs + 1, false],
  ['a router that was deleted meanwhile', { kind: 'router' }, null, false],
])('%s', (_what, changes, routerSinceMs, isReported) => {
  expect(isUnexpected({ ...caller, ...changes }, routerSinceMs)).toBe(isReported)
})

/** Twenty days with $1, and one with $2. */
const spending: WatchedAmount = {
  kind: 'spend',
  amount: 4.1,
  before: [2, ...Array.from({ length: 20 }, () => 1)],
  accepted: 0,
  ageMs: 30 * dayMs,
}
const refusing: WatchedAmount = { ...spending, kind: 'refusals', amount: 100, before: [] }

test.each<[string, WatchedAmount, usual: number | null]>([
  ['more than four times the second-highest day', spending, 1],
  ['four times the second-highest day', { ...spending, amount: 4 }, null],
  ['days of which two are high', { ...spending, before: [...spending.before, 2] }, null],
  ['an amount that was accepted', { ...spending, accepted: 1.1 }, null],
  ['more than four times the accepted amount', { ...spending, amount: 4.5, accepted: 1.1 }, 1],
  ['a key of less than 14 days', { ...spending, ageMs: 13 * dayMs }, null],
  ['less than 14 days with spending', { ...spending, before: Array(13).fill(1) }, null],
  [
    'less than a dollar',
    { ...spending, amount: 0.99, before: spending.before.map((usd) => usd / 100) },
    null,
  ],
  ['100 refusals where there were none', refusing, 0],
  ['99 refusals', { ...refusing, amount: 99 }, null],
  ['refusals of a new key', { ...refusing, ageMs: 13 * dayMs }, null],
  ['refusals where there are always many', { ...refusing, before: [13, 13] }, null],
])('a spike is judged: %s', (_what, watched, usual) => {
  expect(spikeOver(watched)).toBe(usual)
})

const router = { ownerKind: 'router', ownerId: 'router_1' } as const
const key = { ownerKind: 'key', ownerId: 'key-1' } as const
const today = nowMs - (nowMs % dayMs)

function refusals(owner: typeof router | typeof key, amount: number, startMs = today): DailyAmount {
  return { ...owner, startMs, amount }
}
const circumstances = { kind: 'refusals', nowMs, createdAtMs: () => 0, accepted: [] } as const

test('a router has no spike of its own where that of a key accounts for it', () => {
  const ofKey = refusals(key, 500)
  expect(findSpikes([ofKey, refusals(router, 590)], circumstances)).toEqual([
    { ...key, kind: 'refusals', amount: 500, usual: 0 },
  ])
  expect(findSpikes([ofKey, refusals(router, 600)], circumstances)).toMatchObject([key, router])
  expect(findSpikes([refusals(router, 600)], circumstances)).toMatchObject([router])
})

test('only days before today are usual, and owners that do not exist have no spikes', () => {
  const days = [refusals(key, 200, today - dayMs), refusals(key, 20, today - 2 * dayMs)]
  expect(findSpikes([...days, refusals(key, 160)], circumstances)).toEqual([])
  expect(findSpikes([...days, refusals(key, 161)], circumstances)).toMatchObject([{ usual: 20 }])
  expect(findSpikes(days, circumstances)).toEqual([])
  const gone = { ...circumstances, createdAtMs: () => null }
  expect(findSpikes([refusals(key, 500)], gone)).toEqual([])
})

test('a spike that was accepted for a key is not reported for its router', () => {
  const accepted = [
    { ownerId: 'key-1', kind: 'refusals' as const, amount: 500, dismissedAtMs: nowMs },
  ]
  const amounts = [refusals(key, 500), refusals(router, 500)]
  expect(findSpikes(amounts, { ...circumstances, accepted })).toEqual([])
})

test('an accepted spike counts for four weeks', () => {
  const spike = { ownerId: 'key-1', kind: 'refusals', amount: 200 } as const
  const accepted = (dismissedAtMs: number) => ({
    ...circumstances,
    accepted: [{ ...spike, dismissedAtMs }],
  })
  expect(findSpikes([refusals(key, 1_600)], accepted(nowMs - 27 * dayMs))).toEqual([])
  expect(findSpikes([refusals(key, 1_600)], accepted(nowMs - 28 * dayMs))).toHaveLength(1)
})

interface Life {
  /** Standard deviation of the logarithm of a day's amount. */
  noise: number
  growthPerYear: number
  /** Mean interval; a rollout multiplies the amount by 1.3 to 2.5 from one day to the next. */
  daysBetweenRollouts: number
}

/** A year of a key: weekends with 30 %, two holidays of two weeks, growth, and new tools that come and go. */
function yearOf(chance: () => number, { noise, growthPerYear, daysBetweenRollouts }: Life) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
  let level = 10
  return Array.from({ length: 365 }, (_, day) => {
    level *= growthPerYear ** (1 / 365)
    if (chance() < 1 / daysBetweenRollouts) level *= 1.3 + 1.2 * chance()
    if (chance() < 1 / 180) level /= 1.5 + chance()
    const isHoliday = day % 180 >= 150 && day % 180 < 165
    const share = isHoliday ? 0 : day % 7 >= 5 ? 0.3 : 1
    return level * share * Math.exp(noise * normal() - noise ** 2 / 2)
  })
}

const keys = 500

/** @returns how many spikes are reported in a year of each key, each of them accepted */
function falseAlarms(kind: WatchedAmount['kind'], life: Life): number {
  const chance = seeded(7).next
  let alarms = 0
  for (let year = 0; year < keys; year += 1) {
    const days = yearOf(chance, life)
    let accepted = { day: -Infinity, amount: 0 }
    days.forEach((amount, day) => {
      if (day - accepted.day >= 28) accepted = { day: -Infinity, amount: 0 }
      const before = days.slice(Math.max(0, day - 28), day)
      const watched = { kind, amount, before, accepted: accepted.amount, ageMs: day * dayMs }
      if (spikeOver(watched) === null) return
      alarms += 1
      accepted = { day, amount }
    })
  }
  return alarms / keys
}

const calm = { noise: 0.3, growthPerYear: 2, daysBetweenRollouts: Infinity }
const changing = { noise: 0.4, growthPerYear: 3, daysBetweenRollouts: 60 }

test.each([
  ['spending with weekends, holidays and growth', 'spend', calm, 0],
  ['spending with a new tool every two months', 'spend', changing, 0.06],
  ['spending that varies much', 'spend', { ...changing, noise: 0.6 }, 0.3],
  ['refusals, which vary more', 'refusals', { ...changing, noise: 0.8 }, 0.1],
] as const)('false alarms of a changing service are rare: %s', (_what, kind, life, mostPerYear) => {
  expect(falseAlarms(kind, life)).toBeLessThanOrEqual(mostPerYear)
})

test('a leaked key that spends twenty times the usual is always found', () => {
  const chance = seeded(11).next
  for (let year = 0; year < keys; year += 1) {
    const before = yearOf(chance, changing).slice(100, 128)
    const mean = before.reduce((sum, amount) => sum + amount, 0) / before.length
    const watched = { kind: 'spend', amount: 20 * mean, before, accepted: 0 } as const
    expect(spikeOver({ ...watched, ageMs: 128 * dayMs })).not.toBeNull()
  }
})
