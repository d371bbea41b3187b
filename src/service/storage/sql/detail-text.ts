/**
 * A request's detail as stored text: JSON with its values in a fixed order and without field names, which would
 * be two thirds of its size. Every request writes one, and each object and each byte costs time, so the writer
 * lists every value explicitly. The reader uses lists of the same names. The order must never change, because
 * stored rows depend on it. New values go to the end of their list.
 */
import { z } from 'zod'
import type { SignalRecord } from '../../../shared/requests/signals.ts'
import {
  decisionRecordSchema,
  estimateSchema,
  excludedRecordSchema,
  rankedRecordSchema,
  requestDetailSchema,
  type AttemptRecord,
  type DecisionRecord,
  type Estimate,
  type FirstLook,
  type RankParameters,
  type RequestDetail,
  type TokenClasses,
} from '../../../shared/requests/detail.ts'
import type { Dialect } from './sql.ts'

const figures = [
  'quality',
  'qualityHalfWidth',
  'outputTokens',
  'costNanoUsd',
  'promptNanoUsd',
  'costP90NanoUsd',
  'latencyMs',
  'latencyP95Ms',
  'lowMicrograms',
  'micrograms',
  'highMicrograms',
] as const satisfies readonly (keyof Estimate)[]

const lookNames = [
  'insteadOf',
  'answers',
  'costNanoUsd',
  'latencyMs',
  'micrograms',
] as const satisfies readonly (keyof FirstLook)[]

/** The words of an estimate, each stored as its index in its list. */
const words = {
  qualitySource: estimateSchema.shape.qualitySource.options,
  latencySource: estimateSchema.shape.latencySource.options,
  carbonMethod: estimateSchema.shape.carbonMethod.options,
} as const

const storedDetail = z.array(z.unknown())
const storedLists = z.array(z.array(z.unknown()))
const storedEstimate = z.union([z.number(), z.string(), z.null()])

const storedRanked = z
  .tuple([z.string(), z.int(), z.string().nullable()])
  .rest(storedEstimate)
  .transform(([model, position, reason, ...rest]) =>
    rankedRecordSchema.parse({ model, position, reason, ...unpacked(rest) }),
  )

const storedExcluded = z
  .tuple([z.string(), z.int(), z.string(), z.string()])
  .rest(storedEstimate)
  .transform(([model, position, reason, code, ...rest]) =>
    excludedRecordSchema.parse({ model, position, reason, code, ...unpacked(rest) }),
  )

/** A detail with field names, but models as they are stored. */
const namedDetail = requestDetailSchema.extend({
  decision: decisionRecordSchema.extend({
    ranked: z.array(storedRanked),
    excluded: z.array(storedExcluded),
  }),
})

/** The values of a detail before its tokens. */
const namesBeforeTokens = [
  'client',
  'tokenSource',
] as const satisfies readonly (keyof RequestDetail)[]

/** The token classes in the order in which they are stored. Six values of the price follow. */
export const tokenNames = [
  'input',
  'cacheRead',
  'cacheWrite',
  'output',
  'reasoning',
] as const satisfies readonly (keyof TokenClasses)[]

const placeOfCarbon = namesBeforeTokens.length + tokenNames.length + 6
/** After the two bounds of the carbon and its method. */
const placeOfAttempts = placeOfCarbon + 3

/** SQL for a token class of the column `detail`. */
export function tokensInDetail({ jsonNumber }: Dialect, name: keyof TokenClasses): string {
  const place = namesBeforeTokens.length + tokenNames.indexOf(name)
  return jsonNumber('detail', place)
}

/** SQL for the price of input of the column `detail`; NULL when the request was not priced. */
export function priceInDetail({ jsonNumber }: Dialect): string {
  return jsonNumber('detail', namesBeforeTokens.length + tokenNames.length)
}

/** SQL for a bound of the carbon estimate of the column `detail`. */
export function carbonInDetail({ jsonNumber }: Dialect, name: 'lowGrams' | 'highGrams'): string {
  return jsonNumber('detail', placeOfCarbon + (name === 'lowGrams' ? 0 : 1))
}

