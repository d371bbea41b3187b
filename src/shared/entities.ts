/**
 * The things a person manages in the dashboard, and what the ledger remembers of each request.
 * Times are Unix milliseconds (`…AtMs`), money is US dollars here and integer nano-dollars in storage,
 * models are `<provider>:<model_name>`.
 */
import { z } from 'zod'
import { attemptSettings } from './attempt-settings.ts'
import { budgetFields, requestsPerMinuteSchema } from './budget.ts'
import type { RouterDecision, AgentMeta } from './chat.ts'
import { strategyNames } from './strategies.ts'
import type { Domain } from './domains.ts'
import {
  capabilityNames,
  refusableParameters,
  type Capability,
  type ParameterRules,
} from './model-abilities.ts'
import type { ModelSpeed, ModelSize } from './model-facts.ts'
import type { PriceTier, TimedPrice } from './price.ts'
import { routingSettingsSchema } from './routing-settings.ts'

const slug = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,63}$/,
    'Use 1 to 64 lower-case letters, digits and dashes, starting with a letter or digit',
  )
const name = z.string().trim().min(1, 'Enter a name').max(100)

/** `<provider>:<model_name>`, split at the first colon: model names may hold colons and slashes. */
export const modelIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}:.+$/, 'Use the form provider:model_name')

// ---- providers -------------------------------------------------------------------------------

/** `agent` and `auto` would collide with the values of the request's `model` field. */
const reservedProviderIds = ['agent', 'auto']

/** A provider's key as it is pasted: what no header could carry is a slip of the clipboard. */
export const providerKeySchema = z
  .string()
  .trim()
  .min(1, 'Enter a key')
  .regex(/^[\x21-\x7e]+$/, 'The key contains a space or an invalid character. Copy it again.')

export const providerInputSchema = z.strictObject({
  id: slug.refine((id) => !reservedProviderIds.includes(id), 'This id is reserved'),
  /** An entry of the provider registry: `openai`, `openai-compatible`, `local`, … */
  type: z.string().min(1),
  /** Only for types that have no fixed address. */
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'Enter an address that starts with https:// or http://' })
    .optional(),
  /** Allows an address in a private network (the user's own server). */
  privateNetwork: z.boolean().default(false),
  /** By name; which ones there are is declared by the type. Never a secret. */
  options: z.record(z.string().max(100), z.string().max(500)).default({}),
  /** Leaves the renderer once, towards the key store; never stored beside the provider. */
  apiKey: providerKeySchema.optional(),
})
export type ProviderInput = z.input<typeof providerInputSchema>

/** What a provider's last use or test said; `unknown` until the first of either. */
export type ProviderHealth =
  | { status: 'unknown' }
  | { status: 'ok'; checkedAtMs: number; latencyMs: number }
  | { status: 'failing'; checkedAtMs: number; problem: ProviderProblem; message: string }

/** Why a provider cannot be used, as the interface words it. */
export type ProviderProblem =
  | 'key_missing'
  | 'key_rejected'
  | 'out_of_credit'
  | 'unreachable'
  | 'error'

/** A model that is passed over for its failures; its breaker lets a request try it from then on. */
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
  /** Whether this type does not work without a key, and whether the key store holds one. */
  needsKey: boolean
  hasKey: boolean
  createdAtMs: number
  health: ProviderHealth
  /** As this process knows them: a command sees none of a running service's. */
  pausedModels: PausedModel[]
}

export type ProviderTest =
  | { ok: true; latencyMs: number; models: string[] }
  | { ok: false; problem: ProviderProblem; message: string }

// ---- models ----------------------------------------------------------------------------------

/** Beyond any price there is; in nano-dollars still an exact integer. */
const greatestUsdPerMtok = 1_000_000

