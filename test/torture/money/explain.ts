/** Puts names to each difference between what was recorded for a request and what its vendors bill. */
import type { Judged, Unknown } from './judge-call.ts'

/** What is recorded beyond a vendor's bill. */
const surpluses = [
  'estimates above the vendor’s count',
  'estimates of what is stored or linked',
  'prompts of requests that never arrived',
] as const
export type Surplus = (typeof surpluses)[number]

/** One caller's request with all that was asked for it; the requests to a mix's agents are one group. */
export interface Group {
  name: string
  recordedNanoUsd: number
  /** Attempts that the rows count. */
  attempts: number
  /** The most that the prompts of attempts may cost that never arrived whole at a vendor. */
  lostNanoUsd: number
  calls: readonly { about: string; judged: Judged }[]
}

export interface Explained {
  group: Group
  billedNanoUsd: number
  knowableNanoUsd: number
  /** Negative for what is not recorded. */
  named: ReadonlyMap<Unknown | Surplus | 'rounding', number>
  /** What is left without a name. */
  unnamedNanoUsd: number
}

/** Each price is rounded on its own. */
const roundingNanoUsd = 2
/** Least recorded share of what can be known. */
const leastRecorded = 0.995

export function explain(group: Group): Explained {
  const judged = group.calls.map((call) => call.judged)
  const billedNanoUsd = sum(judged.map(({ billed }) => billed))
  const knowableNanoUsd = sum(judged.map(({ knowable }) => knowable))
  const figures = { group, billedNanoUsd, knowableNanoUsd }
  const difference = group.recordedNanoUsd - billedNanoUsd
  const rounding = roundingNanoUsd * (judged.length + 1)
  const named = new Map<Unknown | Surplus | 'rounding', number>()
  if (Math.abs(difference) <= rounding) return { ...figures, named, unnamedNanoUsd: 0 }
  const parts = difference < 0 ? missingParts(judged) : surplusParts(group, judged)
  let rest = Math.abs(difference)
  for (const [name, most] of parts) {
    const part = Math.min(rest, most)
    if (part >= 1) named.set(name, Math.sign(difference) * part)
    rest -= part
  }
  const isRounding = rest <= rounding + (1 - leastRecorded) * knowableNanoUsd
  if (rest >= 1 && isRounding) named.set('rounding', Math.sign(difference) * rest)
  return { ...figures, named, unnamedNanoUsd: isRounding ? 0 : Math.sign(difference) * rest }
}

/** The larger parts first, so that a name is not used up by another's difference. */
function missingParts(judged: readonly Judged[]): [Unknown, number][] {
  const parts = new Map<Unknown, number>()
  for (const { unknown } of judged) {
    for (const [name, amount] of Object.entries(unknown)) {
      // The keys of the record are its names.
      parts.set(name as Unknown, (parts.get(name as Unknown) ?? 0) + amount)
    }
  }
  return [...parts].toSorted(([, a], [, b]) => b - a)
}

function surplusParts({ lostNanoUsd }: Group, judged: readonly Judged[]): [Surplus, number][] {
  const estimates = sum(judged.map(({ most, billed }) => most - billed))
  return [
    ['prompts of requests that never arrived', lostNanoUsd],
    ['estimates above the vendor’s count', estimates],
    ['estimates of what is stored or linked', sum(judged.map(({ mostLinked }) => mostLinked))],
  ]
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
