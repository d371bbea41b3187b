/**
 * The entities that people manage in the dashboard, and the ledger's record of each request. Times are Unix
 * milliseconds (`…AtMs`), money is US dollars here and integer nano-dollars in storage, models are
 * `<provider>:<model_name>`.
 */
import { z } from 'zod'
import { attemptSettings } from './routers/attempt-settings.ts'
import { budgetFields, requestsPerMinuteSchema } from './routers/budget.ts'
import type { RouterDecision } from './chat/chat.ts'
import { slug } from './strings/slug.ts'
import { strategyNames } from './routers/strategy-names.ts'
import {
  capabilityNames,
  refusableParameters,
  type Capability,
  type ParameterRules,
} from './models/model-abilities.ts'
import type { ServedModel } from './models/model-servers.ts'
import type {
  EffortRating,
  EmbeddingFacts,
  ModelRating,
  ModelSpeed,
  ModelSize,
} from './models/model-facts.ts'
import type { PriceTier, TimedPrice } from './models/price.ts'
import { providerKeySchema } from './models/provider-key.ts'
import type { FallbackReason } from './routers/fallback-record.ts'
import { routingSettingsSchema } from './routers/routing-settings.ts'
import { judgeProblem } from './routers/shadow-settings.ts'
import { tagSchema } from './routers/tag.ts'

const name = z.string().trim().min(1, 'Enter a name').max(100)

/** `<provider>:<model_name>`, split at the first colon, because model names may contain colons and slashes. */
export const modelIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}:.+$/, 'Use the form provider:model_name')

// ---- providers -------------------------------------------------------------------------------

/** `agent` and `auto` would collide with the values of the request's `model` field. */
const reservedProviderIds = ['agent', 'auto']

const baseUrlSchema = z.url({
  protocol: /^https?$/,
  error: 'Enter an address that starts with https:// or http://',
})
const providerOptionsSchema = z.record(z.string().max(100), z.string().max(500))

export const providerInputSchema = z.strictObject({
  id: slug.refine((id) => !reservedProviderIds.includes(id), 'This id is reserved'),
  /** An entry of the provider registry: `openai`, `openai-compatible`, `local`, … */
  type: z.string().min(1),
  /** Absent: the address of the type, if it has one. */
  baseUrl: baseUrlSchema.optional(),
  /** Allows an address in a private network (the user's own server). */
  privateNetwork: z.boolean().default(false),
  /** Option values by name; the type declares which options exist. Never a secret. */
  options: providerOptionsSchema.default({}),
  /** Leaves the renderer once, on its way to the key store; never stored with the provider. */
  apiKey: providerKeySchema.optional(),
})
export type ProviderInput = z.input<typeof providerInputSchema>

/** One of a provider's keys; the key itself is never shown. */
export interface ProviderKey {
  /** `default` for the first. */
  name: string
  /** The address it belongs to, if the provider's address is another; the key is not used. */
  belongsTo: string | null
  /** Problem that this process knows, like the two fields below; null while the key is used. */
  problem: ProviderProblem | null
  /** Time until which the rate limit of a model is used up. */
  pausedUntilMs: number | null
  /** The smallest remaining share of its rate limits, from 0 to 1; null if not reported. */
  remaining: number | null
}

/** Changes of a provider; what is absent stays. */
export const providerChangesSchema = z.strictObject({
  /** Null: the address of the type. Keys belong to the old scheme, host and port, and are not sent to another. */
  baseUrl: baseUrlSchema.nullable().optional(),
  privateNetwork: z.boolean().optional(),
  /** All options, in place of the old ones. */
  options: providerOptionsSchema.optional(),
  /** The key for the new address. */
  apiKey: providerKeySchema.optional(),
})
export type ProviderChanges = z.input<typeof providerChangesSchema>

/** The result of a provider's last use or test; `unknown` before the first. */
export type ProviderHealth =
  | { status: 'unknown' }
  | { status: 'ok'; checkedAtMs: number; latencyMs: number }
  | { status: 'failing'; checkedAtMs: number; problem: ProviderProblem; message: string }

/** Why a provider cannot be used, as shown in the interface. */
export type ProviderProblem =
  | 'key_missing'
  | 'key_rejected'
  | 'out_of_credit'
  | 'unreachable'
  | 'error'

/** A model that is skipped because of its failures, until the time when its breaker allows a request again. */
export interface PausedModel {
  modelId: string
  untilMs: number
}

export interface Provider {
  id: string
  type: string
  /** The registry's display name for the type. */
  typeName: string
  baseUrl: string | null
  privateNetwork: boolean
  options: Record<string, string>
  /** Whether this type requires a key, and whether the key store has one. */
  needsKey: boolean
  hasKey: boolean
  /** Source of its keys instead of the key store, such as `the variable MODELPORT_KEY_OPENAI`; null for stored keys. */
  keySource: string | null
  /** The address that the stored key belongs to, if the provider's address is another; the key is not used. */
  keyBelongsTo: string | null
  /** All its keys, the first before the others. */
  keys: ProviderKey[]
  createdAtMs: number
  health: ProviderHealth
  /** Paused models as this process knows them: a command does not see those of a running service. */
  pausedModels: PausedModel[]
  /** Models of a model server that answered requests, the fastest first. */
  servedModels: ServedModel[]
}

