import type {
  RefusalCount,
  RefusalKind,
  RefusalListQuery,
  RefusalQuery,
  RefusedRequest,
} from '../../shared/requests/refusal.ts'

/** The refusals with ids that are kept. */
export const mostNewestRefusals = 10_000

export interface RefusalBatch {
  counts: readonly { kind: RefusalKind; startMs: number; count: number }[]
  /** Newest refused requests, oldest first. */
  newest: readonly RefusedRequest[]
}

/** Refusals by minute, key, router, code and door, and the newest ones with their ids. */
export interface RefusalStore {
  /** Adds counts of minutes. All or nothing is stored. */
  add(batch: RefusalBatch): Promise<void>
  /** Counts by kind, the most frequent first. Of coarser counts, the one that contains `sinceMs` counts in full. */
  counts(query: RefusalQuery): Promise<RefusalCount[]>
  newest(query: RefusalListQuery): Promise<RefusedRequest[]>
  get(id: string): Promise<RefusedRequest | null>
  /** Merges counts of minutes to hours, hours to days, and days without their keys and routers. */
  prune(limits: RefusalLimits, nowMs: number): Promise<void>
}

/** Older counts are joined. Whole days, as the ledger's limits. */
export interface RefusalLimits {
  minutesBeforeMs: number
  hoursBeforeMs: number
  /** Days before this lose their keys and routers. */
  rowsBeforeMs: number
}
