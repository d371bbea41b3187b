/** The alarm of a session whose cache broke. */
import type { RequestRecord } from '../entities.ts'
import type { CacheVerdict } from './cache-verdict.ts'
import { nameOfSession } from './session.ts'
import { sessionStepSchema, type SessionStep } from './session-step.ts'

export interface BrokenCache extends Pick<CacheVerdict, 'culprit' | 'place'> {
  /** The name of `nameOfSession`. */
  session: string
  client: SessionStep['client']
  model: string | null
  sinceMs: number
  lostNanoUsd: number
}

/** Whether the request raised an alarm, without reading its step. */
export function raisesAlarm({ sessionStep }: Pick<RequestRecord, 'sessionStep'>): boolean {
  return sessionStep?.includes('"alarm":true') === true
}

/** @returns null for a request that raised no alarm */
export function brokenCacheOf(record: RequestRecord): BrokenCache | null {
  const { sessionId, apiKeyId, sessionStep, modelUsed: model, startedAtMs: sinceMs } = record
  if (sessionId === null || sessionStep === null || !raisesAlarm(record)) return null
  const step = sessionStepSchema.safeParse(JSON.parse(sessionStep))
  if (!step.success) return null
  const { client, cache } = step.data
  const { lostNanoUsd = 0, culprit, place } = cache ?? {}
  const session = nameOfSession({ sessionId, apiKeyId })
  return { session, client, model, sinceMs, lostNanoUsd, culprit, place }
}
