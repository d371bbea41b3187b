import { useEffect, useMemo, useState } from 'react'
import type { DraftReplayQuery } from '../../../../shared/routers/replay.ts'
import type { StrategyName } from '../../../../shared/routers/strategy-names.ts'
import { draftOverlay, type DraftOverlay } from '../../charts/draft-overlay.ts'
import { loadReplay, useReplays, type Replay, type ReplayPeriod } from '../../stores/replay.ts'
import { compareStrategies, useStrategyComparisons } from '../../stores/strategy-comparison.ts'
import { readRouterTexts, type RouterTexts } from './router-texts.ts'
import { changeNote } from './what-if-words.ts'

/** How long after the last change the requests are replayed. */
const debounceMs = 80
/** Seven replays are no hurry: the one of the draft comes first. */
const calmMs = 400
/** How many requests the cards compare. */
const newest = 200

/** The settings of a draft that decide which model answers. */
export function draftOf(texts: RouterTexts): DraftReplayQuery['draft'] {
  const { strategy, models, routing } = readRouterTexts(texts)
  return { strategy, models, routing }
}

/** The same object as long as it says the same. */
function useDraft(texts: RouterTexts): DraftReplayQuery['draft'] {
  const next = draftOf(texts)
  const [draft, setDraft] = useState(next)
  if (JSON.stringify(draft) === JSON.stringify(next)) return draft
  setDraft(next)
  return next
}

/**
 * What the charts show of a draft: nothing when it chooses models as the saved settings do, or while the last replay is
 * of another draft.
 */
export function shownDraft(
  replay: Replay | undefined,
  texts: RouterTexts,
  saved: RouterTexts,
): DraftOverlay | null {
  const draft = JSON.stringify(draftOf(texts))
  const isCurrent = JSON.stringify(replay?.question?.draft) === draft
  if (!replay?.report || !isCurrent || choiceOf(texts) === choiceOf(saved)) return null
  return draftOverlay(replay.report)
}

/** Settings that do not change which model a router chooses first. */
const withoutEffect: ReadonlySet<string> = new Set([
  'contentDays',
  'fallback',
  'shadow',
  'shadowSteps',
])

function choiceOf(texts: RouterTexts): string {
  return JSON.stringify(draftOf(texts), (key, value: unknown) =>
    withoutEffect.has(key) ? undefined : value,
  )
}

/** Replays past requests under the draft whenever it changes. @param saved  compared with it; null: with the ledger */
export function useWhatIf(
  routerId: string,
  { texts, saved }: { texts: RouterTexts; saved: RouterTexts | null },
  period: ReplayPeriod,
): Replay | undefined {
  const draft = useDraft(texts)
  const base = useDraft(saved ?? texts)
  const isCompared = saved !== null
  const question = useMemo(
    () => ({ draft, saved: isCompared ? base : null, period }),
    [draft, base, isCompared, period],
  )
  useEffect(() => {
    const timer = setTimeout(() => void loadReplay(routerId, question), debounceMs)
    return () => clearTimeout(timer)
  }, [routerId, question])
  return useReplays((replays) => replays[routerId])
}

/** The effect of every strategy against the saved one, both estimated, in words for its card. */
export function useStrategyNotes(
  routerId: string,
  texts: RouterTexts,
  saved: StrategyName,
): Partial<Record<StrategyName, string>> {
  const draft = useDraft(texts)
  useEffect(() => {
    const timer = setTimeout(() => void compareStrategies(routerId, draft, newest), calmMs)
    return () => clearTimeout(timer)
  }, [routerId, draft])
  const comparison = useStrategyComparisons((comparisons) => comparisons[routerId])
  return useMemo(() => {
    const reports = comparison?.reports ?? {}
    const base = reports[saved]
    if (base === undefined) return {}
    return Object.fromEntries(
      Object.entries(reports).map(([name, report]) => [name, changeNote(report, base)]),
    )
  }, [comparison, saved])
}
