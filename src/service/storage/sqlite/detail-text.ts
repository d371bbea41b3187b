/**
 * A request's detail as the text it is kept as. Most of it would be the names of its estimates, twelve
 * times over: each model is kept as an array in a fixed order instead, for a third of the size.
 */
import { z } from 'zod'
import {
  decisionRecordSchema,
  estimateSchema,
  excludedRecordSchema,
  rankedRecordSchema,
  requestDetailSchema,
  type Estimate,
  type RequestDetail,
} from '../../../shared/request-detail.ts'

/** Never reordered: rows are read by it. A new figure goes to the end. */
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

/** The words of an estimate, each kept as its place in its list; never reordered either. */
const words = {
  qualitySource: estimateSchema.shape.qualitySource.options,
  latencySource: estimateSchema.shape.latencySource.options,
  carbonMethod: estimateSchema.shape.carbonMethod.options,
} as const

const packedRanked = z
  .tuple([z.string(), z.int(), z.string().nullable()])
  .rest(z.number())
  .transform(([model, position, reason, ...estimate]) =>
    rankedRecordSchema.parse({ model, position, reason, estimate: unpacked(estimate) }),
  )

const packedExcluded = z
  .tuple([z.string(), z.int(), z.string(), z.string()])
  .rest(z.number())
  .transform(([model, position, reason, code, ...estimate]) =>
    excludedRecordSchema.parse({ model, position, reason, code, estimate: unpacked(estimate) }),
  )

/** Older versions kept objects. */
const storedDetail = requestDetailSchema.extend({
  decision: decisionRecordSchema.extend({
    ranked: z.array(z.union([packedRanked, rankedRecordSchema])),
    excluded: z.array(z.union([packedExcluded, excludedRecordSchema])),
  }),
})

export function detailToText(detail: RequestDetail): string {
  const { ranked, excluded } = detail.decision
  const decision = {
    ...detail.decision,
    ranked: ranked.map(({ model, position, reason, estimate }) => [
      model,
      position,
      reason,
      ...packed(estimate),
    ]),
    excluded: excluded.map(({ model, position, reason, code, estimate }) => [
      model,
      position,
      reason,
      code,
      ...packed(estimate),
    ]),
  }
  return JSON.stringify({ ...detail, decision })
}

/** @throws z.ZodError when it is not what `detailToText` writes, now or in an older version */
export function detailFromText(text: string): RequestDetail {
  return storedDetail.parse(JSON.parse(text))
}

function packed(estimate: Estimate | null): number[] {
  if (estimate === null) return []
  return [
    ...figures.map((name) => estimate[name]),
    words.qualitySource.indexOf(estimate.qualitySource),
    words.latencySource.indexOf(estimate.latencySource),
    words.carbonMethod.indexOf(estimate.carbonMethod),
  ]
}

function unpacked(values: readonly number[]): unknown {
  if (values.length === 0) return null
  const [qualitySource, latencySource, carbonMethod] = values.slice(figures.length)
  return {
    ...Object.fromEntries(figures.map((name, index) => [name, values[index]])),
    qualitySource: words.qualitySource[qualitySource ?? -1],
    latencySource: words.latencySource[latencySource ?? -1],
    carbonMethod: words.carbonMethod[carbonMethod ?? -1],
  }
}
