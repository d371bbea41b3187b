import { create } from 'zustand'
import type { DraftReplayQuery, ReplayReport } from '../../../shared/routers/replay.ts'
import { strategyNames, type StrategyName } from '../../../shared/routers/strategy-names.ts'
import { call } from './client.ts'

type Draft = Omit<DraftReplayQuery['draft'], 'strategy'>

export interface StrategyComparison {
  /** What the reports belong to. */
  draft: Draft
  /** A strategy whose replay failed has no report. */
  reports: Partial<Record<StrategyName, ReplayReport>>
}

/** The last comparison by router id. */
export const useStrategyComparisons = create<Record<string, StrategyComparison>>(() => ({}))

/** The calls under way: an older answer must not replace a newer one. */
const latest = new Map<string, Draft>()

/** Replays the newest requests of a router under every strategy, one after another. Never rejects. */
export async function compareStrategies(
  routerId: string,
  draft: Draft,
  newest: number,
): Promise<void> {
  latest.set(routerId, draft)
  const reports: StrategyComparison['reports'] = {}
  for (const strategy of strategyNames) {
    const query = { routerId, draft: { ...draft, strategy }, limit: newest }
    const report = await call('usage:replay', query).catch(() => null)
    if (latest.get(routerId) !== draft) return
    if (report) reports[strategy] = report
  }
  useStrategyComparisons.setState({ [routerId]: { draft, reports } })
}
