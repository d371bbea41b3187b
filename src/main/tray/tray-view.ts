/** Words and states of the tray. */
import type { AppState } from '../../shared/app/app-state.ts'
import { formatUsd } from '../../shared/strings/format.ts'
import type { TrayLook } from './tray-icon.ts'
import { t } from '../../shared/strings/strings.ts'

export interface TrayFacts extends Pick<AppState, 'endpoint' | 'isPaused' | 'secrets'> {
  providersInNeed: readonly string[]
  /** Null until it was read. */
  today: { costUsd: number; requests: number } | null
}

export interface TrayView {
  look: TrayLook
  /** `Serving at localhost:6778` */
  status: string
  /** Problem that needs the user; null when there is none. */
  need: string | null
  /** `Today: $0.42 · 31 requests` */
  today: string
  canPause: boolean
}

export function trayView(facts: TrayFacts): TrayView {
  const { endpoint, isPaused, today } = facts
  const need = needOf(facts)
  const isServing = endpoint.status === 'listening' && !isPaused
  const whileServing = need === null ? 'serving' : 'attention'
  return {
    look: isServing ? whileServing : 'stopped',
    status: statusOf(facts),
    need,
    today: todayText(today),
    canPause: endpoint.status === 'listening',
  }
}

function statusOf({ endpoint, isPaused }: TrayFacts): string {
  if (endpoint.status === 'starting') return t('Starting…')
  if (endpoint.status === 'failed')
    return t('Not running: {message}', { message: endpoint.message })
  return isPaused
    ? t('Serving is paused')
    : t('Serving at {address}', { address: endpoint.url.replace('https://', '') })
}

function needOf({ providersInNeed, secrets }: TrayFacts): string | null {
  if (secrets.state === 'locked' || secrets.state === 'hung')
    return t('Provider keys cannot be read')
  const [first, second] = providersInNeed
  if (first === undefined) return null
  return second === undefined
    ? t('{provider} needs attention', { provider: first })
    : t('{count, plural, one {# provider needs} other {# providers need}} attention', {
        count: providersInNeed.length,
      })
}

function todayText(today: TrayFacts['today']): string {
  if (today === null) return t('Today: {cost}', { cost: formatUsd(null) })
  return t('Today: {cost} · {count, plural, one {1 request} other {# requests}}', {
    cost: formatUsd(today.costUsd),
    count: today.requests,
  })
}

/** The start of the user's day, and of the next one. */
export function dayAround(nowMs: number): { fromMs: number; toMs: number } {
  const start = new Date(nowMs)
  start.setHours(0, 0, 0, 0)
  const next = new Date(start)
  next.setDate(next.getDate() + 1)
  return { fromMs: start.getTime(), toMs: next.getTime() }
}
