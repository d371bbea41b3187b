/** Runs and their figures in words. */
import type { Domain } from '../../../../shared/domains.ts'
import { formatUsd } from '../../../../shared/format.ts'
import type { GradedGroup, TuningRun, TuningState } from '../../../../shared/tuning-run.ts'
import type { Tone } from '../../components/badge.tsx'
import { formatAbout } from '../../decision/estimates.ts'

const sources: Readonly<Record<TuningRun['from'], string>> = {
  starter: 'Starter set',
  file: 'File',
  requests: 'Stored requests',
  conversations: 'My conversations',
  shadow: 'Shadow samples',
}

export function sourceText({ from, fileName }: Pick<TuningRun, 'from' | 'fileName'>): string {
  return fileName ?? sources[from]
}

const states: Readonly<Record<TuningState, { text: string; tone: Tone }>> = {
  sampling: { text: 'Sampling', tone: 'ok' },
  running: { text: 'Running', tone: 'neutral' },
  stopping: { text: 'Stopping…', tone: 'neutral' },
  stopped: { text: 'Stopped', tone: 'warn' },
  interrupted: { text: 'Interrupted', tone: 'warn' },
  done: { text: 'Done', tone: 'ok' },
}

export function stateOf({
  from,
  state,
  stoppedBy,
}: Pick<TuningRun, 'from' | 'state' | 'stoppedBy'>): { text: string; tone: Tone } {
  if (from === 'shadow' && state === 'done') return { text: 'Off', tone: 'neutral' }
  if (state === 'done' && stoppedBy === 'cap') return { text: 'Cap reached', tone: 'warn' }
  if (state !== 'stopped') return states[state]
  switch (stoppedBy) {
    case 'router_budget':
      return { text: 'Budget used up', tone: 'warn' }
    case 'no_model_answers':
      return { text: 'No answers', tone: 'bad' }
    case 'error':
      return { text: 'Failed', tone: 'bad' }
    default:
      return states.stopped
  }
}

/** Whether the run sends requests now, or ends those under way. */
export function isUnderWay({ state }: Pick<TuningRun, 'state'>): boolean {
  return state === 'running' || state === 'stopping'
}

export function canResume(run: Pick<TuningRun, 'from' | 'state' | 'stoppedBy'>): boolean {
  if (run.from === 'shadow') return false
  return !isUnderWay(run) && (run.state !== 'done' || run.stoppedBy === 'cap')
}

export function endedPrompts({ prompts: { graded, ungraded } }: Pick<TuningRun, 'prompts'>) {
  return graded + ungraded
}

export function titleOf({ from, routerName }: Pick<TuningRun, 'from' | 'routerName'>): string {
  return from === 'shadow' ? `Shadow samples of ${routerName}` : `Tune ${routerName}`
}

/** `24 prompts` */
export function promptsText({ from, prompts }: Pick<TuningRun, 'from' | 'prompts'>): string {
  if (from !== 'shadow') return `${prompts.total} prompts`
  return prompts.graded === 1 ? '1 request compared' : `${prompts.graded} requests compared`
}

/** `$0.21 of $1.20 spent · ≈ 2 min left`; of shadow samples, those of today. */
export function moneyAndTime(run: TuningRun): string {
  const { from, capUsd, spentUsd, leftMs, state } = run
  if (state === 'sampling') return `${formatUsd(spentUsd)} of ${formatUsd(capUsd)} spent today`
  if (from === 'shadow') return ''
  const money = capUsd === 0 ? 'no cost' : `${formatUsd(spentUsd)} of ${formatUsd(capUsd)} spent`
  if (state !== 'running') return money
  return `${money} · ${leftMs === null ? 'estimating time' : `${formatAbout('ms', leftMs)} left`}`
}

export const domainLabels: Readonly<Record<Domain, string>> = {
  chat_writing: 'Writing',
  code: 'Code',
  maths_quant: 'Maths',
  science_medical: 'Science',
  law_business: 'Law',
  humanities_social: 'Humanities',
  extraction_transform: 'Extraction',
  other: 'Other',
}

export const gradeLabels = { 1: 'Easy', 2: 'Medium', 3: 'Hard', 4: 'Very hard' } as const

/** `0.74–0.88` */
export function rangeText({ quality }: Pick<GradedGroup, 'quality'>): string {
  return quality === null ? '' : `${quality.low.toFixed(2)}–${quality.high.toFixed(2)}`
}
