/** Bar 10: 10,000 steps of three clients with changes at random places, through the running service. */
import { runSession, startScene, stepsOfSession } from '../../test/sessions/changing-sessions.ts'
import type { Measurement } from '../measurement.ts'

export async function changeBars(steps = 10_000): Promise<Measurement[]> {
  const ends: (() => Promise<void>)[] = []
  const scene = await startScene((end) => void ends.push(end))
  let refused = 0
  let badRequests = 0
  let unbilledNanoUsd = 0
  try {
    for (let seed = 0; seed < steps / stepsOfSession; seed += 1) {
      const played = await runSession(scene, seed)
      refused += played.refused.length
      badRequests += played.badRequests.length
      unbilledNanoUsd += Math.abs(played.unbilledNanoUsd)
    }
  } finally {
    for (const end of ends.toReversed()) await end()
  }
  const none = { atMost: 0 }
  return [
    { what: 'bar 10, forbidden changes made', unit: '', measured: refused, target: none },
    { what: 'bar 10, client-visible 400s', unit: '', measured: badRequests, target: none },
    { what: 'ledger against bill', unit: 'nano-USD', measured: unbilledNanoUsd, target: none },
  ]
}
