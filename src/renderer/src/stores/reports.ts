import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { create } from 'zustand'
import { usageReportQuerySchema, type UsageReport } from '../../../shared/requests/usage.ts'
import { wholeLedger } from '../usage/range.ts'
import { call, toCallError, type CallError } from './client.ts'

export type ReportQuery = z.input<typeof usageReportQuerySchema>

/** A report as far as it is loaded. An error keeps the last report. */
export interface ReportState {
  report: UsageReport | null
  error: CallError | null
}

/** Reports by their query, as JSON: those shown, and the last ones that were. */
export const useReports = create<Record<string, ReportState>>(() => ({}))

const unloaded: ReportState = { report: null, error: null }
/** Shown reports are loaded again at most this often, and so that none is wrong for a second. */
const reloadMs = 500

const viewers = new Map<string, number>()
/** The reports being loaded, and whether each was asked for again meanwhile. */
const loading = new Map<string, { isAskedAgain: boolean }>()
let reloading: ReturnType<typeof setTimeout> | undefined

/**
 * A report that stays up to date while it is shown. While another query loads, the report before it stays.
 * @param query  null: nothing is asked
 */
export function useReport(
  query: ReportQuery | null,
): ReportState & { isStale: boolean; reload: () => void } {
  const key = query && JSON.stringify(query)
  const state = useReports((reports) => (key === null ? unloaded : (reports[key] ?? unloaded)))
  const [last, setLast] = useState<UsageReport | null>(null)
  if (state.report && state.report !== last) setLast(state.report)
  useEffect(() => (key === null ? undefined : showReport(key)), [key])
  return {
    report: state.report ?? (key === null ? null : last),
    error: state.error,
    // Whether the report is that of the query before.
    isStale: state.report === null,
    reload: () => void (key !== null && loadReport(key)),
  }
}

/** Loads a report and keeps it up to date. @returns a function to call once it is no longer shown */
export function showReport(key: string): () => void {
  viewers.set(key, (viewers.get(key) ?? 0) + 1)
  if (viewers.get(key) === 1) void loadReport(key)
  return () => {
    const left = (viewers.get(key) ?? 0) - 1
    if (left > 0) return void viewers.set(key, left)
    viewers.delete(key)
    keepForNextTime(key)
  }
}

/** A page opens with the figures that it showed last, while they are read again. */
const mostKept = 20

function keepForNextTime(key: string): void {
  const { [key]: last, ...others } = useReports.getState()
  const reports = Object.entries(last?.error === null ? { ...others, [key]: last } : others)
  const hidden = reports.flatMap(([each]) => (viewers.has(each) ? [] : each))
  const dropped = new Set(hidden.slice(0, -mostKept))
  useReports.setState(Object.fromEntries(reports.filter(([each]) => !dropped.has(each))), true)
}

/** Loads the shown reports again, once for all requests of half a second, and not while the window is hidden. */
export function noteRequestForReports(): void {
  reloading ??= setTimeout(() => {
    reloading = undefined
    if (!document.hidden) reloadReports()
  }, reloadMs)
}

/** Reloads the reports, also when the window appears again. */
export function reloadReports(): void {
  for (const key of viewers.keys()) void loadReport(key)
}

/** Loads a report once at a time: one that is asked for while it loads is loaded again afterwards. */
async function loadReport(key: string): Promise<void> {
  const current = loading.get(key)
  if (current) return void (current.isAskedAgain = true)
  const load = { isAskedAgain: false }
  loading.set(key, load)
  try {
    await loadOnce(key)
  } finally {
    loading.delete(key)
  }
  if (load.isAskedAgain && viewers.has(key)) await loadReport(key)
}

async function loadOnce(key: string): Promise<void> {
  const state = await readReport(key).catch((error: unknown) => ({
    report: useReports.getState()[key]?.report ?? null,
    error: toCallError(error),
  }))
  if (viewers.has(key)) useReports.setState({ [key]: state })
}

async function readReport(key: string): Promise<ReportState> {
  const read = usageReportQuerySchema.safeParse(JSON.parse(key))
  if (!read.success) throw new Error(read.error.issues[0]?.message)
  const query = read.data
  return { report: await call('usage:report', query), error: null }
}

const hourMs = 3_600_000

/** While the ledger is empty, or could not be read. */
const findAgainMs = 30_000

const useFirstRequest = create<{ atMs: number | null }>(() => ({ atMs: null }))

/** The day of the first request in the ledger; null until it is known. @param isWanted  asks only then */
export function useFirstRequestMs(isWanted: boolean): number | null {
  const { atMs } = useFirstRequest()
  useEffect(() => {
    if (!isWanted || atMs !== null) return
    void findFirstRequest()
    const timer = setInterval(() => void findFirstRequest(), findAgainMs)
    return () => clearInterval(timer)
  }, [isWanted, atMs])
  return atMs
}

/** First by periods of four weeks, because a report has at most 2,000 points, then by the hour. */
async function findFirstRequest(): Promise<void> {
  try {
    const coarse = { ...wholeLedger, toMs: Date.now() }
    const period = (await call('usage:report', coarse)).points[0]?.startMs
    if (period === undefined) return
    const fine = { fromMs: period, toMs: period + coarse.bucketMs, bucketMs: hourMs }
    const first = (await call('usage:report', fine)).points[0]?.startMs
    useFirstRequest.setState({ atMs: first ?? period })
  } catch {
    // The page's own report fails in the same way, and shows it.
  }
}