export type ProviderTest =
  | { ok: true; latencyMs: number; models: string[] }
  | { ok: false; problem: ProviderProblem; message: string }

// ---- models ----------------------------------------------------------------------------------

/** Above any real price, and still an exact integer in nano-dollars. */
export const greatestUsdPerMtok = 1_000_000

/** A user's own figures for a model; they override the catalogue. */
export const modelInputSchema = z.strictObject({
  id: modelIdSchema,
  inputUsdPerMtok: z.number().min(0).max(greatestUsdPerMtok),
  outputUsdPerMtok: z.number().min(0).max(greatestUsdPerMtok),
  /** Absent: the catalogue's value, or unknown. */
  contextTokens: z.int().min(1).optional(),
  maxOutputTokens: z.int().min(1).optional(),
  capabilities: z.array(z.enum(capabilityNames)).default([]),
  quality: z.number().min(0).max(1).optional(),
  energyWhPerKtok: z.number().min(0).max(1_000_000).optional(),
  region: z.string().min(1).max(40).optional(),
  /** Absent: the catalogue's value applies. */
  refuses: z.array(z.enum(refusableParameters)).optional(),
})
export type ModelInput = z.input<typeof modelInputSchema>

/** The weight of the user's own quality figure, in judged answers: more than that of any source. */
export const ownQualityStrength = 25

/** A model as the interface lists it. Without a price, no router may use it until the user sets one. */
export interface Model {
  id: string
  providerId: string
  inputUsdPerMtok: number | null
  outputUsdPerMtok: number | null
  /** Null: tokens read from a cache cost as much as input. */
  cacheReadUsdPerMtok: number | null
  /** Null: tokens written to a cache cost as much as input. */
  cacheWriteUsdPerMtok: number | null
  /** Price of cache writes for an hour, as in `PriceRow`. */
  cacheWrite1hUsdPerMtok?: number | null | undefined
  /** Tiers for long prompts, shortest first; none when the user set the price. */
  priceTiers: readonly PriceTier[]
  /** Prices at certain hours or from a date on; the last one in force applies. */
  timedPrices: readonly TimedPrice[]
  contextTokens: number | null
  maxOutputTokens: number | null
  capabilities: Capability[]
  /** Absent or null for models that chat, and for vectors that the catalogue does not know. */
  embedding?: EmbeddingFacts | null
  /** The probability of an acceptable answer to an ordinary prompt, 0 to 1, from the rating; null when unknown. */
  quality: number | null
  /** Null when unknown. */
  rating: ModelRating | null
  /** Ratings of up to three reasoning efforts, where one source rates several. */
  efforts: readonly EffortRating[]
  /** The user's figure, or the catalogue's for a model on this computer; it takes precedence over the size. */
  energyWhPerKtok: number | null
  size: ModelSize | null
  /** Published speed; null when not measured. */
  speed: ModelSpeed | null
  region: string | null
  parameters: ParameterRules
  /** The source of the price: the user, or the catalogue with its source and date. */
  priceSource: { kind: 'user' } | { kind: 'catalog'; source: string; asOf: string } | null
}

// ---- routers ---------------------------------------------------------------------------------

export const tiers = ['free', 'pro', 'enterprise'] as const
export type Tier = (typeof tiers)[number]
/** Requests per UTC day; with the enterprise tier, the router sets its own limit, or none. */
export const tierDailyLimit = { free: 100, pro: 10_000 } as const

/** One day, the longest time for which an answer may be reused. */
const longestCacheTtlSeconds = 86_400

export const routerInputSchema = z
  .strictObject({
    name,
    strategy: z.enum(strategyNames),
    /** Models in order of preference; `priority` tries them in this order. */
    models: z.array(modelIdSchema).min(1, 'Choose at least one model'),
    tier: z.enum(tiers).default('pro'),
    /** Most requests of a day, for the enterprise tier only; null means unlimited. */
    dailyLimit: z.int().min(1).nullable().default(null),
    /** How long an answer is reused for the same request with the same key; null means never. */
    cacheTtlSeconds: z
      .int('Enter a whole number of seconds')
      .min(1, 'Enter 1 or more, or leave empty to turn off')
      .max(longestCacheTtlSeconds, `Enter ${longestCacheTtlSeconds} seconds (one day) or less`)
      .nullable()
      .default(null),
    ...attemptSettings,
    routing: routingSettingsSchema,
    /** Most requests in any 60 seconds; null means no limit. */
    requestsPerMinute: requestsPerMinuteSchema,
    ...budgetFields,
  })
  .refine((router) => router.tier === 'enterprise' || router.dailyLimit === null, {
    path: ['dailyLimit'],
    message: 'Only the enterprise tier can have a custom daily limit',
  })
  .superRefine(({ models, routing }, context) => {
    for (const [index, tier] of (routing.cascade?.tiers ?? []).entries()) {
      const other = tier.models.find((model) => !models.includes(model))
      if (other === undefined) continue
      const path = ['routing', 'cascade', 'tiers', index, 'models']
      context.addIssue({
        code: 'custom',
        path,
        message: `This router does not have the model "${other}"`,
      })
    }
    const { shadow } = routing
    const message = shadow && judgeProblem(shadow.judge, models)
    if (message) context.addIssue({ code: 'custom', path: ['routing', 'shadow', 'judge'], message })
  })
