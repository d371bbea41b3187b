import { setImmediate as nextRound, setTimeout as delay } from 'node:timers/promises'

/** Rounds of the event loop in which a request or its end gets from one socket of this process to another. */
const rounds = 10

/**
 * Resolves after this time, and after the socket events that were due by then. A limit that is measured with it holds on
 * a busy machine, too, which delays the timer and the sockets of this process alike.
 */
export async function asLateAsSockets(ms: number): Promise<void> {
  await delay(ms)
  for (let round = 0; round < rounds; round += 1) await nextRound()
}