/** SQL for the calling program's name of the column `detail`. */
export function clientInDetail({ jsonText }: Dialect): string {
  return jsonText('detail', 0)
}

/** SQL for the tries of the column `detail`, as JSON: models, outcomes and messages. */
export function attemptsInDetail({ jsonText }: Dialect): string {
  return jsonText('detail', placeOfAttempts)
}

export function detailToText(detail: RequestDetail): string {
  const { tokens, price, carbon, decision } = detail
  const { parameters } = decision
  return JSON.stringify([
    detail.client,
    detail.tokenSource,
    tokens.input,
    tokens.cacheRead,
    tokens.cacheWrite,
    tokens.output,
    tokens.reasoning,
    // Undefined values are written as null.
    price?.inputUsdPerMtok,
    price?.outputUsdPerMtok,
    price?.cacheReadUsdPerMtok,
    price?.cacheWriteUsdPerMtok,
    price?.source,
    price?.asOf,
    carbon?.lowGrams,
    carbon?.highGrams,
    carbon?.method,
    detail.attempts.map(packedAttempt),
    decision.strategy,
    decision.promptTokens,
    decision.maxOutputTokens,
    decision.isStreamed,
    decision.needs,
    parameters?.qualityTolerance,
    parameters?.weights.cost,
    parameters?.weights.latency,
    parameters?.weights.carbon,
    parameters?.latencyPercentile,
    parameters?.qualityPerUsd,
    decision.reading,
    decision.ranked.map(packedRanked),
    decision.excluded.map(packedExcluded),
    decision.kept,
    decision.drawnWith,
    decision.adjusted,
    decision.cascade,
    detail.signals.map(packedSignal),
    ...packedLast(decision),
  ])
}

/** The last fields, without absent values at the end, which most rows have. */
function packedLast({ warmCache, look, parameters, change }: DecisionRecord): readonly unknown[] {
  const values = [
    warmCache && [warmCache.model, warmCache.tokens, warmCache.worthNanoUsd],
    look && lookNames.map((name) => look[name]),
    packedAccount(parameters),
    change,
  ]
  return values.slice(0, values.findLastIndex((value) => value !== undefined) + 1)
}

/** The limit of each prompt, and the account where one decided. */
function packedAccount(parameters: RankParameters | null): readonly unknown[] | undefined {
  const { account = null, limitEachPrompt = false } = parameters ?? {}
  if (account === null) return limitEachPrompt ? [1] : undefined
  const { choices, qualityPerMeanCost, meanCostUsd } = account
  return [Number(limitEachPrompt), choices, qualityPerMeanCost, meanCostUsd]
}

function packedSignal({ name, model, label, weight }: SignalRecord) {
  return [name, model, label, weight]
}

function packedAttempt({ model, startedMs, tookMs, outcome, status, message }: AttemptRecord) {
  return [model, startedMs, tookMs, outcome, status, message]
}

function packedRanked(ranked: DecisionRecord['ranked'][number]) {
  const { model, position, reason, estimate, effort } = ranked
  return withEstimate([model, position, reason], estimate, effort)
}

function packedExcluded(excluded: DecisionRecord['excluded'][number]) {
  const { model, position, reason, code, estimate, effort } = excluded
  return withEstimate([model, position, reason, code], estimate, effort)
}

/** Adds an estimate's `figures`, its words and the effort if one was chosen. */
function withEstimate(
  values: unknown[],
  estimate: Estimate,
  effort: string | undefined,
): unknown[] {
  values.push(
    estimate.quality,
    estimate.qualityHalfWidth,
    estimate.outputTokens,
    estimate.costNanoUsd,
    estimate.promptNanoUsd,
    estimate.costP90NanoUsd,
    estimate.latencyMs,
    estimate.latencyP95Ms,
    estimate.lowMicrograms,
    estimate.micrograms,
    estimate.highMicrograms,
    words.qualitySource.indexOf(estimate.qualitySource),
    words.latencySource.indexOf(estimate.latencySource),
    words.carbonMethod.indexOf(estimate.carbonMethod),
  )
  const { rated } = estimate
  if (rated !== undefined) {
    values.push(effort ?? null, rated.quality, rated.qualityHalfWidth, rated.share)
  } else if (effort !== undefined) values.push(effort)
  return values
}

