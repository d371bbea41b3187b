/** A router's settings as its form holds them, in parts. */
import type { Router, RouterInput, Tier } from '../../../../shared/entities.ts'
import { routingSettingsSchema } from '../../../../shared/routers/routing-settings.ts'
import type { StrategyName } from '../../../../shared/routers/strategies.ts'
import { readNumber } from '../../components/read-number.ts'
import { hedgeTexts, readHedge, type HedgeTexts } from './hedge-fields.ts'
import { readLimits, toLimitTexts, type LimitTexts } from './limit-texts.ts'
import {
  readRouting,
  toRoutingTexts,
  type Circumstances,
  type RoutingTexts,
} from './routing-fields.ts'
import { readTimeLimits, timeLimitTexts, type TimeLimitTexts } from './time-limit-fields.ts'

export interface RouterTexts {
  name: string
  strategy: StrategyName
  /** Most preferred first. */
  models: readonly string[]
  tier: Tier
  dailyLimit: string
  cacheTtlSeconds: string
  timeLimits: TimeLimitTexts
  hedge: HedgeTexts
  limits: LimitTexts
  routing: RoutingTexts
}

export function toRouterTexts(router: RouterInput): RouterTexts {
  return {
    name: router.name,
    strategy: router.strategy,
    models: router.models,
    tier: router.tier ?? 'pro',
    dailyLimit: String(router.dailyLimit ?? ''),
    cacheTtlSeconds: String(router.cacheTtlSeconds ?? ''),
    timeLimits: timeLimitTexts(router.timeLimits ?? {}),
    hedge: hedgeTexts(router.hedge),
    limits: toLimitTexts(router),
    routing: toRoutingTexts(routingSettingsSchema.parse(router.routing)),
  }
}

/** The settings to save. Invalid text becomes a value that the service refuses, with the error beside its field. */
export function readRouterTexts(texts: RouterTexts): RouterInput {
  const { name, strategy, models, tier } = texts
  return {
    name,
    strategy,
    models: [...models],
    tier,
    dailyLimit: tier === 'enterprise' ? readNumber(texts.dailyLimit) : null,
    cacheTtlSeconds: readNumber(texts.cacheTtlSeconds),
    timeLimits: readTimeLimits(texts.timeLimits),
    hedge: readHedge(texts.hedge),
    routing: readRouting(texts.routing, circumstancesOf(texts)),
    ...readLimits(texts.limits),
  }
}

/** A saved router as an input that restores it. */
export function toRouterInput(router: Router): RouterInput {
  const { id: _id, createdAtMs: _createdAtMs, updatedAtMs: _updatedAtMs, ...input } = router
  return input
}

export function circumstancesOf({
  strategy,
  limits,
}: Pick<RouterTexts, 'strategy' | 'limits'>): Circumstances {
  const { budgetUsdPerDay, budgetUsdPerMonth } = limits
  return { strategy, hasBudget: `${budgetUsdPerDay}${budgetUsdPerMonth}`.trim() !== '' }
}

export const routerParts = ['models', 'strategy', 'limits', 'reliability', 'privacy'] as const
export type RouterPart = (typeof routerParts)[number]

const routingParts: Record<keyof RoutingTexts, RouterPart> = {
  qualityTolerance: 'strategy',
  limitEachPrompt: 'strategy',
  weights: 'strategy',
  latencyPercentile: 'strategy',
  explorationShare: 'strategy',
  sticky: 'strategy',
  chooseEffort: 'strategy',
  cascade: 'strategy',
  shadow: 'strategy',
  requires: 'models',
  maxCostUsdPerRequest: 'limits',
  pacing: 'limits',
  fallback: 'reliability',
  providers: 'privacy',
  regions: 'privacy',
  localOnly: 'privacy',
  contentDays: 'privacy',
}

const fieldParts: Record<Exclude<keyof RouterTexts, 'routing'>, RouterPart> = {
  name: 'models',
  models: 'models',
  strategy: 'strategy',
  tier: 'limits',
  dailyLimit: 'limits',
  limits: 'limits',
  cacheTtlSeconds: 'reliability',
  timeLimits: 'reliability',
  hedge: 'reliability',
}

const limitFields: readonly string[] = ['requestsPerMinute', 'budgetUsdPerDay', 'budgetUsdPerMonth']

/** The part with the field of an error; null for other errors. */
export function partOfField(field: string | null): RouterPart | null {
  const [name = '', inner = ''] = field?.replace(/^router\./, '').split('.') ?? []
  if (limitFields.includes(name)) return 'limits'
  if (name === 'routing') return new Map(Object.entries(routingParts)).get(inner) ?? null
  return new Map(Object.entries(fieldParts)).get(name) ?? null
}

/** The parts in which two drafts differ. The name is no part: it is changed on its own. */
export function changedParts(texts: RouterTexts, saved: RouterTexts): RouterPart[] {
  const { routing, ...fields } = texts
  const { routing: savedRouting, ...savedFields } = saved
  const changed = new Set([
    ...changedOf({ ...fields, name: saved.name }, savedFields, fieldParts),
    ...changedOf(routing, savedRouting, routingParts),
  ])
  return routerParts.filter((part) => changed.has(part))
}

function changedOf<Fields extends object>(
  fields: Fields,
  saved: Fields,
  parts: Record<keyof Fields, RouterPart>,
): RouterPart[] {
  // `Object.keys` gives `string[]`; the table has exactly these names.
  const names = Object.keys(parts) as (keyof Fields)[]
  return names
    .filter((name) => JSON.stringify(fields[name]) !== JSON.stringify(saved[name]))
    .map((name) => parts[name])
}
