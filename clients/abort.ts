/** What must follow when a client leaves in the middle of an answer. */
import type { RecordedRequest } from '../test/upstreams/harness.ts'
import { eventually, type TestBed } from './test-bed.ts'

/**
 * The ledger must have the request as 499, and the upstreams' connections must have been closed.
 * @param sent  the requests that reached an upstream and were not answered
 * @returns what is wrong; null if nothing is
 */
export async function findAbortProblem(
  bed: TestBed,
  routerId: string,
  sent: readonly Pick<RecordedRequest, 'aborted'>[],
): Promise<string | null> {
  let status: number | null = null
  const isRecorded = await eventually(async () => {
    status = (await bed.newestRow(routerId))?.status ?? null
    return status === 499
  })
  if (!isRecorded) return `the ledger has status ${String(status)} instead of 499`
  const closed = Promise.all(sent.map(({ aborted }) => aborted)).then(() => true)
  const isClosed = await Promise.race([closed, eventually(async () => false)])
  return isClosed ? null : 'the upstream request was not aborted'
}
