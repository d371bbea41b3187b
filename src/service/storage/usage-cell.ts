/**
 * The sums of requests. They are whole numbers and therefore exact in any order: a roll-up equals the sum of
 * its rows, and a day the sum of its minutes.
 */
import type { RequestRecord } from '../../shared/entities.ts'
import type { TokenClasses } from '../../shared/requests/detail.ts'
import {
  addDuration,
  addEncoded,
  addHistogram,
  emptyHistogram,
  encodeHistogram,
  type Histogram,
} from './histogram.ts'

/** The sums of one router, model and key in one span of time; durations are of answered requests only. */
export interface UsageCell {
  requests: number
  /** Requests with a status of 400 or higher. */
  errors: number
  /** Errors by kind: over a limit (429), aborted by the caller (499), and failed (500 or higher). */
  limited: number
  aborted: number
  failed: number
  /** Answered by another model after the first one failed. */
  fallbacks: number
  /** Requests with estimated tokens, because the provider reported none. */
  estimated: number
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
  reasoning: number
  costNanoUsd: number
  carbonNanograms: number
  carbonLowNanograms: number
  carbonHighNanograms: number
  latencyUs: number
  latencyUsMax: number
  firstTokenUs: number
  latency: Histogram
  firstToken: Histogram
}

/** A cell as stored: the histograms as bytes. */
export interface StoredCell extends Omit<UsageCell, 'latency' | 'firstToken'> {
  latency: Uint8Array
  firstToken: Uint8Array
}

/** The sums of several cells. */
export interface MergedCell extends Omit<StoredCell, 'latency' | 'firstToken'> {
  /** Merged, or those of each cell. */
  latency: Uint8Array | readonly Uint8Array[]
  firstToken: Uint8Array | readonly Uint8Array[]
}

/** The fields of a request that determine its cell and are added to it. */
export type CountedRequest = Pick<
  RequestRecord,
  | 'startedAtMs'
  | 'routerId'
  | 'modelUsed'
  | 'apiKeyId'
  | 'status'
  | 'reportedPromptTokens'
  | 'estimatedPromptTokens'
  | 'costNanoUsd'
  | 'carbonGrams'
  | 'latencyMs'
  | 'firstTokenMs'
  | 'fallbackFrom'
  | 'tag'
>

/** The details of a request that its cell counts. */
export interface CountedDetail {
  tokens: TokenClasses
  /** Null without an answer. */
  carbon: { lowGrams: number; highGrams: number } | null
}

export function emptyCell(): UsageCell {
  return {
    requests: 0,
    errors: 0,
    limited: 0,
    aborted: 0,
    failed: 0,
    fallbacks: 0,
    estimated: 0,
    input: 0,
    cacheRead: 0,
    cacheWrite: 0,
    output: 0,
    reasoning: 0,
    costNanoUsd: 0,
    carbonNanograms: 0,
    carbonLowNanograms: 0,
    carbonHighNanograms: 0,
    latencyUs: 0,
    latencyUsMax: 0,
    firstTokenUs: 0,
    latency: emptyHistogram(),
    firstToken: emptyHistogram(),
  }
}

export function addRequest(
  cell: UsageCell,
  request: CountedRequest,
  { tokens, carbon }: CountedDetail,
): void {
  cell.requests += 1
  if (request.reportedPromptTokens === null && request.estimatedPromptTokens !== null)
    cell.estimated += 1
  addTokens(cell, tokens)
  cell.costNanoUsd = sum(cell.costNanoUsd, request.costNanoUsd)
  addCarbon(cell, request.carbonGrams, carbon)
  if (request.status >= 400) addError(cell, request.status)
  else addAnswer(cell, request)
}

function addAnswer(cell: UsageCell, request: CountedRequest): void {
  addDurations(cell, request)
  // A fallback that failed or was aborted answered nothing.
  if (request.fallbackFrom !== null) cell.fallbacks += 1
}

