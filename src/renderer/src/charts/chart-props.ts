import type { UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import type { DraftOverlay } from './draft-overlay.ts'
import type { BaseFilter } from './chart-text.ts'

/** `small` is for side panels. */
export type ChartSize = 'normal' | 'small'

export interface ChartProps {
  /** Report grouped by model. */
  report: UsageReport
  range: UsageRange
  /** The filter of the report, for links to its requests. It should stay the same object. */
  filter?: BaseFilter
  size?: ChartSize
  /** An estimate for unsaved settings, drawn dashed. It should stay the same object. */
  draft?: DraftOverlay | null
}

export const noFilter: BaseFilter = {}

/** Height of a plot in pixels. */
export function heightOf(size: ChartSize | undefined): number {
  return size === 'small' ? 160 : 208
}
