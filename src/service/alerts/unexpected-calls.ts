/** Rules for when to notify the owner of a key: docs/decisions/2026-11-23-unexpected-calls.md. */
import type { SpikeKind } from '../../shared/requests/unexpected-call.ts'
import type { NewSighting } from '../storage/unexpected-call-store.ts'

export const dayMs = 86_400_000
/** How long a key's callers, and the use of a new router, are learnt without a word. */
const learningMs = dayMs
/** Days of UTC before today that a spike is compared with. */
export const usualDays = 28

/**
 * Whether a new caller of a key was not expected.
 * @param routerSinceMs  when the router was created; null for the other kinds
 */
export function isUnexpected(
  { kind, atMs, knownSinceMs, isFull }: NewSighting,
  routerSinceMs: number | null,
): boolean {
  if (knownSinceMs === null || atMs - knownSinceMs < learningMs) return false
  // A key with so many callers has new ones all the time.
  if (isFull) return false
  return kind !== 'router' || (routerSinceMs !== null && atMs - routerSinceMs >= learningMs)
}

/** A spike is more than this multiple of the second-highest day. Refusals vary more than spending. */
const factor: Readonly<Record<SpikeKind, number>> = { refusals: 8, spend: 4 }
/** Amounts below this are no spike: requests, and US dollars. */
const least: Readonly<Record<SpikeKind, number>> = { refusals: 100, spend: 1 }
/** Days for which a key or router must exist, and days with spending that its spending is compared with. */
const leastDays = 14

export interface WatchedAmount {
  kind: SpikeKind
  /** Today's amount so far, in UTC. */
  amount: number
  /** Amounts of the 28 days before; days without any may be left out. */
  before: readonly number[]
  /** The amount of a spike that the user marked as expected; 0 for none. */
  accepted: number
  /** How long the key or router exists. */
  ageMs: number
}

/** @returns the amount of the second-highest day when today is a spike; else null */
export function spikeOver({ kind, amount, before, accepted, ageMs }: WatchedAmount): number | null {
  if (ageMs < leastDays * dayMs || amount < least[kind]) return null
  const used = before.filter((each) => each > 0).toSorted((a, b) => b - a)
  if (kind === 'spend' && used.length < leastDays) return null
  // One day may have been out of the ordinary.
  const usual = used[1] ?? 0
  return amount > factor[kind] * Math.max(usual, accepted) ? usual : null
}