/** A user's own figures for a model; they win over the catalogue. */
export const modelInputSchema = z.strictObject({
  id: modelIdSchema,
  inputUsdPerMtok: z.number().min(0).max(greatestUsdPerMtok),
  outputUsdPerMtok: z.number().min(0).max(greatestUsdPerMtok),
  contextTokens: z.int().min(1),
  maxOutputTokens: z.int().min(1).optional(),
  capabilities: z.array(z.enum(capabilityNames)).default([]),
  quality: z.number().min(0).max(1).optional(),
  energyWhPerKtok: z.number().min(0).max(1_000_000).optional(),
  region: z.string().min(1).max(40).optional(),
  /** Absent: as the catalogue has it. */
  refuses: z.array(z.enum(refusableParameters)).optional(),
})
export type ModelInput = z.input<typeof modelInputSchema>

/** How many judged answers the user's own word on a model's quality is worth: more than any source's. */
export const ownQualityStrength = 25

/** A model as the interface lists it. A null price means: ask the user before a router may use it. */
export interface Model {
  id: string
  providerId: string
  inputUsdPerMtok: number | null
  outputUsdPerMtok: number | null
  /** Null: tokens read from a cache cost as input. */
  cacheReadUsdPerMtok: number | null
  /** Null: tokens written to a cache cost as input. */
  cacheWriteUsdPerMtok: number | null
  /** For long prompts, shortest first; none under a price of the user's own. */
  priceTiers: readonly PriceTier[]
  /** At certain hours, or from a day on; the last one in force wins. */
  timedPrices: readonly TimedPrice[]
  contextTokens: number | null
  maxOutputTokens: number | null
  capabilities: Capability[]
  /** Chance of an acceptable answer, 0 to 1, as published; null when unknown. */
  quality: number | null
  /** How many judged answers that is worth; null where nothing is known. */
  qualityStrength: number | null
  qualityByDomain: Readonly<Partial<Record<Domain, number>>>
  /** The user's figure, or the catalogue's for a model on this computer; it wins over the size. */
  energyWhPerKtok: number | null
  size: ModelSize | null
  /** As published; null when not measured. */
  speed: ModelSpeed | null
  region: string | null
  parameters: ParameterRules
  /** Where the price is from: the user, or the catalogue with its source and date. */
  priceSource: { kind: 'user' } | { kind: 'catalog'; source: string; asOf: string } | null
}

// ---- routers ---------------------------------------------------------------------------------

export const tiers = ['free', 'pro', 'enterprise'] as const
export type Tier = (typeof tiers)[number]
/** Requests per UTC day; the enterprise tier has the router's own number, or none. */
export const tierDailyLimit = { free: 100, pro: 10_000 } as const

/** One day. Older answers should not be reused. */
const longestCacheTtlSeconds = 86_400

export const routerInputSchema = z
  .strictObject({
    name,
    strategy: z.enum(strategyNames),
    /** In order of preference: `priority` tries them in this order. */
    models: z.array(modelIdSchema).min(1, 'Choose at least one model'),
    tier: z.enum(tiers).default('pro'),
    /** Only the enterprise tier may set it; null is unlimited. */
    dailyLimit: z.int().min(1).nullable().default(null),
    /** How long an answer is given again to the same request of the same key; null is off. */
    cacheTtlSeconds: z
      .int('Enter a whole number of seconds')
      .min(1, 'Enter 1 or more, or leave empty to turn off')
      .max(longestCacheTtlSeconds, `Enter ${longestCacheTtlSeconds} seconds (one day) or less`)
      .nullable()
      .default(null),
    ...attemptSettings,
    routing: routingSettingsSchema,
    /** In any 60 seconds; null is no such limit. */
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
  })
export type RouterInput = z.input<typeof routerInputSchema>

export interface Router extends z.output<typeof routerInputSchema> {
  /** `router_` + 16 base62 characters. */
  id: string
  createdAtMs: number
  updatedAtMs: number
}

/** The router's limit in requests per UTC day; null is unlimited. */
export function dailyLimitOf(router: Pick<Router, 'tier' | 'dailyLimit'>): number | null {
  return router.tier === 'enterprise' ? router.dailyLimit : tierDailyLimit[router.tier]
}

