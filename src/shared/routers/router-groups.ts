import type { FieldPath } from './router-fields.ts'
import { t } from '../strings/strings.ts'

/** Settings that belong together. Unsetting `unsetBy` unsets them all. */
export const routerGroups = {
  'routing.weights': { label: t('Weights'), unsetBy: 'routing.weights.cost' },
  'routing.shadow': { label: t('Shadow samples'), unsetBy: 'routing.shadow.share' },
  'routing.shadowSteps': { label: t('Shadow steps'), unsetBy: 'routing.shadowSteps.share' },
  timeLimits: { label: t('Timeouts'), unsetBy: null },
  hedge: { label: t('Hedging'), unsetBy: 'hedge.afterMs' },
} as const satisfies Record<string, { label: string; unsetBy: FieldPath | null }>
export type RouterGroup = keyof typeof routerGroups
