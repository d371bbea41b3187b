/** What Modelport found by checking its own figures and the answers of providers: one line with evidence and requests. */
import { z } from 'zod'

/** A sum of the totals differs from its requests, or hours from their day. */
const totalsEvidence = z.strictObject({
  check: z.literal('totals'),
  fromMs: z.int(),
  toMs: z.int(),
  /** Length of the totals that differ. */
  lengthMs: z.int(),
  /** The first of the cells that differ, and how many do. */
  routerId: z.string(),
  model: z.string(),
  apiKeyId: z.string(),
  cells: z.int(),
  /** A column of the totals, such as `cost_nano_usd`. */
  figure: z.string(),
  /** The sum of the requests, or of the hours of a day whose requests were deleted. */
  counted: z.number(),
  stored: z.number(),
})

/** Answered requests that have no row, or two. */
const rowsEvidence = z.strictObject({
  check: z.literal('rows'),
  missing: z.int(),
  doubled: z.int(),
})

/** Answered requests of a model that had no price. */
const priceEvidence = z.strictObject({
  check: z.literal('price'),
  fromMs: z.int(),
  toMs: z.int(),
  model: z.string(),
  requests: z.int(),
})

/** A budget whose spent money differs from the requests that spent it. */
const budgetEvidence = z.strictObject({
  check: z.literal('budget'),
  ownerKind: z.enum(['router', 'key']),
  ownerId: z.string(),
  period: z.enum(['day', 'month']),
  fromMs: z.int(),
  toMs: z.int(),
  budgetNanoUsd: z.number(),
  rowsNanoUsd: z.number(),
})

export const moneyEvidenceSchema = z.discriminatedUnion('check', [
  totalsEvidence,
  rowsEvidence,
  priceEvidence,
  budgetEvidence,
])
export type MoneyEvidence = z.output<typeof moneyEvidenceSchema>

/** What a difference is about, for its finding's id: the same difference is one finding, however often it is found. */
export function moneyFindingId(evidence: MoneyEvidence): string {
  switch (evidence.check) {
    case 'totals':
      return `totals:${evidence.lengthMs}:${evidence.fromMs}`
    case 'rows':
      return 'rows'
    case 'price':
      return `price:${evidence.model}`
    case 'budget':
      return `budget:${evidence.ownerKind}:${evidence.ownerId}:${evidence.period}`
  }
}

/** Most requests that a finding names. */
export const mostFindingRequests = 20

/** What answers of a model showed, against what was asked. */
export const answerChecks = ['named', 'promptTokens', 'reasoning', 'logprobs'] as const
export type AnswerCheck = (typeof answerChecks)[number]

const answersEvidenceSchema = z.strictObject({
  check: z.enum(answerChecks),
  modelId: z.string(),
  /** Deviating answers of all that could be compared since the first of them. */
  deviating: z.int(),
  answers: z.int(),
  /** Time of the first deviating answer. */
  sinceMs: z.int(),
  /** The model that deviating answers name most; null for other checks. */
  named: z.string().nullable(),
  /** Reported prompt tokens as a multiple of the usual count; null for other checks. */
  factor: z.number().nullable(),
  /** Hours of UTC in which nearly all of them were; null when they were at all hours. */
  hoursUtc: z.strictObject({ from: z.int(), until: z.int() }).nullable(),
})
export type AnswersEvidence = z.output<typeof answersEvidenceSchema>

const times = {
  id: z.string(),
  firstAtMs: z.int(),
  lastAtMs: z.int(),
  requestIds: z.array(z.string()),
  dismissedAtMs: z.int().nullable(),
}
export const findingSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('money'), ...times, evidence: moneyEvidenceSchema }),
  z.strictObject({ kind: z.literal('answers'), ...times, evidence: answersEvidenceSchema }),
])
/** One finding, open or dismissed. */
export type Finding = z.output<typeof findingSchema>

export const findingDismissalSchema = z.strictObject({
  id: z.string().min(1),
  /** False opens it again. */
  isDismissed: z.boolean(),
})
export type FindingDismissal = z.output<typeof findingDismissalSchema>

export const probeSettingSchema = z.strictObject({
  providerId: z.string().min(1),
  /** Most US dollars that a day's probe may cost; null switches it off. */
  capUsdPerDay: z
    .number('Enter a number')
    .positive('Enter more than 0, or leave empty to turn off')
    .max(1, 'Enter 1 or less')
    .nullable(),
})
/** The switch of a provider's daily probe. */
export type ProbeSetting = z.output<typeof probeSettingSchema>
