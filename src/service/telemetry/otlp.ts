/**
 * The parts of OTLP's JSON form that Modelport sends.
 * @see https://opentelemetry.io/docs/specs/otlp/
 */

export type AttributeValue =
  | { stringValue: string }
  | { intValue: string }
  | { doubleValue: number }

export interface Attribute {
  key: string
  value: AttributeValue
}

/** Times are Unix nanoseconds as decimal digits, because JSON's numbers are too small for them. */
export interface Span {
  /** 32 hex digits. */
  traceId: string
  /** 16 hex digits. */
  spanId: string
  parentSpanId?: string
  name: string
  /** 2 is a request that this service answers, 3 one that it sends. */
  kind: 2 | 3
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  /** 2 is an error, 0 is unset. */
  status: { code: 0 | 2 }
}

export interface HistogramPoint {
  attributes: Attribute[]
  startTimeUnixNano: string
  timeUnixNano: string
  count: string
  sum: number
  /** One more than the bounds. */
  bucketCounts: string[]
  explicitBounds: readonly number[]
}

export interface Metric {
  name: string
  unit: string
  description: string
  /** 2: the figures count from the start of the process, so a lost message loses nothing. */
  histogram: { aggregationTemporality: 2; dataPoints: HistogramPoint[] }
}

type Values = Readonly<Record<string, string | number | null>>

/** Leaves out values that are null. Whole numbers are integers, but those of `_usd`: a column has one type. */
export function toAttributes(values: Values): Attribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: toValue(key, value) }],
  )
}

function toValue(key: string, value: string | number): AttributeValue {
  if (typeof value === 'string') return { stringValue: value }
  const isWhole = Number.isInteger(value) && !key.endsWith('_usd')
  return isWhole ? { intValue: String(value) } : { doubleValue: value }
}

/** @param ms  Unix milliseconds */
export function toNanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n)
}

const scope = { name: 'modelport' }

/** The body of `/v1/traces`. */
export function tracesBody(resource: readonly Attribute[], spans: readonly Span[]): object {
  return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope, spans }] }] }
}

/** The body of `/v1/metrics`. */
export function metricsBody(resource: readonly Attribute[], metrics: readonly Metric[]): object {
  return {
    resourceMetrics: [{ resource: { attributes: resource }, scopeMetrics: [{ scope, metrics }] }],
  }
}
