/** Shadow samples: their money by UTC day, their readings and grades. No word of a prompt or an answer. */
import type { JudgedPrompt } from '../../shared/tuning/tuning.ts'

/** A graded sample. */
export interface StoredShadowSample {
  /** Id of the sample and of its judged prompt. */
  id: string
  routerId: string
  atMs: number
  judge: string
  /** JSON, as of a tuning run's prompt. */
  reading: string
  /** JSON, as of a tuning run's prompt. */
  outcome: string
}

/** Why a sample has no grade: a request failed, the queue was full, or the rest of the day's cap did not cover it. */
export type UngradedReason = 'failed' | 'dropped' | 'overCap'

/** A router's samples. */
export interface ShadowSummary {
  routerId: string
  graded: number
  /** Null without a graded sample. */
  firstAtMs: number | null
  lastAtMs: number | null
  /** Samples without a grade, since they were last forgotten. */
  failed: number
  dropped: number
  overCap: number
  /** Cost of the day's samples, including what those in progress may still cost. */
  spentNanoUsd: number
}

/** What a router spends: on a UTC day, such as `2026-11-22`, or on all steps with a model, as `steps:<model>`. */
export interface ShadowAccount {
  routerId: string
  day: string
}

export interface ShadowSampleStore {
  /** Spent money of the day, including what is reserved. */
  spent(account: ShadowAccount): Promise<number>
  /**
   * Reserves a request's highest possible cost, durably. A request without a reservation must not be sent. If the
   * process ends before the cost is settled, the reservation stays spent.
   * @returns false when the rest of the cap does not cover it
   */
  reserve(request: ShadowAccount & { nanoUsd: number; capNanoUsd: number }): Promise<boolean>
  /** Replaces a reservation by the cost. */
  settle(request: ShadowAccount & { reservedNanoUsd: number; costNanoUsd: number }): Promise<void>
  countUngraded(counted: ShadowAccount & { reason: UngradedReason; samples: number }): Promise<void>
  /** Stores a graded sample and its judged prompt. The oldest ones above `most` are deleted with theirs. */
  add(sample: StoredShadowSample, judged: JudgedPrompt, most: number): Promise<void>
  /** Samples of a router, oldest first. */
  ofRouter(routerId: string): Promise<StoredShadowSample[]>
  /** The grades that this judge gave twice, for the router's samples: the first and the second time. */
  repeated(routerId: string, judge: string): Promise<[number, number][]>
  /** One for each router that ever sampled. */
  summaries(day: string): Promise<ShadowSummary[]>
  /** Deletes a router's samples and what routing learned from them. What they cost today stays counted. */
  forget(routerId: string): Promise<void>
}
