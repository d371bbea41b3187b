/**
 * A pool as a fresh install meets it: its models have public ratings, and its prompts are read by weights that
 * never saw the file. No answer of the pool is known.
 */
import { logitOf } from '../../src/shared/models/quality-scale.ts'
import type { Candidate } from '../../src/service/routing/candidate.ts'
import { estimateQuality } from '../../src/service/routing/quality.ts'
import type { Read } from './fold.ts'
import { toCandidate, type Pool, type PoolRow } from './pool.ts'
import { ratedAs } from '../../training/reader/pool-ratings.ts'
import { readWith, type Readers } from './readers.ts'

/** A pool on the first day. */
export interface ColdStart {
  read: Read
  /** Candidates in the order of the pool's models. */
  candidates: readonly Candidate[]
  /** The expected quality of each model on the logit, before any answer was judged. */
  logitsOf(row: PoolRow): number[]
}

export function coldStart(pool: Pool, readers: Readers): ColdStart {
  const read = readWith(readers.cold(pool))
  const candidates = pool.models.map((model, position) => {
    const quality = ratedAs(pool.name, model)
    return { ...toCandidate(model, position, quality.points), quality }
  })
  const nothing = { feedback: null, own: null }
  return {
    read,
    candidates,
    logitsOf: (row) =>
      candidates.map(({ quality }) =>
        logitOf(estimateQuality(quality, nothing, read(row)).quality),
      ),
  }
}
