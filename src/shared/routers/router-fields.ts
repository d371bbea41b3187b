/**
 * All settings of a router, each by the place of its value in a router. The router's form, the options of
 * `modelport router create` and `update`, what `router show` prints and the table in docs/cli.md derive from this table.
 * The bounds of the values stand in their schemas.
 */
import { capabilityNames } from '../models/model-abilities.ts'
import { defaultWeights } from './routing-settings.ts'
import { safetyFields } from './safety-fields.ts'
import { sessionFields } from './session-fields.ts'
import { strategyProfiles } from './strategies.ts'
import { strategyNames, type StrategyName } from './strategy-names.ts'
import { t } from '../strings/strings.ts'
import { tiers, type Tier } from '../entities.ts'
import { defaultTimeLimits } from './time-limits.ts'

/** Values that decide whether a setting has an effect. */
interface Circumstances {
  strategy: StrategyName
  tier: Tier
  hasBudget: boolean
}

/**
 * How a value is typed or picked. The form takes milliseconds in seconds and a share in percent. A `range` and a `list` are
 * picked, `codes` are a list that is typed.
 */
type Kind =
  | 'text'
  | 'number'
  | 'whole'
  | 'milliseconds'
  | 'share'
  | 'range'
  | 'switch'
  | 'choice'
  | 'list'
  | 'codes'
  | 'cascade'
  | 'targets'

export interface RouterField {
  kind: Kind
  label: string
  hint?: string
  unit?: string
  /** Shown in the empty field. */
  placeholder?: string
  choices?: readonly (string | number)[]
  /**
   * Option of the command line. Without one, the value is set by the option of the field before it. `none`, `off`,
   * `all` or `default` unsets it.
   */
  option?: string
  help?: string
  /** Help of the option `--no-…`. */
  helpOff?: string
  /** The line of `router show`. */
  heading?: string
  /** A setting without effect is hidden and returns to its default when the form is saved. */
  isUsed?: (circumstances: Circumstances) => boolean
}

const isRanked = ({ strategy }: Circumstances) => !strategyProfiles[strategy].keepsListOrder
const spendsAccount = ({ strategy }: Circumstances) => strategyProfiles[strategy].spendsAccount

const weight = (name: keyof typeof defaultWeights) =>
  ({
    kind: 'number',
    placeholder: String(defaultWeights[name]),
    isUsed: ({ strategy }: Circumstances) => strategyProfiles[strategy].usesWeights,
  }) as const

const timeLimit = (name: keyof typeof defaultTimeLimits) =>
  ({ kind: 'milliseconds', placeholder: String(defaultTimeLimits[name] / 1000) }) as const

const inDollars = { kind: 'number', unit: t('US dollars') } as const

