/** Searches of the ledger over all routers. */
import { z } from 'zod'
import type { RequestRecord } from '../entities.ts'
import { strategyNames } from '../routers/strategy-names.ts'

/** How requests ended; `error` is every end with a status of 400 or higher. */
export const requestEnds = [
  'answered',
  'fallback',
  'error',
  'limited',
  'refused',
  'aborted',
  'failed',
] as const
export type RequestEnd = (typeof requestEnds)[number]

/** The latest time that a `Date` holds. */
export const latestTimeMs = 8.64e15

const timeSchema = z.int().min(0).max(latestTimeMs)

export const requestFilterSchema = z.strictObject({
  fromMs: timeSchema.optional(),
  /** Requests that began before it. */
  toMs: timeSchema.optional(),
  routerId: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  providerId: z.string().min(1).optional(),
  /** Empty for requests without a key, such as those of the chat window. */
  apiKeyId: z.string().optional(),
  tag: z.string().min(1).optional(),
  end: z.enum(requestEnds).optional(),
  decision: z.enum([...strategyNames, 'pinned']).optional(),
  source: z.enum(['api', 'chat', 'tune', 'shadow', 'probe', 'title']).optional(),
  /** A part of the calling program's name, in any case. */
  client: z.string().min(1).max(200).optional(),
  executionId: z.string().min(1).optional(),
  /** The newest requests behind a finding. */
  findingId: z.string().min(1).max(300).optional(),
  /** Of the chat window. */
  conversationId: z.string().min(1).optional(),
  /**
   * A part of the model, the tag, the error code, the calling program, the names of the key and the router, the tries
   * of a request that failed or fell over, or the stored prompt; in any case.
   */
  text: z.string().min(1).max(200).optional(),
})
export type RequestFilter = z.output<typeof requestFilterSchema>

export const requestSearchSchema = z.strictObject({
  filter: requestFilterSchema,
  /** The id of the last request of an earlier page; new requests do not move pages found this way. */
  after: z.string().min(1).nullable().default(null),
  /** How many matches to skip: from `after`, or from the newest. */
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(500),
})
export type RequestSearch = z.output<typeof requestSearchSchema>

export interface ListedRequest extends RequestRecord {
  /** The calling program's name for itself (`user-agent`); null for the chat window. */
  client: string | null
}
