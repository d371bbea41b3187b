import { create } from 'zustand'
import type { DraftReplayQuery, ReplayReport } from '../../../shared/routers/replay.ts'
import { call, toCallError, type CallError } from './client.ts'

const dayMs = 86_400_000

/** The requests that are replayed: the newest ones, or those of some days. */
export type ReplayPeriod = { newest: number } | { days: number }

/** The parameters of a replay. */
export interface ReplayQuestion {
  draft: DraftReplayQuery['draft']
  /** The settings to compare the draft with, estimate against estimate; null: with the recorded figures. */
  saved: DraftReplayQuery['draft'] | null
  period: ReplayPeriod
}

/** The last replay of a router. While the next one runs, it keeps its report. */
export interface Replay {
  /** What `report` and `error` belong to; null before the first answer. */
  question: ReplayQuestion | null
  report: ReplayReport | null
  /** Replay of the saved settings; null when the question has none. */
  base: ReplayReport | null
  error: CallError | null
  isLoading: boolean
}

/** Replays by router id. */
export const useReplays = create<Record<string, Replay>>(() => ({}))

const nothing: Replay = {
  question: null,
  report: null,
  base: null,
  error: null,
  isLoading: false,
}

/** The calls under way, by router id: an older answer must not replace a newer one. */
const latest = new Map<string, ReplayQuestion>()

/** Replays past requests of a router. Of two parallel calls, the later one wins. Never rejects. */
export async function loadReplay(routerId: string, question: ReplayQuestion): Promise<void> {
  latest.set(routerId, question)
  const before = useReplays.getState()[routerId] ?? nothing
  useReplays.setState({ [routerId]: { ...before, isLoading: true } })
  const { draft, saved, period } = question
  const rows = 'newest' in period ? { limit: period.newest } : { sinceMs: sinceOf(period) }
  const replay = (settings: typeof draft) =>
    call('usage:replay', { routerId, draft: settings, ...rows })
  const answered = await Promise.all([replay(draft), saved && replay(saved)]).then(
    ([report, base]): Replay => ({ ...nothing, question, report, base }),
    (error: unknown): Replay => ({ ...nothing, question, error: toCallError(error) }),
  )
  if (latest.get(routerId) === question) useReplays.setState({ [routerId]: answered })
}

function sinceOf({ days }: { days: number }): number {
  return Date.now() - days * dayMs
}
