import type {
  CallerKind,
  Dismissal,
  SpikeKind,
  UnexpectedCall,
} from '../../shared/requests/unexpected-call.ts'

/** The programs, and addresses, and routers that are kept of a key; the least recently used give way. */
export const mostCallersOfKey = 32

/** A key was used by a program, from an address or with a router. */
export interface Sighting {
  apiKeyId: string
  kind: CallerKind
  value: string
  atMs: number
}

/** One that was not stored before. */
export interface NewSighting extends Sighting {
  /** When the key's oldest stored sighting began; null for a key without any. */
  knownSinceMs: number | null
  /** Whether it took the place of another one. */
  isFull: boolean
}

/** An amount that the user marked as expected. */
export interface AcceptedSpike {
  ownerId: string
  kind: SpikeKind
  amount: number
  dismissedAtMs: number
}

/** Amount of a key or a router on one day of UTC: refusals, or US dollars. */
export interface DailyAmount extends Pick<UnexpectedCall, 'ownerKind' | 'ownerId'> {
  startMs: number
  amount: number
}

/** Stores the callers of each key, and unexpected calls of keys and routers: one open call for each owner and kind. */
export interface UnexpectedCallStore {
  /** Stores sightings. Each new one is returned to one caller only, also of several nodes. */
  see(sightings: readonly Sighting[]): Promise<NewSighting[]>
  /** Opens a call, or adds to the open one of its owner and kind. @returns whether it was opened */
  report(call: Omit<UnexpectedCall, 'firstAtMs' | 'others'>): Promise<boolean>
  /** The open ones, newest first. */
  list(): Promise<UnexpectedCall[]>
  /** @returns whether any was open */
  dismiss(dismissal: Dismissal, nowMs: number): Promise<boolean>
  accepted(): Promise<AcceptedSpike[]>
  /** Daily amounts of all keys and routers from the start of a day on. Days without any are left out. */
  amounts(kind: SpikeKind, sinceMs: number): Promise<DailyAmount[]>
  /** Deletes what was last seen before. */
  prune(beforeMs: number): Promise<void>
}