export type RouterInput = z.input<typeof routerInputSchema>

export interface Router extends z.output<typeof routerInputSchema> {
  /** `router_` + 16 base62 characters. */
  id: string
  createdAtMs: number
  updatedAtMs: number
}

/** The router's limit in requests per UTC day; null means unlimited. */
export function dailyLimitOf(router: Pick<Router, 'tier' | 'dailyLimit'>): number | null {
  return router.tier === 'enterprise' ? router.dailyLimit : tierDailyLimit[router.tier]
}

// ---- API keys --------------------------------------------------------------------------------

export const environments = ['dev', 'stage', 'prod'] as const

export const apiKeyInputSchema = z.strictObject({
  name,
  environment: z.enum(environments).default('dev'),
  /** The routers that the key may use. */
  routers: z.union([z.literal('all'), z.array(z.string()).min(1, 'Choose at least one router')]),
  expiresAtMs: z.int().nullable().default(null),
  /** Treats any model name in a request as "the router decides", for tools that insist on sending one. */
  acceptAnyModel: z.boolean().default(false),
  /** May read `GET /metrics`. */
  metrics: z.boolean().default(false),
  /** Every answer is explained, as if the request had `x-modelport-explain: true`. */
  explain: z.boolean().default(false),
  /** Sends comment lines while a stream is silent; some simple clients fail on them. */
  keepAlive: z.boolean().default(true),
  /** The tag of its requests that do not name one; null for none. */
  tag: tagSchema.nullable().default(null),
  ...budgetFields,
})
export type ApiKeyInput = z.input<typeof apiKeyInputSchema>

/** A key as stored: never the key itself. */
export interface ApiKey extends z.output<typeof apiKeyInputSchema> {
  id: string
  /** How people recognise the key: `mp_…` and the last four characters. */
  hint: string
  createdAtMs: number
  lastUsedAtMs: number | null
  revokedAtMs: number | null
  /** The key that it replaces; null for a new key. */
  rotatedFromId: string | null
}

/** The only time the whole key is shown. */
export interface CreatedApiKey {
  key: string
  apiKey: ApiKey
}

// ---- the ledger ------------------------------------------------------------------------------

/**
 * Source of a request: an API key over HTTP or HTTPS, the app's chat window, a tuning run, a shadow sample, a
 * provider's daily probe, or the title of a conversation.
 */
export type RequestSource = 'api' | 'chat' | 'tune' | 'shadow' | 'probe' | 'title'

/** One finished request. Null means unknown, never zero; estimates have their own columns. */
export interface RequestRecord {
  /** UUIDv7, as sent in `x-request-id`. */
  id: string
  routerId: string
  apiKeyId: string | null
  source: RequestSource
  startedAtMs: number
  /** HTTP status; 499 when the client disconnected or Modelport cancelled it. */
  status: number
  errorCode: string | null
  modelUsed: string | null
  routerDecision: RouterDecision
  isStreamed: boolean
  attempts: number
  reportedPromptTokens: number | null
  reportedCompletionTokens: number | null
  estimatedPromptTokens: number | null
  estimatedCompletionTokens: number | null
  costNanoUsd: number
  latencyMs: number
  firstTokenMs: number | null
  carbonGrams: number
  /** The request whose cached answer was reused; null when the answer did not come from the cache. */
  cachedFrom: string | null
  /** The first choice and why it did not answer, when another model answered instead; null otherwise. */
  fallbackFrom: string | null
  fallbackReason: FallbackReason | null
  /** The caller's label for grouping usage, such as a project; null without one. */
  tag: string | null
  /**
   * The execution of an agent that the request belongs to, and its step: `best`, `outer/best`; null otherwise.
   */
  executionId: string | null
  stepId: string | null
  /** The session of a coding agent and its agent, by the client's own names; null for others and for main agents. */
  sessionId: string | null
  agentId: string | null
  /** Figures of the step, as JSON of `sessionStepSchema`; null for requests without a session. */
  sessionStep: string | null
}
