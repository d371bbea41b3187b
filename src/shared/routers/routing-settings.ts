/** The routing settings of a router, besides its strategy. */
import { z } from 'zod'
import { capabilityNames } from '../models/model-abilities.ts'
import { shadowSettingsSchema, shadowStepsSchema } from './shadow-settings.ts'

/** Quality that the whole range between the lowest and the highest figure of a router's models is worth. */
export const defaultWeights = { cost: 0.1, latency: 0.05, carbon: 0.03 } as const

/** Largest share of exploring; with a larger one, exploring costs more than it can teach. */
export const greatestExplorationShare = 0.02
const explorationRange = `Enter a number from 0 to ${greatestExplorationShare}`

const weight = z
  .number('Enter a number from 0 to 1')
  .min(0, 'Enter a number from 0 to 1')
  .max(1, 'Enter a number from 0 to 1')

/** The checks for the answers of a tier. */
export const acceptances = [
  'agree',
  'valid_json',
  'tool_call_valid',
  'not_refused_not_cut_off',
] as const

const cascadeTierSchema = z
  .strictObject({
    /** Two for `agree`: the first answer is used when both agree. */
    models: z.array(z.string()).min(1, 'Choose a model').max(2, 'Choose two models at most'),
    accept: z.enum(acceptances, `Choose one of: ${acceptances.join(', ')}`),
  })
  .refine(({ models, accept }) => accept !== 'agree' || new Set(models).size === 2, {
    path: ['models'],
    message: '"agree" needs two different models',
  })
  .refine(({ models, accept }) => accept === 'agree' || models.length === 1, {
    path: ['models'],
    message: 'Only "agree" can have two models',
  })

/** Cheaper models to try first. The strategy answers when no tier's answer is accepted. */
const cascadeSchema = z.strictObject({
  tiers: z
    .array(cascadeTierSchema)
    .min(1, 'Add at least one tier')
    .max(3, 'Use three tiers at most'),
})
export type Cascade = z.output<typeof cascadeSchema>
export type CascadeTier = Cascade['tiers'][number]

/** The longest named command and the most named types of subagents. */
const mostCharacters = 200
const mostTypes = 20

const subagentType = /^[\w .:-]{1,64}$/

/** Where subagents of coding agents go, by their type. */
const subagentsSchema = z
  .record(z.string(), z.string().min(1, 'Choose a router or a model'))
  .refine((targets) => Object.keys(targets).length > 0, 'Add a type of subagent')
  .refine(
    (targets) => Object.keys(targets).every((type) => subagentType.test(type)),
    'Use the name of a type of subagent, such as Explore, or default',
  )
  .refine((targets) => Object.keys(targets).length <= mostTypes, `Use ${mostTypes} types at most`)
export type Subagents = z.output<typeof subagentsSchema>

/** The name that stands for all types that are not named. */
export const otherSubagents = 'default'

export const routingSettingsSchema = z
  .strictObject({
    /** True while a person has stopped the router: its requests are refused. */
    isPaused: z.boolean().default(false),
    /** Null for the default of the strategy. */
    qualityTolerance: z
      .number('Enter a number from 0 to 0.5')
      .min(0, 'Enter a number from 0 to 0.5')
      .max(0.5, 'Enter a number from 0 to 0.5')
      .nullable()
      .default(null),
    /** True if no prompt may lose more than is allowed on the mean; for strategies with an account of allowed loss. */
    limitEachPrompt: z.boolean().default(false),
    /** Weights of strategies that weigh figures; null for the default weights. */
    weights: z
      .strictObject({ cost: weight, latency: weight, carbon: weight })
      .nullable()
      .default(null),
    /** The latency that is compared: the median, or the 95th percentile. */
    latencyPercentile: z.union([z.literal(50), z.literal(95)]).default(50),
    /** Capabilities that every model must have, in addition to those a request needs. */
    requires: z.array(z.enum(capabilityNames)).default([]),
    /** Allowed providers; null for all. */
    providers: z.array(z.string()).min(1, 'Choose a provider').nullable().default(null),
    /** Allowed regions (ISO 3166 three-letter codes); null for all. */
    regions: z
      .array(z.string().regex(/^[A-Z]{3}$/, 'Use three-letter country codes, such as FRA'))
      .min(1, 'Choose a region')
      .nullable()
      .default(null),
    /** True to use only models on this computer. */
    localOnly: z.boolean().default(false),
    /** Maximum cost of a long answer in US dollars; null for no limit. */
    maxCostUsdPerRequest: z
      .number('Enter a number above 0, up to 1,000')
      .positive('Enter a number above 0, up to 1,000')
      .max(1_000, 'Enter a number above 0, up to 1,000')
      .nullable()
      .default(null),
    /** Whether to try another model when the first fails. */
    fallback: z.boolean().default(true),
    /** Whether a conversation keeps its model while that is nearly as good as the best. */
    sticky: z.boolean().default(true),
    /**
     * Whether the router may choose the reasoning effort of a model that is rated at several. A request's own
     * `reasoning_effort` always wins.
     */
    chooseEffort: z.boolean().default(true),
    /** Whether to prefer cheaper models when spending runs ahead of budget. */
    pacing: z.boolean().default(false),
    /** Share of requests that explore another good model; only for strategies that explore. */
    explorationShare: z
      .number(explorationRange)
      .min(0, explorationRange)
      .max(greatestExplorationShare, explorationRange)
      .default(0),
    cascade: cascadeSchema.nullable().default(null),
    /** The model that answers a coding agent's checks of actions; null: the model that the check names, else the first. */
    safetyModel: z.string().min(1, 'Choose a model').nullable().default(null),
    /** Days to store the text of requests and answers; null to store none. */
    contentDays: z
      .int('Enter a whole number of days')
      .min(1, 'Enter 1 to 365 days')
      .max(365, 'Enter 1 to 365 days')
      .nullable()
      .default(null),
    /** Routers (by id) or models of coding agents' subagents, by type; null: this router's own. */
    subagents: subagentsSchema.nullable().default(null),
    /** Whether a coding agent's turn goes to the strongest model once marks say that it is stuck. */
    escalateWhenStuck: z.boolean().default(true),
    /** The command whose failure after an edit moves a turn up from the cheapest model; null: no turn begins cheap. */
    checkCommand: z
      .string()
      .trim()
      .min(1, 'Enter a command, such as npm test')
      .max(mostCharacters, `Use ${mostCharacters} characters at most`)
      .nullable()
      .default(null),
    /** Whether steps that only read may go to a cheaper model where prices say that it saves. */
    stepDown: z.boolean().default(false),
    /** What nobody has proven yet. */
    experiments: z
      .strictObject({
        /** Whether a cheaper model is asked first inside a turn, and the session's own when that answer does more than read. */
        gate: z.boolean().default(false),
      })
      .prefault({}),
    /** Whether half of the sessions go without the rules above, so that both halves can be compared. */
    split: z.boolean().default(false),
    /** Null: no step of a coding agent is asked of another model too. */
    shadowSteps: shadowStepsSchema.nullable().default(null),
    /** Null: no request is sent to a second model to compare the answers. */
    shadow: shadowSettingsSchema.nullable().default(null),
  })
  .prefault({})
export type RoutingSettings = z.output<typeof routingSettingsSchema>