/** An estimate without bounds counts as exact. */
function addCarbon(cell: UsageCell, grams: number, bounds: CountedDetail['carbon']): void {
  const nanograms = (value: number) => Math.round(value * 1e9)
  cell.carbonNanograms = sum(cell.carbonNanograms, nanograms(grams))
  cell.carbonLowNanograms = sum(cell.carbonLowNanograms, nanograms(bounds?.lowGrams ?? grams))
  cell.carbonHighNanograms = sum(cell.carbonHighNanograms, nanograms(bounds?.highGrams ?? grams))
}

function addError(cell: UsageCell, status: number): void {
  cell.errors += 1
  if (status === 429) cell.limited += 1
  else if (status === 499) cell.aborted += 1
  else if (status >= 500) cell.failed += 1
}

function addTokens(cell: UsageCell, tokens: TokenClasses): void {
  cell.input = sum(cell.input, tokens.input)
  cell.cacheRead = sum(cell.cacheRead, tokens.cacheRead ?? 0)
  cell.cacheWrite = sum(cell.cacheWrite, tokens.cacheWrite ?? 0)
  cell.output = sum(cell.output, tokens.output)
  cell.reasoning = sum(cell.reasoning, tokens.reasoning ?? 0)
}

/**
 * Sums stop here, at the largest number that is exact as a double: one more addition to such a sum still fits
 * into the database's 64 bits. $9 million in one cell is a reporting error rather than a sum worth storing.
 */
export const greatestSum = Number.MAX_SAFE_INTEGER

function sum(left: number, right: number): number {
  return Math.min(greatestSum, left + right)
}

function addDurations(cell: UsageCell, { latencyMs, firstTokenMs }: CountedRequest): void {
  const latencyUs = Math.round(latencyMs * 1000)
  cell.latencyUs = sum(cell.latencyUs, latencyUs)
  cell.latencyUsMax = Math.max(cell.latencyUsMax, latencyUs)
  addDuration(cell.latency, latencyMs)
  if (firstTokenMs === null) return
  cell.firstTokenUs = sum(cell.firstTokenUs, Math.round(firstTokenMs * 1000))
  addDuration(cell.firstToken, firstTokenMs)
}

export function addCell(to: UsageCell, from: UsageCell): void {
  addNumbers(to, from)
  addHistogram(to.latency, from.latency)
  addHistogram(to.firstToken, from.firstToken)
}

export function addMergedCell(to: UsageCell, from: MergedCell): void {
  addNumbers(to, from)
  addAllEncoded(to.latency, from.latency)
  addAllEncoded(to.firstToken, from.firstToken)
}

function addAllEncoded(to: Histogram, from: Uint8Array | readonly Uint8Array[]): void {
  for (const bytes of from instanceof Uint8Array ? [from] : from) addEncoded(to, bytes)
}

type CellNumbers = Omit<UsageCell, 'latency' | 'firstToken'>

function addNumbers(to: CellNumbers, from: CellNumbers): void {
  to.requests += from.requests
  to.errors += from.errors
  to.limited += from.limited
  to.aborted += from.aborted
  to.failed += from.failed
  to.fallbacks += from.fallbacks
  to.estimated += from.estimated
  to.input = sum(to.input, from.input)
  to.cacheRead = sum(to.cacheRead, from.cacheRead)
  to.cacheWrite = sum(to.cacheWrite, from.cacheWrite)
  to.output = sum(to.output, from.output)
  to.reasoning = sum(to.reasoning, from.reasoning)
  to.costNanoUsd = sum(to.costNanoUsd, from.costNanoUsd)
  to.carbonNanograms = sum(to.carbonNanograms, from.carbonNanograms)
  to.carbonLowNanograms = sum(to.carbonLowNanograms, from.carbonLowNanograms)
  to.carbonHighNanograms = sum(to.carbonHighNanograms, from.carbonHighNanograms)
  to.latencyUs = sum(to.latencyUs, from.latencyUs)
  to.latencyUsMax = Math.max(to.latencyUsMax, from.latencyUsMax)
  to.firstTokenUs = sum(to.firstTokenUs, from.firstTokenUs)
}

export function toStoredCell(cell: UsageCell): StoredCell {
  return {
    ...cell,
    latency: encodeHistogram(cell.latency),
    firstToken: encodeHistogram(cell.firstToken),
  }
}
