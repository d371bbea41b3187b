/**
 * The sums of feedback in memory, so that a request costs no query. They are read again within a second after a
 * change by any process, and every hour, because feedback fades.
 */
import type { FeedbackStore, ModelFeedback } from './feedback-store.ts'
import { lookAfterChanges } from './look-again.ts'
import type { Storage } from './storage.ts'

const pollMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000

export interface LiveFeedback {
  /** @returns null when no answer of the model has feedback */
  countsOf(modelId: string): ModelFeedback | null
  close(): void
}

export interface LiveFeedbackOptions {
  store: Pick<FeedbackStore, 'version' | 'counts'>
  onChange: Storage['onChange']
  /** Unix milliseconds. */
  now(): number
  /** Called when the store could not be read; the last figures stay in use. */
  onError(error: unknown): void
}

/** @throws StorageUnavailable */
export async function openLiveFeedback({
  store,
  onChange,
  now,
  onError,
}: LiveFeedbackOptions): Promise<LiveFeedback> {
  const read = async () => {
    const readAtMs = now()
    // Read the version first, so that changes during the read cause another one.
    const version = await store.version()
    const counts = await store.counts(readAtMs)
    return { version, readAtMs, models: new Map(counts.map((one) => [one.modelId, one])) }
  }
  let current = await read()
  const poll = async () => {
    const isFaded = Math.abs(now() - current.readAtMs) > hourMs
    if (isFaded || (await store.version()) !== current.version) current = await read()
  }
  const often = { periodMs: pollMs, longestMs: minuteMs }
  const looks = lookAfterChanges({ onChange, ...often, look: poll, onError })
  return {
    countsOf: (modelId) => current.models.get(modelId) ?? null,
    close: looks.stop,
  }
}
