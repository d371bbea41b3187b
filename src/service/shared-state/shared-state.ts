/**
 * What several nodes share through Valkey: messages to each other, and copies of what each has in memory. All of it may
 * be lost at any time without harm; each node then uses its own memory. Money and exact limits are in the database. Reasons:
 * docs/decisions/2026-11-22-several-nodes.md.
 */
import type { IdempotencyStore } from '../storage/idempotency-store.ts'

/** Subject of a message. */
export type Topic = 'deployment' | 'rate' | 'node'

/** Content of a copy. Ids of different kinds do not collide. */
export type EntryKind = 'conversation' | 'answer'

export type SharedStatus =
  /** This node shares nothing. */
  | { kind: 'off' }
  /** @property nodes  including this one */
  | { kind: 'connected'; nodes: number }
  /** @property nodes  when the connection was lost. @property reason  contains no password */
  | { kind: 'disconnected'; nodes: number; reason: string }

export interface SharedState {
  /** False for a node on its own, which need not publish or read anything. */
  readonly isShared: boolean
  /** Whether answers may be shared, which needs a key that all nodes have. */
  readonly canSeal: boolean
  /** Holds each id once over all nodes. */
  readonly idempotency: IdempotencyStore
  status(): SharedStatus
  /** Sends JSON to all other nodes; dropped while they cannot be reached. */
  publish(topic: Topic, message: unknown): void
  /** Called with other nodes' messages: parsed JSON, otherwise unchecked. */
  subscribe(topic: Topic, listener: (message: unknown) => void): void
  /** Resolves to null when there is no such copy, or when none arrives within 20 ms. Never rejects. */
  read(kind: EntryKind, id: string): Promise<Buffer | null>
  /** Stores a copy for a limited time, in the background; dropped while Valkey cannot be reached. */
  write(kind: EntryKind, id: string, entry: { value: Buffer; ttlMs: number }): void
  close(): Promise<void>
}

/** State of a single node, which has no other nodes to share it with. */
export function localState(idempotency: IdempotencyStore): SharedState {
  return {
    isShared: false,
    canSeal: false,
    idempotency,
    status: () => ({ kind: 'off' }),
    publish() {},
    subscribe() {},
    read: () => Promise.resolve(null),
    write() {},
    close: () => Promise.resolve(),
  }
}