/** @throws z.ZodError for text that `detailToText` does not write */
export function detailFromText(text: string): RequestDetail {
  return namedDetail.parse(withNames(storedDetail.parse(JSON.parse(text))))
}

/** The reverse of `detailToText`, except for the models, which `namedDetail` reads directly. */
function withNames(values: readonly unknown[]): unknown {
  const take = namesFor(values)
  const request = take(...namesBeforeTokens)
  const tokens = take(...tokenNames)
  const price = take(
    'inputUsdPerMtok',
    'outputUsdPerMtok',
    'cacheReadUsdPerMtok',
    'cacheWriteUsdPerMtok',
    'source',
    'asOf',
  )
  const carbon = take('lowGrams', 'highGrams', 'method')
  const { attempts } = take('attempts')
  const wanted = take('strategy', 'promptTokens', 'maxOutputTokens', 'isStreamed', 'needs')
  const { qualityTolerance } = take('qualityTolerance')
  const weights = take('cost', 'latency', 'carbon')
  const parameters = take('latencyPercentile', 'qualityPerUsd')
  const { cascade, ...chosen } = take(
    'reading',
    'ranked',
    'excluded',
    'kept',
    'drawnWith',
    'adjusted',
    'cascade',
  )
  const { signals } = take('signals')
  const { warmCache, look, account, change } = take('warmCache', 'look', 'account', 'change')
  return {
    ...request,
    tokens,
    price: price['source'] === null ? null : price,
    carbon: carbon['method'] === null ? null : carbon,
    attempts: storedLists.parse(attempts).map(toAttempt),
    signals: storedLists.parse(signals).map(toSignal),
    decision: {
      ...wanted,
      parameters:
        parameters['latencyPercentile'] === null
          ? null
          : { qualityTolerance, weights, ...parameters, ...accountNamed(account) },
      ...chosen,
      ...(cascade !== null && { cascade }),
      ...(Array.isArray(warmCache) && {
        warmCache: namesFor(warmCache)('model', 'tokens', 'worthNanoUsd'),
      }),
      ...(Array.isArray(look) && { look: namesFor(look)(...lookNames) }),
      ...((change ?? null) !== null && { change }),
    },
  }
}

function accountNamed(stored: unknown) {
  const [limitEachPrompt, ...values] = z.array(z.number().nullable()).nullish().parse(stored) ?? []
  const account = namesFor(values)('choices', 'qualityPerMeanCost', 'meanCostUsd')
  return {
    limitEachPrompt: limitEachPrompt === 1,
    account: values.length === 0 ? null : account,
  }
}

/** @returns a function that gives names to the next values */
function namesFor(values: readonly unknown[]): (...names: string[]) => Record<string, unknown> {
  let place = 0
  return (...names) => {
    const named = names.map((name, index) => [name, values[place + index]] as const)
    place += names.length
    return Object.fromEntries(named)
  }
}

function toAttempt(values: readonly unknown[]): unknown {
  return namesFor(values)('model', 'startedMs', 'tookMs', 'outcome', 'status', 'message')
}

function toSignal(values: readonly unknown[]): unknown {
  return namesFor(values)('name', 'model', 'label', 'weight')
}

function unpacked(values: readonly (number | string | null)[]) {
  const [qualitySource, latencySource, carbonMethod, effort, ...rated] = values.slice(
    figures.length,
  )
  const estimate = {
    ...Object.fromEntries(figures.map((name, index) => [name, values[index]])),
    qualitySource: words.qualitySource[Number(qualitySource)],
    latencySource: words.latencySource[Number(latencySource)],
    carbonMethod: words.carbonMethod[Number(carbonMethod)],
    ...(rated.length > 0 && { rated: namesFor(rated)('quality', 'qualityHalfWidth', 'share') }),
  }
  return { estimate, effort: effort ?? undefined }
}
