/** A run as rows of bars: one row per step, with as many lanes as it had parallel requests. */
import type { StepTrace } from '../../../../shared/agents/agent.ts'
import type { ExecutionDetail } from '../../../../shared/agents/agent-window.ts'
import type { TestRun } from '../../stores/agent-runs.ts'
import type { StoredTexts } from './kept-texts.ts'

/** One model request. Times are ms from the start of the run. */
export interface Bar {
  id: string
  stepId: string
  startedMs: number
  /** Null while running. */
  tookMs: number | null
  model: string | null
  costUsd: number | null
  carbonGrams: number | null
  attempts: number | null
  error: string | null
  /** Null when not stored. */
  texts: StoredTexts | null
}

export interface Row {
  stepId: string
  type: StepTrace['type'] | null
  /** One per execution; a step in a map has one per item. Empty while running. */
  spans: readonly StepTrace[]
  lanes: readonly (readonly Bar[])[]
}

export function barsOfTest({ requests, answers }: TestRun): Bar[] {
  return requests.map(({ id, stepId, startedMs, system, user }) => {
    const answer = answers[id]
    return {
      id,
      stepId,
      startedMs,
      tookMs: answer?.tookMs ?? null,
      model: answer?.model ?? null,
      costUsd: answer?.costUsd ?? null,
      carbonGrams: answer?.carbonGrams ?? null,
      attempts: answer?.attempts ?? null,
      error: answer?.error ?? null,
      texts: { system, user, output: answer?.output ?? null },
    }
  })
}

export function barsOfExecution({ execution, requests }: ExecutionDetail): Bar[] {
  return requests.map((request) => ({
    id: request.id,
    stepId: request.stepId ?? '',
    startedMs: Math.max(0, request.startedAtMs - execution.startedAtMs),
    tookMs: request.latencyMs,
    model: request.modelUsed,
    costUsd: request.costNanoUsd / 1e9,
    carbonGrams: request.carbonGrams,
    attempts: request.attempts,
    error: request.errorCode,
    texts: null,
  }))
}

/** Sorted by the start of the steps. */
export function rowsOf(bars: readonly Bar[], spans: readonly StepTrace[]): Row[] {
  const began = new Map<string, number>()
  for (const { stepId, startedMs } of [...bars, ...spans]) {
    began.set(stepId, Math.min(began.get(stepId) ?? Infinity, startedMs))
  }
  const wholeOf = (id: string) => spans.filter(({ stepId }) => stepId === id)
  const isHolder = (id: string) => bars.every(({ stepId }) => stepId !== id)
  return [...began]
    .toSorted(([a, atA], [b, atB]) => atA - atB || Number(isHolder(b)) - Number(isHolder(a)))
    .map(([stepId]) => {
      const own = wholeOf(stepId)
      return {
        stepId,
        type: own[0]?.type ?? null,
        spans: own,
        lanes: lanesOf(bars.filter((bar) => bar.stepId === stepId)),
      }
    })
}

/** When the last one ended, in ms. Running ones last until now. */
export function lengthOf(bars: readonly Bar[], spans: readonly StepTrace[], nowMs: number): number {
  const ends = [...bars, ...spans].map(({ startedMs, tookMs }) =>
    tookMs === null ? nowMs : startedMs + tookMs,
  )
  return Math.max(1, ...ends)
}

/** Puts each bar into the first free lane. */
function lanesOf(bars: readonly Bar[]): Bar[][] {
  const lanes: Bar[][] = []
  for (const bar of bars.toSorted((a, b) => a.startedMs - b.startedMs)) {
    const free = lanes.find((lane) => {
      const last = lane.at(-1)
      return (
        last !== undefined && last.tookMs !== null && last.startedMs + last.tookMs <= bar.startedMs
      )
    })
    if (free) free.push(bar)
    else lanes.push([bar])
  }
  return lanes
}
