/** The router's routing settings as the form holds them: numbers as text, empty for the default. */
import { readNumber } from '../../components/read-number.ts'
import { strategyProfiles, type StrategyName } from '../../../../shared/routers/strategies.ts'
import {
  defaultWeights,
  routingSettingsSchema,
  type RoutingSettings,
} from '../../../../shared/routers/routing-settings.ts'

type Weights = NonNullable<RoutingSettings['weights']>
type WeightTexts = Readonly<Record<keyof Weights, string>>
export type Tier = NonNullable<RoutingSettings['cascade']>['tiers'][number]

/** Settings that are typed rather than picked. */
interface Typed {
  weights: WeightTexts
  regions: string
  maxCostUsdPerRequest: string
  contentDays: string
  /** Cheapest first; empty: no cascade. */
  cascade: readonly Tier[]
  /** Null: off. */
  shadow: ShadowTexts | null
}

export interface ShadowTexts {
  sharePercent: string
  maxUsdPerDay: string
  /** Empty until one is chosen. */
  judge: string
}

/** The fields when shadow samples are turned on. */
export const firstShadowTexts: ShadowTexts = { sharePercent: '5', maxUsdPerDay: '1', judge: '' }
export type RoutingTexts = Omit<RoutingSettings, keyof Typed> & Typed

export const weightNames = ['cost', 'latency', 'carbon'] as const

/** What determines whether a setting has an effect. */
export interface Circumstances {
  strategy: StrategyName
  hasBudget: boolean
}

/** Whether a setting has an effect for this router. */
export function isUsed(
  setting: keyof RoutingSettings,
  { strategy, hasBudget }: Circumstances,
): boolean {
  const profile = strategyProfiles[strategy]
  if (setting === 'qualityTolerance')
    return profile.qualityTolerance !== null || profile.spendsAccount
  if (setting === 'limitEachPrompt') return profile.spendsAccount
  if (setting === 'weights') return profile.usesWeights
  if (setting === 'latencyPercentile') return profile.usesLatencyPercentile
  if (setting === 'explorationShare') return profile.explores
  if (setting === 'sticky' || setting === 'chooseEffort') return !profile.keepsListOrder
  if (setting === 'pacing') return hasBudget && !profile.keepsListOrder
  return true
}

export function toRoutingTexts(routing: RoutingSettings): RoutingTexts {
  const { weights } = routing
  return {
    ...routing,
    weights: {
      cost: String(weights?.cost ?? ''),
      latency: String(weights?.latency ?? ''),
      carbon: String(weights?.carbon ?? ''),
    },
    regions: routing.regions?.join(', ') ?? '',
    maxCostUsdPerRequest: String(routing.maxCostUsdPerRequest ?? ''),
    contentDays: String(routing.contentDays ?? ''),
    cascade: routing.cascade?.tiers ?? [],
    shadow: toShadowTexts(routing.shadow),
  }
}

/**
 * The settings to save. Text that is not a number becomes a value that the service refuses, with the error
 * beside its field; settings that have no effect for this router return to their default.
 */
export function readRouting(texts: RoutingTexts, circumstances: Circumstances): RoutingSettings {
  const typed: RoutingSettings = {
    ...texts,
    weights: readWeights(texts.weights),
    regions: readRegions(texts.regions),
    maxCostUsdPerRequest: readNumber(texts.maxCostUsdPerRequest),
    contentDays: readNumber(texts.contentDays),
    cascade: readCascade(texts.cascade),
    shadow: readShadow(texts.shadow),
  }
  const isHidden = ([name]: [string, unknown]) =>
    // The names are the schema's own.
    !isUsed(name as keyof RoutingSettings, circumstances)
  return { ...typed, ...Object.fromEntries(Object.entries(defaults).filter(isHidden)) }
}

const defaults = routingSettingsSchema.parse({})

/** How many of these settings differ from the default. */
export function countSet(
  routing: RoutingSettings,
  names: readonly (keyof RoutingSettings)[],
): number {
  const isSet = (name: keyof RoutingSettings) =>
    JSON.stringify(routing[name]) !== JSON.stringify(defaults[name])
  return names.filter(isSet).length
}

function readWeights(texts: WeightTexts): RoutingSettings['weights'] {
  if (weightNames.every((name) => texts[name].trim() === '')) return null
  return {
    cost: readNumber(texts.cost) ?? defaultWeights.cost,
    latency: readNumber(texts.latency) ?? defaultWeights.latency,
    carbon: readNumber(texts.carbon) ?? defaultWeights.carbon,
  }
}

function readRegions(text: string): string[] | null {
  const codes = text.toUpperCase().split(/[\s,;]+/)
  const named = codes.filter((code) => code !== '')
  return named.length === 0 ? null : named
}

/** A model not chosen yet is left out; the service says that it is required. */
function readCascade(tiers: readonly Tier[]): RoutingSettings['cascade'] {
  if (tiers.length === 0) return null
  const chosen = tiers.map((tier) => ({ ...tier, models: tier.models.filter((id) => id !== '') }))
  return { tiers: chosen }
}

function toShadowTexts(shadow: RoutingSettings['shadow']): ShadowTexts | null {
  if (shadow === null) return null
  const { share, maxUsdPerDay, judge } = shadow
  const sharePercent = String(Number((share * 100).toFixed(6)))
  return { sharePercent, maxUsdPerDay: String(maxUsdPerDay), judge }
}

/** The service rejects empty fields. */
function readShadow(texts: ShadowTexts | null): RoutingSettings['shadow'] {
  if (texts === null) return null
  const share = (readNumber(texts.sharePercent) ?? Number.NaN) / 100
  const maxUsdPerDay = readNumber(texts.maxUsdPerDay) ?? Number.NaN
  return { share, maxUsdPerDay, judge: texts.judge }
}
