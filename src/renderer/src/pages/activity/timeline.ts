/** What happened in a request, with true times. */
import type { AttemptRecord } from '../../../../shared/requests/detail.ts'
import type { RequestRecord } from '../../../../shared/entities.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface TimelineStep {
  label: string
  /** The model of a try. */
  model: string | null
  /** Milliseconds from the request's arrival. */
  startMs: number
  tookMs: number
  tone: 'quiet' | 'ok' | 'bad'
  /** How a try ended, if it gave no answer. */
  note: string | null
}

export interface Timeline {
  totalMs: number
  /** Steps in the order of their starts. */
  steps: TimelineStep[]
  /** Null without a stream. */
  firstTokenMs: number | null
}

type TimedRequest = Pick<RequestRecord, 'latencyMs' | 'firstTokenMs' | 'status' | 'cachedFrom'>

/** Shorter pieces before and after the tries are left out. */
const noticeableMs = 0.05

/** The steps of a request. Where nothing happened between two tries, the time between them stays empty. */
export function timelineOf(request: TimedRequest, attempts: readonly AttemptRecord[]): Timeline {
  const ends = attempts.map(({ startedMs, tookMs }) => startedMs + tookMs)
  const totalMs = Math.max(request.latencyMs, ...ends)
  const firstTokenMs = request.firstTokenMs
  const [first] = attempts
  if (!first) return { totalMs, steps: [wholeRequest(request)], firstTokenMs }
  const lastEnd = Math.max(...ends)
  const steps = [
    step(t('Key, limits and decision'), { startMs: 0, tookMs: first.startedMs }),
    ...attempts.map((attempt, index) => tryStep(attempt, attempts.length === 1 ? null : index + 1)),
    step(t('Rest of the answer'), { startMs: lastEnd, tookMs: request.latencyMs - lastEnd }),
  ]
  return {
    totalMs,
    steps: steps.filter(({ tookMs, model }) => model !== null || tookMs >= noticeableMs),
    firstTokenMs,
  }
}

function step(label: string, { startMs, tookMs }: Pick<TimelineStep, 'startMs' | 'tookMs'>) {
  return { label, model: null, startMs, tookMs, tone: 'quiet' as const, note: null }
}

/** A request without a try in the ledger. */
function wholeRequest({ latencyMs, status, cachedFrom }: TimedRequest): TimelineStep {
  const whole = { startMs: 0, tookMs: latencyMs }
  if (cachedFrom !== null) return { ...step(t('Answer from the cache'), whole), tone: 'ok' }
  if (status < 400) return step(t('Request'), whole)
  return { ...step(endWithoutTry(status), whole), tone: 'bad' }
}

function endWithoutTry(status: number): string {
  if (status === 499) return t('The caller disconnected')
  return status >= 500 ? t('Failed without an answer') : t('Refused before a model was asked')
}

const successes = new Set(['answered', 'accepted'])

function tryStep(attempt: AttemptRecord, number: number | null): TimelineStep {
  const { model, startedMs, tookMs, outcome } = attempt
  const isSuccess = successes.has(outcome)
  return {
    label: number === null ? t('Model') : t('Try {number}', { number }),
    model,
    startMs: startedMs,
    tookMs,
    tone: isSuccess ? 'ok' : outcome === 'lost' ? 'quiet' : 'bad',
    note: isSuccess ? null : attemptWords(attempt),
  }
}

/** What a try that gave no answer came to: `rate limit reached (429): …`. */
function attemptWords({ outcome, status, message }: AttemptRecord): string {
  const words = outcomeWords[outcome] ?? outcome.replaceAll('_', ' ')
  const withStatus = status === null || status === 200 ? words : `${words} (${status})`
  return message === null ? withStatus : `${withStatus}: ${message}`
}

const outcomeWords: Readonly<Partial<Record<string, string>>> = {
  aborted: t('the caller disconnected'),
  auth: t('the key was rejected'),
  credit: t('no credit is left'),
  invalid_response: t('the answer was invalid'),
  lost: t('cut off, because another try answered first'),
  network: t('not reachable'),
  not_accepted: t('the answer did not pass its check'),
  rate_limit: t('rate limit reached'),
  timeout: t('time limit reached'),
  unavailable: t('not available'),
}
