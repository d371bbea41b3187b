/** Runs and their figures in words. */
import { formatQuality } from '../../../../shared/models/quality-words.ts'
import { formatUsd } from '../../../../shared/strings/format.ts'
import type {
  GradedGroup,
  TuningModelResult,
  TuningRun,
  TuningState,
} from '../../../../shared/tuning/tuning-run.ts'
import type { Tone } from '../../components/badge.tsx'
import { formatAbout } from '../../decision/estimates.ts'
import { t } from '../../../../shared/strings/strings.ts'

const sources: Readonly<Record<TuningRun['from'], string>> = {
  starter: t('Starter set'),
  file: t('File of prompts'),
  requests: t('Stored requests'),
  conversations: t('My conversations'),
  shadow: t('Shadow samples'),
}

export function sourceText({ from, fileName }: Pick<TuningRun, 'from' | 'fileName'>): string {
  return fileName ?? sources[from]
}

/** Which routers learn from a run; nothing when all do. */
export function appliesText({
  appliesTo,
  routerName,
}: Pick<TuningRun, 'appliesTo' | 'routerName'>): string[] {
  if (appliesTo === 'all') return []
  return [
    appliesTo === 'none'
      ? t('applies to no router')
      : t('applies to {routerName} only', { routerName }),
  ]
}

const states: Readonly<Record<TuningState, { text: string; tone: Tone }>> = {
  sampling: { text: t('Sampling'), tone: 'ok' },
  running: { text: t('Running'), tone: 'neutral' },
  stopping: { text: t('Stopping…'), tone: 'neutral' },
  stopped: { text: t('Stopped'), tone: 'warn' },
  interrupted: { text: t('Interrupted'), tone: 'warn' },
  done: { text: t('Done'), tone: 'ok' },
}

export function stateOf({
  from,
  state,
  stoppedBy,
}: Pick<TuningRun, 'from' | 'state' | 'stoppedBy'>): { text: string; tone: Tone } {
  if (from === 'shadow' && state === 'done') return { text: t('Off'), tone: 'neutral' }
  if (state === 'done' && stoppedBy === 'cap') return { text: t('Cap reached'), tone: 'warn' }
  if (state !== 'stopped') return states[state]
  switch (stoppedBy) {
    case 'router_budget':
      return { text: t('Budget used up'), tone: 'warn' }
    case 'no_model_answers':
      return { text: t('No answers'), tone: 'bad' }
    case 'error':
      return { text: t('Failed'), tone: 'bad' }
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
  return from === 'shadow'
    ? t('Shadow samples of {routerName}', { routerName })
    : t('Tune {routerName}', { routerName })
}

/** `24 prompts` */
export function promptsText({ from, prompts }: Pick<TuningRun, 'from' | 'prompts'>): string {
  if (from !== 'shadow') return t('{total} prompts', { total: prompts.total })
  return t('{count, plural, one {1 request compared} other {# requests compared}}', {
    count: prompts.graded,
  })
}

/** `$0.21 of $1.20 spent · ≈ 2 min left`; of shadow samples, those of today. */
export function moneyAndTime(run: TuningRun): string {
  const { from, capUsd, spentUsd, leftMs, state } = run
  if (state === 'sampling')
    return t('{spentUsd} of {capUsd} spent today', {
      spentUsd: formatUsd(spentUsd),
      capUsd: formatUsd(capUsd),
    })
  if (from === 'shadow') return ''
  const money =
    capUsd === 0
      ? t('no cost')
      : t('{spentUsd} of {capUsd} spent', {
          spentUsd: formatUsd(spentUsd),
          capUsd: formatUsd(capUsd),
        })
  if (state !== 'running') return money
  const time =
    leftMs === null
      ? t('estimating time')
      : t('{duration} left', { duration: formatAbout('ms', leftMs) })
  return `${money} · ${time}`
}

export const gradeLabels = {
  1: t('Easy'),
  2: t('Medium'),
  3: t('Hard'),
  4: t('Very hard'),
} as const

/** `0.74–0.88` */
export function rangeText({ quality }: Pick<GradedGroup, 'quality'>): string {
  return quality === null ? '' : `${formatQuality(quality.low)}–${formatQuality(quality.high)}`
}

/** Whether any answer was graded above 0: without one, a run says nothing about quality. */
export function hasGrade(models: readonly Pick<TuningModelResult, 'all'>[]): boolean {
  return models.some(({ all }) => (all.quality?.mean ?? 0) > 0)
}