// ---- API keys --------------------------------------------------------------------------------

export const environments = ['dev', 'stage', 'prod'] as const

export const apiKeyInputSchema = z.strictObject({
  name,
  environment: z.enum(environments).default('dev'),
  /** The routers it may use. */
  routers: z.union([z.literal('all'), z.array(z.string()).min(1, 'Choose at least one router')]),
  expiresAtMs: z.int().nullable().default(null),
  /** Any model name a tool insists on sending is read as "the router decides". */
  acceptAnyModel: z.boolean().default(false),
  /** May read `GET /metrics`. */
  metrics: z.boolean().default(false),
  /** Every answer says why, as if `x-modelport-explain: true` had been sent. */
  explain: z.boolean().default(false),
  /** Comment lines in a stream that is silent for long; some naive clients break on them. */
  keepAlive: z.boolean().default(true),
  ...budgetFields,
})
export type ApiKeyInput = z.input<typeof apiKeyInputSchema>

/** A key as it is remembered: never the key itself. */
export interface ApiKey extends z.output<typeof apiKeyInputSchema> {
  id: string
  /** What a person recognises it by: `mp_…` and the last four characters. */
  hint: string
  createdAtMs: number
  lastUsedAtMs: number | null
  revokedAtMs: number | null
}

/** The one time the whole key is shown. */
export interface CreatedApiKey {
  key: string
  apiKey: ApiKey
}

// ---- the ledger ------------------------------------------------------------------------------

/** Who asked: a key over HTTPS, or the chat window of this app. */
export type RequestSource = 'api' | 'chat'

/** One finished request. Null means unknown, never zero; estimates stand in columns of their own. */
export interface RequestRecord {
  /** UUIDv7, as sent in `x-request-id`. */
  id: string
  routerId: string
  apiKeyId: string | null
  source: RequestSource
  startedAtMs: number
  /** HTTP status; 499 when the client went away. */
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
  /** The request whose answer was given again from the cache; null where a model was to be asked. */
  cachedFrom: string | null
  /** The agent's execution it is a step of, and the step: `best`, `outer/best`; null for others. */
  executionId: string | null
  stepId: string | null
}

/** One point of a router's charts: the requests of one time bucket. */
export interface UsageBucket {
  startMs: number
  requests: number
  errors: number
  costUsd: number
  /** Mean and greatest latency of the answered requests; null when there was none. */
  latencyMsMean: number | null
  latencyMsMax: number | null
  carbonGrams: number
  /** Requests per model that answered. */
  models: Record<string, number>
}

export interface UsageQuery {
  routerId?: string | undefined
  sinceMs: number
  bucketMs: number
}

// ---- conversations of the chat window ----------------------------------------------------------

export interface Conversation {
  id: string
  title: string
  routerId: string | null
  /** The agent that answered last; null where the router chose a model. */
  agent: string | null
  createdAtMs: number
  updatedAtMs: number
}

/** The answer's `_meta` as the chip shows it, with the ledger's id. */
export interface AnswerMeta {
  requestId: string
  modelUsed: string
  costUsd: number
  latencyMs: number
  carbonGrams: number
  routerDecision: RouterDecision
}

export interface ConversationMessage {
  id: string
  role: 'user' | 'assistant'
  text: string
  createdAtMs: number
  /** `streaming` rows found at start were cut off by a crash; they are shown as stopped. */
  state: 'complete' | 'streaming' | 'stopped' | 'failed'
  /** What went wrong, in the service's words, when `state` is `failed`. */
  error: string | null
  /** Another answer to the same question was kept: models do not read this one. */
  isSetAside: boolean
  /** Present on answers once they ended. */
  meta: AnswerMeta | null
  /** The same where an agent answered: `meta` is null then. */
  agentMeta: AgentMeta | null
}
