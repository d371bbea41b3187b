/** What the tray shows, in words. */
import type { AppState } from '../../shared/app-state.ts'
import { formatCount, formatUsd } from '../../shared/format.ts'
import type { TrayLook } from './tray-icon.ts'

export interface TrayFacts extends Pick<AppState, 'endpoint' | 'isPaused' | 'secrets'> {
  providersInNeed: readonly string[]
  /** Null until it was read. */
  today: { costUsd: number; requests: number } | null
}

export interface TrayView {
  look: TrayLook
  /** `Serving at localhost:6778` */
  status: string
  /** What needs the user; null when nothing does. */
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
  const requests =
    today && (today.requests === 1 ? '1 request' : `${formatCount(today.requests)} requests`)
  return {
    look: isServing ? whileServing : 'stopped',
    status: statusOf(facts),
    need,
    today: `Today: ${formatUsd(today && today.costUsd)}${requests === null ? '' : ` · ${requests}`}`,
    canPause: endpoint.status === 'listening',
  }
}

function statusOf({ endpoint, isPaused }: TrayFacts): string {
  if (endpoint.status === 'starting') return 'Starting…'
  if (endpoint.status === 'failed') return `Not running: ${endpoint.message}`
  return isPaused ? 'Serving is paused' : `Serving at ${endpoint.url.replace('https://', '')}`
}

function needOf({ providersInNeed, secrets }: TrayFacts): string | null {
  if (secrets.state === 'locked' || secrets.state === 'hung') return 'Provider keys cannot be read'
  const [first, second] = providersInNeed
  if (first === undefined) return null
  return second === undefined
    ? `${first} needs attention`
    : `${providersInNeed.length} providers need attention`
}

/** The start of the user's day, and of the next one. */
export function dayAround(nowMs: number): { fromMs: number; toMs: number } {
  const start = new Date(nowMs)
  start.setHours(0, 0, 0, 0)
  const next = new Date(start)
  next.setDate(next.getDate() + 1)
  return { fromMs: start.getTime(), toMs: next.getTime() }
}