export const fieldsByPart = {
  models: {
    name: {
      kind: 'text',
      label: t('Name'),
      option: '--name <name>',
      help: 'display name',
    },
    models: {
      kind: 'list',
      label: t('Models'),
      option: '--models <a,b>',
      help: 'provider:model names, in order of preference',
    },
    'routing.requires': {
      kind: 'list',
      label: t('Required capabilities (optional)'),
      hint: t('In addition to the capabilities that a request needs.'),
      choices: capabilityNames,
      option: '--require <tools,json|none>',
      help: 'capabilities that every model must have, besides those the request needs',
      heading: 'REQUIRES',
    },
  },
  strategy: {
    strategy: {
      kind: 'choice',
      label: t('Strategy'),
      choices: strategyNames,
      option: '--strategy <strategy>',
      help: 'how the model is chosen',
    },
    'routing.limitEachPrompt': {
      kind: 'switch',
      label: t('Keep quality'),
      option: '--[no-]limit-each-prompt',
      help: 'cost_optimized, adaptive: lose at most 5 % of the best quality with every prompt',
      helpOff: 'lose at most 5 % on average (default)',
      heading: 'EACH PROMPT',
      isUsed: spendsAccount,
    },
    'routing.qualityTolerance': {
      kind: 'range',
      label: t('Quality tolerance'),
      option: '--quality-tolerance <number|default>',
      help: 'how far a model’s expected quality may be below the best, 0 to 0.5; the default is 0.15 for latency, 0.1 for carbon, and an account for cost',
      heading: 'TOLERANCE',
      isUsed: ({ strategy }) =>
        strategyProfiles[strategy].qualityTolerance !== null ||
        strategyProfiles[strategy].spendsAccount,
    },
    'routing.weights.cost': {
      ...weight('cost'),
      label: t('Cost'),
      option: '--weights <cost=.1,latency=.05,carbon=.03|default>',
      help: 'balanced: the quality that the range from the lowest to the highest model is worth; other weights stay unchanged',
      heading: 'WEIGHTS',
    },
    'routing.weights.latency': { ...weight('latency'), label: t('Latency') },
    'routing.weights.carbon': { ...weight('carbon'), label: t('Carbon') },
    'routing.latencyPercentile': {
      kind: 'choice',
      label: t('Compare latency of'),
      choices: [50, 95],
      option: '--latency-percentile <50|95>',
      help: 'latency_optimized: compare the median or the 95th percentile',
      heading: 'PERCENTILE',
      isUsed: ({ strategy }) => strategyProfiles[strategy].usesLatencyPercentile,
    },
    'routing.explorationShare': {
      kind: 'range',
      label: t('Exploration'),
      hint: t(
        'Sends this share of requests to another good model to learn faster. This can cost more.',
      ),
      option: '--explore <share>',
      help: 'adaptive: the share of requests that try another model, 0 to 0.02',
      heading: 'EXPLORES',
      isUsed: ({ strategy }) => strategyProfiles[strategy].explores,
    },
    'routing.sticky': {
      kind: 'switch',
      label: t('Keep conversations on one model'),
      hint: t(
        'As long as the model is nearly as good as the best. Keeps the tone and uses the prompt cache.',
      ),
      option: '--[no-]sticky',
      help: 'keep a conversation on its model while it is about as good (default)',
      helpOff: 'route each request on its own, except tool results',
      heading: 'STICKY',
      isUsed: isRanked,
    },
    'routing.chooseEffort': {
      kind: 'switch',
      label: t('Choose the reasoning effort'),
      hint: t(
        'For models rated at several efforts: short reasoning for easy prompts, more for hard ones. A request’s own reasoning_effort always wins.',
      ),
      option: '--[no-]choose-effort',
      help: 'let the router choose the reasoning effort of models rated at several (default)',
      helpOff: 'leave the reasoning effort to the request and the provider',
      heading: 'CHOOSES EFFORT',
      isUsed: isRanked,
    },
    'routing.cascade': {
      kind: 'cascade',
      label: t('Cheaper first attempts'),
      option: '--cascade <file.json|off>',
      help: 'try cheap models first and check their answers',
      heading: 'CASCADE',
    },
    ...safetyFields,
    ...sessionFields,
    'routing.shadow.share': {
      kind: 'share',
      label: t('Share of requests'),
      unit: '%',
      option: '--shadow <share|off>',
      help: 'also send this share of requests to a second model and grade both answers, 0.05 is 5 %; needs the next two options',
      heading: 'SHADOW SAMPLES',
    },
    'routing.shadow.judge': {
      kind: 'text',
      label: t('Judge'),
      placeholder: t('Choose a strong model from another vendor…'),
      option: '--shadow-judge <model>',
      help: 'the model that grades shadow samples',
    },
    'routing.shadow.maxUsdPerDay': {
      ...inDollars,
      label: t('Cap per day'),
      option: '--shadow-usd-per-day <usd>',
      help: 'what shadow samples may cost per UTC day, the judge included',
    },
  },
  limits: {
    'routing.isPaused': {
      kind: 'switch',
      label: t('Paused'),
      hint: t('Refuses every request, until you turn it off. Requests in progress go on.'),
      option: '--[no-]pause',
      help: 'refuse every request of the router',
      helpOff: 'serve the router’s requests (default)',
      heading: 'PAUSED',
    },
    tier: {
      kind: 'choice',
      label: t('Tier'),
      choices: tiers,
      option: '--tier <tier>',
      help: 'free allows 100 requests per UTC day, pro 10,000, enterprise those of --daily-limit',
    },
    dailyLimit: {
      kind: 'whole',
      label: t('Requests per day'),
      hint: t('Counted from midnight UTC. Leave empty for no limit.'),
      option: '--daily-limit <number|none>',
      help: 'requests per UTC day, for the enterprise tier',
      isUsed: ({ tier }) => tier === 'enterprise',
    },
    requestsPerMinute: {
      kind: 'whole',
      label: t('Requests per minute'),
      hint: t('In any 60 seconds. Leave empty for no limit.'),
      option: '--requests-per-minute <number|none>',
      help: 'requests in any 60 seconds; further requests are refused',
    },
    budgetUsdPerDay: {
      ...inDollars,
      label: t('Daily budget'),
      hint: t('From midnight UTC. Leave empty for no budget.'),
      option: '--budget-usd-per-day <usd|none>',
      help: 'refuse requests that would exceed this many US dollars per UTC day',
    },
    budgetUsdPerMonth: {
      ...inDollars,
      label: t('Monthly budget'),
      hint: t('Requests that would exceed it are refused.'),
      option: '--budget-usd-per-month <usd|none>',
      help: 'refuse requests that would exceed this many US dollars per month',
    },
    'routing.pacing': {
      kind: 'switch',
      label: t('Make the budget last'),
      hint: t('Prefers cheaper models when spending runs ahead of budget.'),
      option: '--[no-]pacing',
      help: 'choose expensive models less often while spending is ahead of the budget',
      helpOff: 'ignore the budget until it is spent (default)',
      heading: 'PACING',
      isUsed: (circumstances) => circumstances.hasBudget && isRanked(circumstances),
    },
    'routing.maxCostUsdPerRequest': {
      ...inDollars,
      label: t('Maximum cost per request'),
      hint: t(
        'Excludes models whose long answers (1 in 10) would cost more. Leave empty for no limit.',
      ),
      option: '--max-cost-usd <usd|none>',
      help: 'exclude models whose long answer may cost more',
      heading: 'COST AT MOST',
    },
  },
  reliability: {
    'routing.fallback': {
      kind: 'switch',
      label: t('Try the next model on failure'),
      hint: t('If off, a failure of the first model is returned.'),
      option: '--[no-]fallback',
      help: 'try the next model when one fails (default)',
      helpOff: 'try one model only and return its error',
      heading: 'FALLBACK',
    },
    cacheTtlSeconds: {
      kind: 'whole',
      label: t('Cache answers for'),
      unit: t('seconds'),
      hint: t(
        'Identical requests with the same key get the cached answer at no cost. The cache is in memory only. Leave empty to turn off.',
      ),
      option: '--cache-ttl <seconds|off>',
      help: 'repeat an answer to the same request of the same key for this long',
    },
    'timeLimits.connectMs': {
      ...timeLimit('connectMs'),
      label: t('Connection'),
      option: '--connect-ms <ms|default>',
      help: 'limit for connecting, 5000 by default',
    },
    'timeLimits.firstTokenMs': {
      ...timeLimit('firstTokenMs'),
      label: t('First token of a stream'),
      option: '--first-token-ms <ms|default>',
      help: 'limit for the first token of a stream, 30000 by default',
    },
    'timeLimits.betweenChunksMs': {
      ...timeLimit('betweenChunksMs'),
      label: t('Gap within a stream'),
      option: '--between-chunks-ms <ms|default>',
      help: 'limit between two parts of a stream, 60000 by default',
    },
    'timeLimits.totalMs': {
      ...timeLimit('totalMs'),
      label: t('Whole answer'),
      option: '--total-ms <ms|default>',
      help: 'limit for the whole answer, 600000 by default',
    },
    'hedge.afterMs': {
      kind: 'milliseconds',
      label: t('Start after (seconds)'),
      hint: t('auto: when slower than 95 % of its recent answers. Leave empty to turn off.'),
      option: '--hedge <auto|ms|off>',
      help: 'also ask a second model after this time without output; auto uses the model’s 95th percentile',
    },
    'hedge.maxExtraPercent': {
      kind: 'number',
      label: t('Maximum extra cost'),
      unit: '%',
      hint: t('Share of this router’s spending in the last 24 hours.'),
      placeholder: '5',
      option: '--hedge-max-extra-percent <number>',
      help: 'maximum that hedging may add to the router’s cost of 24 hours, 5 by default',
    },
  },
  privacy: {
    'routing.localOnly': {
      kind: 'switch',
      label: t('Only models on this computer'),
      option: '--[no-]local-only',
      help: 'only models on this computer',
      helpOff: 'allow models on any computer (default)',
      heading: 'LOCAL ONLY',
    },
    'routing.providers': {
      kind: 'list',
      label: t('Allowed providers'),
      hint: t('Select none to allow all providers of this router.'),
      option: '--allow-providers <a,b|all>',
      help: 'only models of these providers',
      heading: 'PROVIDERS',
    },
    'routing.regions': {
      kind: 'codes',
      label: t('Allowed regions'),
      placeholder: 'USA, SWE',
      option: '--allow-regions <FRA,DEU|all>',
      help: 'only models that run in these countries (three-letter ISO 3166 codes); a model with an unknown region is excluded',
      heading: 'REGIONS',
    },
    'routing.contentDays': {
      kind: 'whole',
      label: t('Content logging'),
      unit: t('days'),
      hint: t(
        'Stores prompts and answers. Leave empty to turn off; saving then deletes stored content, and an undo does not bring it back.',
      ),
      option: '--log-content <days|off>',
      help: 'store full requests and answers for this many days; off deletes them',
      heading: 'CONTENT KEPT',
    },
  },
} as const satisfies Record<string, Record<string, RouterField>>

/** The parts of the form, in the order of its page. */
export const routerParts = ['models', 'strategy', 'limits', 'reliability', 'privacy'] as const
export type RouterPart = (typeof routerParts)[number]

export const routerFields = {
  ...fieldsByPart.models,
  ...fieldsByPart.strategy,
  ...fieldsByPart.limits,
  ...fieldsByPart.reliability,
  ...fieldsByPart.privacy,
} as const
export type FieldPath = keyof typeof routerFields

// `Object.entries` loses the type: these are the table's own names, each with its field.
export const routerFieldEntries = Object.entries(routerFields) as [FieldPath, RouterField][]
