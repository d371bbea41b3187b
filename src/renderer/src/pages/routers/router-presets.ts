/** What a new router begins with. */
import type { Model, RouterInput } from '../../../../shared/entities.ts'
import type { StrategyName } from '../../../../shared/routers/strategy-names.ts'
import { suggestModels } from '../models/add/suggest-models.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface RouterPreset {
  id: string
  name: string
  strategy: StrategyName
  /** One sentence. */
  purpose: string
}

export const routerPresets: readonly RouterPreset[] = [
  {
    id: 'balanced',
    name: t('Balanced'),
    strategy: 'balanced',
    purpose: t('Good answers at a fair price and speed.'),
  },
  {
    id: 'cheapest',
    name: t('Cheapest'),
    strategy: 'cost_optimized',
    purpose: t('The lowest cost with nearly the best answers.'),
  },
  {
    id: 'fastest',
    name: t('Fastest'),
    strategy: 'latency_optimized',
    purpose: t('The shortest wait with good answers.'),
  },
  {
    id: 'greenest',
    name: t('Greenest'),
    strategy: 'carbon_optimized',
    purpose: t('The lowest emissions with nearly the best answers.'),
  },
]

interface Start {
  preset?: string | undefined
  /** Separated by commas. */
  models?: string | undefined
}

/** The settings of a new router: of a preset, with the named models or, for a preset, a choice of them. */
export function startOfNewRouter(
  { preset: id, models: named }: Start,
  available: readonly Model[],
): RouterInput {
  const preset = routerPresets.find((one) => one.id === id)
  const models = named === undefined ? (preset ? suggestModels(available) : []) : named.split(',')
  return {
    name: preset?.name ?? '',
    strategy: preset?.strategy ?? 'cost_optimized',
    models: models.filter((model) => model !== ''),
    tier: 'pro',
  }
}
