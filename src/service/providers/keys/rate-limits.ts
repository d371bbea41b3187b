/**
 * What a vendor's headers say about the remaining rate limit of a key. The families differ in the order of the
 * words (`x-ratelimit-remaining-requests`, `anthropic-ratelimit-tokens-remaining`) and in the form of the reset:
 * seconds, Unix seconds, Unix milliseconds, a duration such as `6m0s`, or a date.
 */
import type { ResponseHeaders } from '../http/response-reader.ts'

export interface RateLimit {
  /** The smallest remaining share of all limits, from 0 to 1. */
  remaining: number
  /** Unix milliseconds at which a used-up limit starts again; null while something remains, or if not stated. */
  usedUpUntilMs: number | null
}

/** @returns null when the headers state no limit */
export function readRateLimit(headers: ResponseHeaders, nowMs: number): RateLimit | null {
  const limits = Object.entries(headers).flatMap(([name, value]) => {
    const remaining = isRemaining(name) ? readCount(value) : null
    if (remaining === null) return []
    const limit = readCount(headers[name.replace('remaining', 'limit')])
    const reset =
      remaining > 0 ? null : readReset(headers[name.replace('remaining', 'reset')], nowMs)
    return [{ remaining: shareOf(remaining, limit), usedUpUntilMs: reset }]
  })
  if (limits.length === 0) return null
  const usedUpUntilMs = Math.max(...limits.map((limit) => limit.usedUpUntilMs ?? 0))
  return {
    remaining: Math.min(...limits.map(({ remaining }) => remaining)),
    usedUpUntilMs: usedUpUntilMs === 0 ? null : usedUpUntilMs,
  }
}

function isRemaining(name: string): boolean {
  return name.includes('ratelimit') && name.includes('remaining')
}

/** Share of the limit that is left. Without a limit, only a used-up one says something. */
function shareOf(remaining: number, limit: number | null): number {
  if (remaining <= 0) return 0
  return limit === null || limit <= 0 ? 1 : Math.min(remaining / limit, 1)
}

function readCount(value: unknown): number | null {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(count) ? count : null
}

/** Least number that is Unix seconds; smaller ones are seconds from now. */
const firstUnixSeconds = 1_000_000_000
/** Least number that is Unix milliseconds, as OpenRouter sends them. */
const firstUnixMs = 1_000_000_000_000
const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

function readReset(value: unknown, nowMs: number): number | null {
  if (typeof value !== 'string' || value.trim() === '') return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) {
    if (seconds >= firstUnixMs) return seconds
    return seconds >= firstUnixSeconds ? seconds * 1_000 : nowMs + seconds * 1_000
  }
  if (/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(value)) {
    const parts = value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)
    const ms = [...parts].reduce((sum, [, count, unit = 's']) => {
      return sum + Number(count) * (unitMs[unit] ?? 0)
    }, 0)
    return nowMs + ms
  }
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : date
}
