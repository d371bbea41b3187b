/**
 * The file that `export` writes and `import` reads: providers, models, dated prices, routers, agents and settings,
 * readable and easy to compare. It never contains a key, and no field is a path or a command.
 */
import { z } from 'zod'
import { agentSlugSchema } from '../../shared/agents/agent.ts'
import { modelInputSchema, providerInputSchema, routerInputSchema } from '../../shared/entities.ts'
import { settings, type SettingName } from '../../shared/app/settings.ts'
import { datedPriceSchema, type DatedPrice } from '../../shared/models/dated-price.ts'

/** A file from someone else must not set a path on this computer, or the proxy of all requests. */
const settingsKeptHere: readonly SettingName[] = [
  'localModelFile',
  'localModelFiles',
  'outboundProxy',
  // It often contains a token, too.
  'alertWebhook',
  'alertWebhookPrivateNetwork',
]

/** The settings a file may contain, in the order of the Settings page. */
export const portableSettings = Object.entries(settings)
  .map(([name, { schema, default: preset }]) => ({ name, schema, preset: preset as unknown }))
  .filter(({ name }) => settingsKeptHere.every((kept) => kept !== name))

const settingsSchema: z.ZodType<Record<string, unknown>> = z.strictObject(
  Object.fromEntries(portableSettings.map(({ name, schema }) => [name, schema.optional()])),
)

const exportedProviderSchema = providerInputSchema.omit({ apiKey: true })
const exportedRouterSchema = routerInputSchema.safeExtend({
  id: z.string().regex(/^router_[0-9A-Za-z]{16}$/, 'router_ and 16 letters or digits'),
})

/** The agent's source, checked as in `agent apply`. */
const exportedAgentSchema = z.strictObject({ id: agentSlugSchema, source: z.string() })

export const transferDocumentSchema = z.strictObject({
  format: z.literal('modelport-export', 'not a file that "modelport export" wrote'),
  formatVersion: z.literal(1, 'this version of Modelport reads version 1 of the format'),
  providers: z.array(exportedProviderSchema).superRefine(refuseTwice),
  models: z.array(modelInputSchema).superRefine(refuseTwice),
  /** Absent in older files. */
  prices: z.array(datedPriceSchema).superRefine(refuseSameTime).default([]),
  routers: z.array(exportedRouterSchema).superRefine(refuseTwice),
  agents: z.array(exportedAgentSchema).superRefine(refuseTwice),
  settings: settingsSchema,
})

export type TransferDocument = z.output<typeof transferDocumentSchema>
export type ExportedProvider = z.output<typeof exportedProviderSchema>
export type ExportedAgent = z.output<typeof exportedAgentSchema>
export type ExportedModel = z.output<typeof modelInputSchema>
export type ExportedRouter = z.output<typeof exportedRouterSchema>

function refuseTwice(entries: readonly { id: string }[], context: z.core.$RefinementCtx): void {
  for (const index of repeatedOf(entries.map(({ id }) => id))) {
    context.addIssue({ code: 'custom', path: [index, 'id'], message: 'this id is used twice' })
  }
}

function refuseSameTime(prices: readonly DatedPrice[], context: z.core.$RefinementCtx): void {
  // It also runs for times that no date has.
  for (const index of repeatedOf(prices.map(({ modelId, fromMs }) => `${modelId} ${fromMs}`))) {
    const message = 'the file has another price of this model from this time on'
    context.addIssue({ code: 'custom', path: [index, 'fromMs'], message })
  }
}

/** The places of names that stand before in the list. */
function repeatedOf(names: readonly string[]): number[] {
  const known = new Set<string>()
  return names.flatMap((name, index) => {
    const isRepeated = known.has(name)
    known.add(name)
    return isRepeated ? [index] : []
  })
}

/** A dated price's name in the list of differences. */
export function priceId({ modelId, fromMs }: DatedPrice): string {
  return `${modelId} from ${new Date(fromMs).toISOString()}`
}
