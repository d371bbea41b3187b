import { create } from 'zustand'
import type { StrategyName } from '../../../shared/strategies.ts'
import type { ReplayReport } from '../../../shared/replay.ts'
import { call, toCallError, type CallError } from './client.ts'

const dayMs = 86_400_000

/** The parameters of a replay. */
export interface ReplayQuestion {
  strategy: StrategyName
  days: number
}

export type Replay = ReplayQuestion &
  (
    | { kind: 'loading' }
    | { kind: 'failed'; error: CallError }
    | { kind: 'known'; report: ReplayReport }
  )

/** The last replay by router id. */
export const useReplays = create<Record<string, Replay>>(() => ({}))

/** Replays the past requests of a router. Of two parallel calls, the later one wins. Never rejects. */
export async function loadReplay(routerId: string, question: ReplayQuestion): Promise<void> {
  const asked: Replay = { ...question, kind: 'loading' }
  useReplays.setState({ [routerId]: asked })
  const sinceMs = Date.now() - question.days * dayMs
  const answered = await call('usage:replay', {
    routerId,
    strategy: question.strategy,
    sinceMs,
  }).then(
    (report): Replay => ({ ...question, kind: 'known', report }),
    (error: unknown): Replay => ({ ...question, kind: 'failed', error: toCallError(error) }),
  )
  if (useReplays.getState()[routerId] === asked) useReplays.setState({ [routerId]: answered })
}
