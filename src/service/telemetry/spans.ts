/**
 * The spans of a finished request: one for the request, and a child for each attempt. The trace of a request without
 * `traceparent` has the request's id, so that `x-request-id` leads to it; the steps of an agent share one trace.
 */
import { createHash } from 'node:crypto'
import { toAttributes, toNanoseconds, type Span } from './otlp.ts'
import {
  answerAttributes,
  attemptAttributes,
  attemptError,
  modelNames,
  operationOf,
  requestError,
  tokenTotals,
  type FinishedRequest,
  type ProviderTypeOf,
} from './request-figures.ts'

/** The caller's flag decides, else the ratio: all spans of a trace are sent, or none. @param ratio  0 to 1 */
export function isSampled(
  { record, traceparent }: Pick<FinishedRequest, 'record' | 'traceparent'>,
  ratio: number,
): boolean {
  if (traceparent !== null) return (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1
  // The last digits of a UUID are random.
  const share = Number.parseInt(traceIdOf(record).slice(-12), 16) / 16 ** 12
  return share < ratio
}

export function spansOf(request: FinishedRequest, typeOf: ProviderTypeOf): Span[] {
  const { record, detail, traceparent } = request
  const [, caller = null, parent = null] = traceparent?.split('-') ?? []
  const traceId = caller ?? traceIdOf(record)
  const spanId = spanIdOf(record.id, 0)
  const ids = (index: number) => ({ traceId, spanId: spanIdOf(record.id, index) })
  const attempts = detail.attempts.map((attempt, index): Span => {
    return {
      ...ids(index + 1),
      parentSpanId: spanId,
      name: `${operationOf(detail)} ${modelNames(attempt.model, typeOf).name}`,
      kind: 3,
      ...timesOf(record.startedAtMs + attempt.startedMs, attempt.tookMs),
      attributes: toAttributes({
        ...attemptAttributes({ detail, attempt }, typeOf),
        'http.response.status_code': attempt.status,
        'modelport.attempt.outcome': attempt.outcome,
      }),
      status: { code: attemptError(attempt) === null ? 0 : 2 },
    }
  })
  const own = parent === null ? {} : { parentSpanId: parent }
  return [{ ...ids(0), ...own, ...requestSpan(request, typeOf) }, ...attempts]
}

function requestSpan(
  { record, detail }: FinishedRequest,
  typeOf: ProviderTypeOf,
): Omit<Span, 'traceId' | 'spanId' | 'parentSpanId'> {
  const first = detail.decision.ranked[0]
  const tokens = tokenTotals(detail)
  const error = requestError(record)
  return {
    name: `${operationOf(detail)} router`,
    kind: 2,
    ...timesOf(record.startedAtMs, record.latencyMs),
    attributes: toAttributes({
      ...answerAttributes({ record, detail }, typeOf),
      'gen_ai.request.model': first ? modelNames(first.model, typeOf).name : null,
      'gen_ai.usage.input_tokens': tokens.input,
      'gen_ai.usage.output_tokens': tokens.output,
      'http.response.status_code': record.status,
      'modelport.router.id': record.routerId,
      'modelport.router.decision': record.routerDecision,
      'modelport.attempts': record.attempts,
      'modelport.cost_usd': record.costNanoUsd / 1e9,
      'error.type': error,
    }),
    status: { code: error === null ? 0 : 2 },
  }
}

function timesOf(
  startMs: number,
  tookMs: number,
): Pick<Span, 'startTimeUnixNano' | 'endTimeUnixNano'> {
  return {
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(startMs + tookMs),
  }
}

function traceIdOf({ id, executionId }: FinishedRequest['record']): string {
  return (executionId ?? id).replaceAll('-', '')
}

function spanIdOf(requestId: string, index: number): string {
  return createHash('sha256').update(`${requestId}/${index}`).digest('hex').slice(0, 16)
}
