/** Sends messages to an OpenTelemetry collector. */
import { fetch } from 'undici'
import { openConnection, type ConnectionUse } from '../../shared/app/open-connection.ts'

export type SendResult =
  | { kind: 'accepted' }
  /**
   * The message failed, but another attempt may succeed. @property afterMs  what the collector asked for, from 0.1 s to
   * 5 minutes; null when it did not say
   */
  | { kind: 'failed'; reason: string; afterMs: number | null }
  /** The collector will never accept this message. */
  | { kind: 'refused'; reason: string }

export interface CollectorOptions {
  /** Address before `/v1/traces`. */
  url: URL
  headers: Readonly<Record<string, string>>
  timeoutMs: number
  use: ConnectionUse | null
  /** Aborts the message. */
  signal: AbortSignal
}

/** The answers after which OTLP allows another attempt. */
const temporary: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Sends a message. Never throws. */
export async function send(
  path: 'v1/traces' | 'v1/metrics',
  body: object,
  { url, headers, timeoutMs, use, signal }: CollectorOptions,
): Promise<SendResult> {
  try {
    const address = `${url.href.replace(/\/$/, '')}/${path}`
    const answer = await openConnection('telemetry', use, () =>
      fetch(address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        // The headers contain the collector's key, which another server must not get.
        redirect: 'manual',
      }),
    )
    await answer.body?.cancel()
    if (answer.ok) return { kind: 'accepted' }
    const reason = `HTTP ${answer.status}`
    if (!temporary.has(answer.status)) return { kind: 'refused', reason }
    return { kind: 'failed', reason, afterMs: readRetryAfter(answer.headers.get('retry-after')) }
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error), afterMs: null }
  }
}

/** Bounds for collectors that ask for 0 seconds or for a week. */
const leastRetryAfterMs = 100
const mostRetryAfterMs = 5 * 60_000

/** The header in seconds; its other form, a date, is not used by collectors. */
function readRetryAfter(value: string | null): number | null {
  if (value === null || !/^\d+$/.test(value)) return null
  return Math.min(mostRetryAfterMs, Math.max(leastRetryAfterMs, Number(value) * 1000))
}

/** Reason of a failure. The message is only “fetch failed”; its cause has the code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
}
