import { useEffect, useMemo } from 'react'
import type { DraftReplayQuery } from '../../../../shared/routers/replay.ts'
import type { StrategyName } from '../../../../shared/routers/strategies.ts'
import { draftOverlay, type DraftOverlay } from '../../charts/draft-overlay.ts'
import { loadReplay, useReplays, type Replay, type ReplayPeriod } from '../../stores/replay.ts'
import { compareStrategies, useStrategyComparisons } from '../../stores/strategy-comparison.ts'
import { readRouting } from './routing-fields.ts'
import { circumstancesOf, type RouterTexts } from './router-texts.ts'
import { changeNote } from './what-if-words.ts'

/** How long after the last change the requests are replayed. */
const debounceMs = 80
/** Seven replays are no hurry: the one of the draft comes first. */
const calmMs = 400
/** How many requests the cards compare. */
const newest = 200

type Deciding = Pick<RouterTexts, 'strategy' | 'models' | 'routing' | 'limits'>

/** The settings of a draft that decide which model answers. */
export function draftOf(texts: Deciding): DraftReplayQuery['draft'] {
  const { strategy, models, routing } = texts
  return { strategy, models: [...models], routing: readRouting(routing, circumstancesOf(texts)) }
}

/**
 * What the charts show of a draft: nothing when it chooses models as the saved settings do, or while the last replay is
 * of another draft.
 */
export function shownDraft(
  replay: Replay | undefined,
  texts: Deciding,
  saved: Deciding,
): DraftOverlay | null {
  const draft = JSON.stringify(draftOf(texts))
  const isCurrent = JSON.stringify(replay?.question?.draft) === draft
  if (!replay?.report || !isCurrent || choiceOf(texts) === choiceOf(saved)) return null
  return draftOverlay(replay.report)
}

/** Settings that do not change which model a router chooses first. */
const withoutEffect: ReadonlySet<string> = new Set(['contentDays', 'fallback', 'shadow'])

function choiceOf(texts: Deciding): string {
  return JSON.stringify(draftOf(texts), (key, value: unknown) =>
    withoutEffect.has(key) ? undefined : value,
  )
}

/** Replays past requests under the draft whenever it changes. */
export function useWhatIf(
  routerId: string,
  { strategy, models, routing, limits }: Deciding,
  period: ReplayPeriod,
): Replay | undefined {
  const question = useMemo(
    () => ({ draft: draftOf({ strategy, models, routing, limits }), period }),
    [strategy, models, routing, limits, period],
  )
  useEffect(() => {
    const timer = setTimeout(() => void loadReplay(routerId, question), debounceMs)
    return () => clearTimeout(timer)
  }, [routerId, question])
  return useReplays((replays) => replays[routerId])
}

/** The same for every strategy, in words for its card. */
export function useStrategyNotes(
  routerId: string,
  { strategy, models, routing, limits }: Deciding,
): Partial<Record<StrategyName, string>> {
  const draft = useMemo(
    () => draftOf({ strategy, models, routing, limits }),
    [strategy, models, routing, limits],
  )
  useEffect(() => {
    const timer = setTimeout(() => void compareStrategies(routerId, draft, newest), calmMs)
    return () => clearTimeout(timer)
  }, [routerId, draft])
  const comparison = useStrategyComparisons((comparisons) => comparisons[routerId])
  return useMemo(() => {
    const reports = Object.entries(comparison?.reports ?? {})
    return Object.fromEntries(reports.map(([name, report]) => [name, changeNote(report)]))
  }, [comparison])
}
