/** Requests that the service refused itself, before any model was tried. They have no row in the ledger. */

import { z } from 'zod'

/** Endpoints that a refused request can have called. */
export const refusedDoors = [
  'chat',
  'completions',
  'responses',
  'messages',
  'token_count',
  'embeddings',
  'gemini',
  'gemini_count',
  'models',
  'requests',
  'openapi',
  'metrics',
  /** The chat of the desktop window. */
  'window',
  /** No request could be read: no TLS, or no valid HTTP. */
  'connection',
  /** An address that does not exist. */
  'other',
] as const
export type RefusedDoor = (typeof refusedDoors)[number]

export interface RefusalKind {
  /** Null when no key of this installation was sent; revoked and expired keys are named. */
  apiKeyId: string | null
  /** Null when no existing router was addressed. */
  routerId: string | null
  /** The error's `code`, as in docs/api.md. */
  code: string
  door: RefusedDoor
}

export interface RefusalCount extends RefusalKind {
  count: number
  /** Time of the last one, in Unix ms: the start of its minute, hour or day. */
  lastAtMs: number
}

/** One of the newest refusals. */
export interface RefusedRequest extends RefusalKind {
  /** The request's id. */
  id: string
  atMs: number
}

export const refusalQuerySchema = z.strictObject({
  sinceMs: z.number(),
  routerId: z.string().optional(),
  apiKeyId: z.string().optional(),
})
export type RefusalQuery = z.output<typeof refusalQuerySchema>

/** The newest of a time, router and key; of all without them. An empty `apiKeyId` means without a key. */
export const refusalListSchema = z.strictObject({
  limit: z.int().min(1).max(10_000),
  fromMs: z.number().optional(),
  toMs: z.number().optional(),
  routerId: z.string().optional(),
  apiKeyId: z.string().optional(),
})
export type RefusalListQuery = z.output<typeof refusalListSchema>
