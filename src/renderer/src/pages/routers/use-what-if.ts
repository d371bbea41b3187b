import { useEffect, useMemo } from 'react'
import type { DraftReplayQuery } from '../../../../shared/replay.ts'
import { loadReplay, useReplays, type Replay, type ReplayPeriod } from '../../stores/replay.ts'
import { readRouting } from './routing-fields.ts'
import { circumstancesOf, type RouterTexts } from './router-texts.ts'

/** How long after the last change the requests are replayed. */
const debounceMs = 80

type Deciding = Pick<RouterTexts, 'strategy' | 'models' | 'routing' | 'limits'>

/** The settings of a draft that decide which model answers. */
export function draftOf(texts: Deciding): DraftReplayQuery['draft'] {
  const { strategy, models, routing } = texts
  return { strategy, models: [...models], routing: readRouting(routing, circumstancesOf(texts)) }
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
