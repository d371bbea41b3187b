/** Reads models.dev's `api.json`: limits, abilities, and prices that no other source has. */
import { z } from 'zod'
import type { Capability } from '../../../shared/models/model-abilities.ts'
import type { PublishedPrice } from './genai-prices.ts'

const usdPerMtok = z.number().min(0).max(1_000_000)
const modalities = z.array(z.string()).default([])

const rowSchema = z.object({
  input: usdPerMtok,
  output: usdPerMtok,
  cache_read: usdPerMtok.optional(),
  cache_write: usdPerMtok.optional(),
})

const modelSchema = z.object({
  /** Shown in the window and in terminals, so control characters are refused. */
  id: z
    .string()
    .max(200)
    .regex(/^[^\p{C}]+$/u),
  temperature: z.boolean().optional(),
  tool_call: z.union([z.boolean(), z.object({ supported: z.boolean() })]).optional(),
  structured_output: z.boolean().optional(),
  modalities: z.object({ input: modalities, output: modalities }),
  limit: z.object({ context: z.int().min(0), output: z.int().min(0) }),
  cost: rowSchema
    .extend({
      /** The older form, which models have beside `tiers`. */
      context_over_200k: rowSchema.optional(),
      tiers: z
        .array(rowSchema.extend({ tier: z.object({ type: z.string(), size: z.int().min(0) }) }))
        .default([]),
    })
    .optional(),
  status: z.string().optional(),
})
type Listed = z.output<typeof modelSchema>
type Cost = NonNullable<Listed['cost']>

const documentSchema = z.record(z.string(), z.object({ models: z.record(z.string(), z.unknown()) }))

/** The collection's names for our provider types. */
const providerIds: Readonly<Record<string, string>> = {
  bedrock: 'amazon-bedrock',
  together: 'togetherai',
  fireworks: 'fireworks-ai',
  moonshot: 'moonshotai',
  qwen: 'alibaba',
}

export interface PublishedFacts {
  name: string
  isRetired: boolean
  /** Reads and writes text. */
  isChat: boolean
  /** Abilities the source confirms or denies; the others are absent. */
  abilities: ReadonlyMap<Capability, boolean>
  /** Null if the source does not state it. */
  takesTemperature: boolean | null
  contextTokens: number | null
  maxOutputTokens: number | null
  price: PublishedPrice | null
}

export interface PublishedModels {
  /** Models of a provider type by name, in the source's order; empty for an unknown type. */
  modelsOf(type: string): ReadonlyMap<string, PublishedFacts>
}

/** @throws z.ZodError for any other file */
export function readModelsDev(document: unknown): PublishedModels {
  const providers = new Map(Object.entries(documentSchema.parse(document)))
  const byType = new Map<string, Map<string, PublishedFacts>>()
  return {
    modelsOf(type) {
      const read = byType.get(type)
      if (read) return read
      const listed = Object.values(providers.get(providerIds[type] ?? type)?.models ?? {})
      const readable = listed.flatMap((model) => modelSchema.safeParse(model).data ?? [])
      const models = new Map(readable.map((model) => [model.id, factsOf(type, model)]))
      byType.set(type, models)
      return models
    },
  }
}

function factsOf(type: string, model: Listed): PublishedFacts {
  const { input, output } = model.modalities
  return {
    name: model.id,
    isRetired: model.status === 'deprecated',
    isChat: input.includes('text') && output.includes('text'),
    abilities: abilitiesOf(type, model),
    takesTemperature: model.temperature ?? null,
    contextTokens: model.limit.context || null,
    maxOutputTokens: model.limit.output || null,
    price: priceOf(model),
  }
}

function abilitiesOf(type: string, model: Listed): Map<Capability, boolean> {
  const { input } = model.modalities
  const abilities = new Map<Capability, boolean>([
    ['vision', input.includes('image')],
    ['audio', input.includes('audio')],
  ])
  const tools = typeof model.tool_call === 'object' ? model.tool_call.supported : model.tool_call
  if (tools !== undefined) abilities.set('tools', tools)
  // DeepSeek's API supports only `json_object`, whatever its models can do.
  if (model.structured_output !== undefined && type !== 'deepseek') {
    abilities.set('json', model.structured_output)
  }
  return abilities
}

function priceOf({ cost }: Listed): PublishedPrice | null {
  if (!cost) return null
  return { ...rowOf(cost), tiers: tiersOf(cost), timed: [] }
}

/** Tiers begin above their size. */
function tiersOf({ tiers, context_over_200k: over200k }: Cost): PublishedPrice['tiers'] {
  const byContext = tiers.filter(({ tier }) => tier.type === 'context')
  if (byContext.length === 0) {
    return over200k === undefined ? [] : [{ fromPromptTokens: 200_001, ...rowOf(over200k) }]
  }
  return byContext
    .map((row) => ({ fromPromptTokens: row.tier.size + 1, ...rowOf(row) }))
    .toSorted((a, b) => a.fromPromptTokens - b.fromPromptTokens)
}

function rowOf({ input, output, cache_read, cache_write }: z.output<typeof rowSchema>) {
  return {
    inputUsdPerMtok: input,
    outputUsdPerMtok: output,
    cacheReadUsdPerMtok: cache_read ?? null,
    cacheWriteUsdPerMtok: cache_write ?? null,
  }
}
