/** A router's settings for choosing a model, beside its strategy. */
import { z } from 'zod'
import { capabilityNames } from './model-abilities.ts'

/**
 * Expected quality that the whole range between the lowest and the highest figure of a router's models
 * is worth.
 */
export const defaultWeights = { cost: 0.1, latency: 0.05, carbon: 0.03 } as const

/** Beyond this, exploring costs more than a person's own requests could ever teach. */
export const greatestExplorationShare = 0.02

const weight = z.number('a number is needed').min(0, '0 at the least').max(1, '1 at the most')

/** How the answers of a tier are judged before they are given; the last tier's is given as it is. */
export const acceptances = [
  'agree',
  'valid_json',
  'tool_call_valid',
  'not_refused_not_cut_off',
] as const

const cascadeTierSchema = z
  .strictObject({
    /** Two for `agree`: the first one's answer is given when both say the same. */
    models: z.array(z.string()).min(1, 'choose a model').max(2, 'two models at the most'),
    accept: z.enum(acceptances, `one of ${acceptances.join(', ')}`),
  })
  .refine(({ models, accept }) => accept !== 'agree' || new Set(models).size === 2, {
    path: ['models'],
    message: '"agree" needs two models that are not the same',
  })
  .refine(({ models, accept }) => accept === 'agree' || models.length === 1, {
    path: ['models'],
    message: 'only "agree" takes two models',
  })

/** Cheap models first; the router's own order answers when no tier's answer was accepted. */
const cascadeSchema = z.strictObject({
  tiers: z.array(cascadeTierSchema).min(1, 'a tier at the least').max(3, 'three tiers at the most'),
})
export type Cascade = z.output<typeof cascadeSchema>
export type CascadeTier = Cascade['tiers'][number]

export const routingSettingsSchema = z
  .strictObject({
    /** Null: the strategy's own. */
    qualityTolerance: z
      .number()
      .min(0, '0 at the least')
      .max(0.5, '0.5 at the most')
      .nullable()
      .default(null),
    /** For strategies that weigh figures; null: the default weights. */
    weights: z
      .strictObject({ cost: weight, latency: weight, carbon: weight })
      .nullable()
      .default(null),
    /** The latency that is compared: the median, or the 95th percentile. */
    latencyPercentile: z.union([z.literal(50), z.literal(95)]).default(50),
    /** Asked of every model, whatever the request needs. */
    requires: z.array(z.enum(capabilityNames)).default([]),
    /** Only these providers; null is all of the router's. */
    providers: z.array(z.string()).min(1, 'choose a provider').nullable().default(null),
    /** Only models that run there (ISO 3166 three-letter codes); null is anywhere. */
    regions: z
      .array(z.string().regex(/^[A-Z]{3}$/, 'three capital letters, such as FRA'))
      .min(1, 'choose a region')
      .nullable()
      .default(null),
    /** Only models on this computer. */
    localOnly: z.boolean().default(false),
    /** US dollars that a long answer may cost; null is no such limit. */
    maxCostUsdPerRequest: z
      .number('a number is needed')
      .positive('more than 0')
      .max(1_000, '1,000 at the most')
      .nullable()
      .default(null),
    /** Whether another model is asked when the first fails. */
    fallback: z.boolean().default(true),
    /** Whether a conversation stays with its model while that is about as good. */
    sticky: z.boolean().default(true),
    /** Whether dear models are chosen less as the budget runs ahead of the day or month. */
    pacing: z.boolean().default(false),
    /** Share of requests that try another model that is good enough; only for strategies that explore. */
    explorationShare: z
      .number()
      .min(0, '0 at the least')
      .max(greatestExplorationShare, `${greatestExplorationShare} at the most`)
      .default(0),
    cascade: cascadeSchema.nullable().default(null),
    /** Days that requests and answers are kept, word by word; null keeps none. */
    contentDays: z
      .int('a whole number of days')
      .min(1, 'a day at the least')
      .max(365, 'a year at the most')
      .nullable()
      .default(null),
  })
  .prefault({})
export type RoutingSettings = z.output<typeof routingSettingsSchema>
