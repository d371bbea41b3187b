/** Tuning runs: their prompts, requests and money. Prompts and answers are deleted once they are graded. */

/** A run's own row. Sums of money and counts are of all its requests. */
export interface StoredTuningRun {
  id: string
  routerId: string
  /** `stopping` and `interrupted` follow from the lease and from `isStopWanted`. */
  state: 'running' | 'stopped' | 'done'
  stoppedBy: string | null
  message: string | null
  createdAtMs: number
  endedAtMs: number | null
  /** When it last began or was resumed, and how many prompts had an outcome then. */
  resumedAtMs: number
  endedBeforeResume: number
  /** JSON, written once by the run. */
  setup: string
  capNanoUsd: number
  spentNanoUsd: number
  reservedNanoUsd: number
  isStopWanted: boolean
  leaseExpiresAtMs: number
  /** JSON of the result when it last ended; null before. */
  result: string | null
  prompts: { total: number; graded: number; ungraded: number }
  requests: { answered: number; failed: number; lost: number }
}

export interface NewTuningRun {
  id: string
  routerId: string
  createdAtMs: number
  setup: string
  capNanoUsd: number
  prompts: readonly NewTuningPrompt[]
}

export interface NewTuningPrompt {
  position: number
  /** JSON with the words of the prompt: deleted once it is graded. */
  text: string
  /** JSON without a word of it. */
  reading: string
}

export interface StoredTuningPrompt {
  position: number
  /** Null once it is graded. */
  text: string | null
  reading: string
  /** JSON; null before it is graded. */
  outcome: string | null
}

/**
 * `sent` until its answer is stored; `lost` when the process ended before that. `failed` requests may be sent again
 * under the same key, `answered` and `lost` ones never are.
 */
export type TuningRequestState = 'sent' | 'answered' | 'failed' | 'lost'

export interface StoredTuningRequest {
  /** Unique in its run. */
  key: string
  position: number
  state: TuningRequestState
  /** Cost of all attempts. */
  costNanoUsd: number
  /** JSON; null before an answer and once it is graded. */
  answer: string | null
}

/** The process that executes a run; it renews its lease while it lives. */
export interface TuningLease {
  holder: string
  nowMs: number
  expiresAtMs: number
}

export interface TuningRunStore {
  create(run: NewTuningRun, lease: TuningLease): Promise<void>
  get(id: string): Promise<StoredTuningRun | null>
  /** Runs, newest first. */
  list(): Promise<StoredTuningRun[]>
  /**
   * Continues a run that no process executes. Its requests under way count as lost, at their highest cost.
   * @param capNanoUsd  replaces the cap; null keeps it
   * @returns false when another process executes it, and when there is no such run
   */
  resume(id: string, lease: TuningLease, capNanoUsd: number | null): Promise<boolean>
  /** @returns whether the run should stop; null when the lease was lost */
  renew(id: string, lease: TuningLease): Promise<{ isStopWanted: boolean } | null>
  /** Asks the process that executes it to stop. */
  wantStop(id: string): Promise<void>
  /** Ends the run; does nothing when another process executes it by now. */
  end(
    id: string,
    end: Pick<StoredTuningRun, 'stoppedBy' | 'message' | 'result'> & {
      holder: string
      state: 'stopped' | 'done'
      endedAtMs: number
    },
  ): Promise<void>
  prompts(id: string): Promise<StoredTuningPrompt[]>
  requests(id: string): Promise<StoredTuningRequest[]>
  /**
   * Reserves a request's highest possible cost, durably. A request without a reservation must not be sent.
   * @returns false when what is left of the cap does not cover it, when it was answered or lost before, and when
   *   another process executes the run by now
   */
  reserve(request: {
    runId: string
    holder: string
    key: string
    position: number
    nanoUsd: number
  }): Promise<boolean>
  /** Replaces the reservation by the cost. */
  settle(request: {
    runId: string
    key: string
    state: 'answered' | 'failed' | 'lost'
    costNanoUsd: number
    answer: string | null
  }): Promise<void>
  /** Stores a prompt's outcome and deletes its words and those of its answers. */
  grade(prompt: {
    runId: string
    position: number
    outcome: string
    isGraded: boolean
  }): Promise<void>
  /** Deletes the run with everything that belongs to it. Resolves false when there was none. */
  remove(id: string): Promise<boolean>
}
