/** Keeps the ledger and the contents of requests within the settings' limits: at the start, and then every hour. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../shared/app/settings.ts'
import type { RefusalStore } from '../storage/refusal-store.ts'
import type { ContentStore, Ledger, LedgerLimits } from '../storage/storage.ts'
import type { UnexpectedCallStore } from '../storage/unexpected-call-store.ts'

const everyMs = 3_600_000
/** The pause between two slices, which leaves the storage to requests. */
const pauseMs = 40
const dayMs = 86_400_000
const mib = 1024 * 1024

export type RetentionSettings = Pick<
  Settings,
  'keepRequestsDays' | 'keepMinutesDays' | 'keepHoursDays' | 'databaseLimitMib'
>

export interface RetentionOptions {
  ledger: Pick<Ledger, 'prune'>
  contents: Pick<ContentStore, 'prune'>
  refusals: Pick<RefusalStore, 'prune'>
  unexpectedCalls: Pick<UnexpectedCallStore, 'prune'>
  settings(): RetentionSettings
  now(): number
  onError(error: unknown): void
}

/** @returns stops it after the current slice */
export function startRetention(options: RetentionOptions): { close(): Promise<void> } {
  const closing = new AbortController()
  const untilDone = async (prune: () => Promise<boolean>) => {
    while (!(await prune())) await sleep(pauseMs, undefined, { signal: closing.signal, ref: false })
  }
  const run = async () => {
    const { ledger, contents, refusals, unexpectedCalls, settings, now } = options
    const limits = ledgerLimits(settings(), now())
    await untilDone(() => contents.prune(now()))
    await refusals.prune(limits, now())
    await unexpectedCalls.prune(limits.rowsBeforeMs)
    await untilDone(() => ledger.prune(ledgerLimits(settings(), now())))
  }
  let running = Promise.resolve()
  const start = () => {
    running = running.then(run).catch((error: unknown) => {
      if (!closing.signal.aborted) options.onError(error)
    })
  }
  start()
  const timer = setInterval(start, everyMs)
  timer.unref()
  return {
    close() {
      clearInterval(timer)
      closing.abort()
      return running
    },
  }
}

/** The current limits in whole days: never less than the settings promise. */
export function ledgerLimits(settings: RetentionSettings, nowMs: number): LedgerLimits {
  const daysAgo = (days: number) => {
    const atMs = nowMs - days * dayMs
    return atMs - (atMs % dayMs)
  }
  return {
    rowsBeforeMs: daysAgo(settings.keepRequestsDays),
    minutesBeforeMs: daysAgo(settings.keepMinutesDays),
    hoursBeforeMs: daysAgo(settings.keepHoursDays),
    maxBytes: settings.databaseLimitMib * mib,
    keptSinceMs: daysAgo(1),
  }
}
