/** Finds the keys and routers that have a spike today, from the amounts of each day. */
import type { SpikeKind, UnexpectedCall } from '../../shared/requests/unexpected-call.ts'
import type { AcceptedSpike, DailyAmount } from '../storage/unexpected-call-store.ts'
import { dayMs, spikeOver, usualDays } from './unexpected-calls.ts'

export type Owner = Pick<UnexpectedCall, 'ownerKind' | 'ownerId'>

export interface Spike extends Owner {
  kind: SpikeKind
  amount: number
  usual: number
}

export interface SpikeCircumstances {
  kind: SpikeKind
  nowMs: number
  /** Time at which a key or router was created; null when it does not exist. */
  createdAtMs(owner: Owner): number | null
  accepted: readonly AcceptedSpike[]
}

/** Spikes of keys, and of routers where the spikes of keys do not account for them. */
export function findSpikes(
  amounts: readonly DailyAmount[],
  circumstances: SpikeCircumstances,
): Spike[] {
  const owners = [...byOwner(amounts).values()]
  const ofKeys = spikesIn(owners, 'key', circumstances)
  // Also those that were accepted.
  const all = spikesIn(owners, 'key', { ...circumstances, accepted: [] })
  const accountedFor = all.reduce((sum, { amount }) => sum + amount, 0)
  return [...ofKeys, ...spikesIn(owners, 'router', { ...circumstances, accountedFor })]
}

function spikesIn(
  owners: readonly (readonly DailyAmount[])[],
  ownerKind: Owner['ownerKind'],
  among: SpikeCircumstances & { accountedFor?: number },
): Spike[] {
  return owners.flatMap((days) => {
    const [first] = days
    return first?.ownerKind === ownerKind ? (spikeOf(first, days, among) ?? []) : []
  })
}

function byOwner(amounts: readonly DailyAmount[]): Map<string, DailyAmount[]> {
  const owners = new Map<string, DailyAmount[]>()
  for (const day of amounts) {
    const name = `${day.ownerKind} ${day.ownerId}`
    const days = owners.get(name) ?? []
    if (days.length === 0) owners.set(name, days)
    days.push(day)
  }
  return owners
}

/** @param among  with the part of today's amount that is accounted for by others */
function spikeOf(
  { ownerKind, ownerId }: Owner,
  days: readonly DailyAmount[],
  among: SpikeCircumstances & { accountedFor?: number },
): Spike | null {
  const { kind, nowMs, createdAtMs, accepted, accountedFor = 0 } = among
  const sinceMs = createdAtMs({ ownerKind, ownerId })
  if (sinceMs === null) return null
  const todayMs = nowMs - (nowMs % dayMs)
  const amount = days.find(({ startMs }) => startMs === todayMs)?.amount ?? 0
  const isAccepted = (spike: AcceptedSpike) =>
    spike.ownerId === ownerId &&
    spike.kind === kind &&
    spike.dismissedAtMs > nowMs - usualDays * dayMs
  const usual = spikeOver({
    kind,
    amount: amount - accountedFor,
    before: days.filter(({ startMs }) => startMs !== todayMs).map((day) => day.amount),
    accepted: accepted.find(isAccepted)?.amount ?? 0,
    ageMs: nowMs - sinceMs,
  })
  return usual === null ? null : { ownerKind, ownerId, kind, amount, usual }
}
