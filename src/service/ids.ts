/** Ids of requests, conversations and messages: UUIDv7, so that they sort by time. */
import { randomFillSync } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'

const bytesPerId = 16
const idsPerFill = 256

/** Asks the system for the randomness of many ids at once: one at a time costs ten times as much. */
export function createIds(now: () => number): () => string {
  const pool = new Uint8Array(bytesPerId * idsPerFill)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const random = pool.subarray(used, used + bytesPerId)
    used += bytesPerId
    return uuidv7({ msecs: now(), random })
  }
}
