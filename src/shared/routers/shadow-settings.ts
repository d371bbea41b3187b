/**
 * Shadow sampling: a share of a router's requests is also sent to a second model of the router, and a judge grades
 * both answers. The caller receives the first answer as usual.
 */
import { z } from 'zod'
import { familyOf } from '../models/model-family.ts'

const shareRange = 'Enter a share above 0, up to 1 (100 %)'
const usdRange = 'Enter an amount in US dollars above 0, up to 10,000'

export const shadowSettingsSchema = z.strictObject({
  /** Share of the requests that can be sampled. */
  share: z.number(shareRange).gt(0, shareRange).max(1, shareRange),
  /** Highest cost of all samples of a UTC day, the judge included. Fractions of a nano-dollar are cut off. */
  maxUsdPerDay: z.number(usdRange).gt(0, usdRange).max(10_000, usdRange),
  /** The model that grades the answers. It never grades its own family. */
  judge: z.string('Choose a judge').min(1, 'Choose a judge'),
})
/** Steps of coding agents that another model is asked as well. Its answers are compared, and nobody gets them. */
export const shadowStepsSchema = z.strictObject({
  model: z.string('Choose a model').min(1, 'Choose a model'),
  /** Share of the steps: the square root of it is the share of sessions, and of the steps of each. */
  share: z.number(shareRange).gt(0, shareRange).max(1, shareRange),
  /** Highest cost of all of them together with this model. Fractions of a nano-dollar are cut off. */
  maxUsd: z.number(usdRange).gt(0, usdRange).max(10_000, usdRange),
})
export type ShadowSteps = z.output<typeof shadowStepsSchema>

export type ShadowSettings = z.output<typeof shadowSettingsSchema>

/** Why a judge cannot grade this router's models; null when it can. */
export function judgeProblem(judge: string, models: readonly string[]): string | null {
  const graded = models.filter((model) => familyOf(model) !== familyOf(judge))
  if (graded.length >= 2) return null
  return models.length < 2
    ? 'Shadow sampling compares two models, and this router has one. Add another model.'
    : 'A judge never grades models from its own vendor, so fewer than two models are left. Choose a judge from another vendor, or add a model.'
}
