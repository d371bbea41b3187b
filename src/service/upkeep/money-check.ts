/**
 * Compares money every hour: rows with totals, answered requests with rows, budgets with rows. The hours since the last
 * check come first, then a day of the older ones, so that all of them are compared again within weeks. A difference
 * becomes a finding with its requests; one that is gone is removed.
 */
import { z } from 'zod'
import {
  moneyEvidenceSchema,
  moneyFindingId,
  type MoneyEvidence,
} from '../../shared/requests/finding.ts'
import type { FindingStore } from '../storage/finding-store.ts'
import type { MoneyDifference } from '../storage/money-check.ts'
import type { Storage } from '../storage/storage.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Late enough that the start and the first requests do not compete for the disk. */
const firstMs = 2 * 60_000
/** Hours since the last check; those of a longer pause are left to the older ones. */
const mostNewHours = 48
/** About a second of reading, in a thread or on a connection of its own. */
const mostRows = 250_000
/** Differences that one check reports. */
const mostFindings = 50
const documentName = 'money-check'

const progressSchema = z.strictObject({
  /** Until when rows and totals were compared once. */
  newToMs: z.int(),
  /** The older hours before this one come next. */
  oldToMs: z.int(),
})
type Progress = z.output<typeof progressSchema>

interface MoneyCheckOptions {
  storage: Pick<Storage, 'maintenance' | 'budgets' | 'health'> & {
    findings: FindingStore
  }
  /** Answered requests that must have a row; each is returned once. */
  takeAnswered(): readonly string[]
  now(): number
  /** Called for a finding that is new. */
  onFinding(evidence: MoneyEvidence): void
  /** Called when findings appeared or are gone. */
  onChange(): void
  onError(error: unknown): void
}

export function startMoneyCheck(options: MoneyCheckOptions): { close(): Promise<void> } {
  let running = Promise.resolve()
  const run = () => {
    running = running.then(() => checkMoney(options)).catch(options.onError)
  }
  const first = setTimeout(run, firstMs).unref()
  const next = setInterval(run, hourMs).unref()
  return {
    close() {
      clearTimeout(first)
      clearInterval(next)
      return running
    },
  }
}

/** One check. While rows wait to be stored, they would seem to be missing, so the check waits for the next hour. */
export async function checkMoney(options: MoneyCheckOptions): Promise<void> {
  const { storage, now } = options
  if (storage.health.outage() !== null) return
  const nowMs = now()
  const progress = await readProgress(storage.findings, nowMs)
  const newHours = hoursOf(Math.max(progress.newToMs, nowMs - mostNewHours * hourMs), nowMs)
  const oldHours = olderHours(progress, nowMs)
  const known = await openTotals(storage.findings)
  const hours = [...new Set([...newHours, ...known.hours, ...oldHours])]
  const days = [...new Set([...hours.map(dayOf), ...known.days])]
  const answeredIds = options.takeAnswered()
  const check = await storage.maintenance.checkMoney({ hours, days, mostRows, answeredIds })
  const budgets = await budgetDifferences(storage, nowMs)
  const compared = new Set([
    ...hours.slice(0, check.hours).flatMap((fromMs) => totalsIds(fromMs, [60_000, hourMs])),
    ...days.flatMap((fromMs) => totalsIds(fromMs, [dayMs])),
  ])
  await report(options, [...check.differences, ...budgets], compared)
  const comparedOld = oldHours.filter((hour) => hours.indexOf(hour) < check.hours)
  const oldToMs = comparedOld.at(-1) ?? progress.oldToMs
  await saveProgress(storage.findings, { newToMs: nowMs, oldToMs })
}

const recentHours = 24

/** Differences of the last day as they are stored now, without a service. Nothing is reported. */
export async function storedDifferences(
  { maintenance }: Pick<Storage, 'maintenance'>,
  nowMs: number,
): Promise<MoneyDifference[]> {
  const hours = hoursOf(nowMs - (recentHours - 1) * hourMs, nowMs)
  const days = [...new Set(hours.map(dayOf))]
  return (await maintenance.checkMoney({ hours, days, mostRows, answeredIds: [] })).differences
}

function totalsIds(fromMs: number, lengths: readonly number[]): string[] {
  return lengths.map((lengthMs) => `totals:${lengthMs}:${fromMs}`)
}

/** The starts of the hours of a range. */
function hoursOf(fromMs: number, toMs: number): number[] {
  const hours: number[] = []
  for (let atMs = fromMs - (fromMs % hourMs); atMs <= toMs; atMs += hourMs) hours.push(atMs)
  return hours
}

function dayOf(hour: number): number {
  return hour - (hour % dayMs)
}

/** A day of hours before those of the last check, newest first; after the oldest kept row, the newest again. */
function olderHours({ oldToMs }: Progress, nowMs: number): number[] {
  const oldestMs = nowMs - mostOldDays * dayMs
  const beforeMs = oldToMs <= oldestMs ? nowMs - (nowMs % hourMs) : oldToMs
  return Array.from({ length: 24 }, (_, index) => beforeMs - (index + 1) * hourMs)
}

/** Older totals were compared several times. Hours without rows take no time. */
const mostOldDays = 400

async function readProgress(findings: FindingStore, nowMs: number): Promise<Progress> {
  const [stored] = await findings.documents(documentName)
  const read = stored && progressSchema.safeParse(JSON.parse(stored.value))
  if (read?.success) return read.data
  const hour = nowMs - (nowMs % hourMs)
  return { newToMs: nowMs - dayMs, oldToMs: hour - dayMs }
}

async function saveProgress(findings: FindingStore, progress: Progress): Promise<void> {
  await findings.saveDocuments([{ name: documentName, value: JSON.stringify(progress) }])
}

/** Hours and days with an open finding are compared again, in case they were repaired. */
async function openTotals(findings: FindingStore): Promise<{ hours: number[]; days: number[] }> {
  const hours: number[] = []
  const days: number[] = []
  for (const { kind, evidence } of await findings.list()) {
    if (kind !== 'money') continue
    const read = moneyEvidenceSchema.parse(JSON.parse(evidence))
    if (read.check === 'totals') (read.lengthMs === dayMs ? days : hours).push(read.fromMs)
  }
  return { hours, days }
}

/** Budgets as they are now; all of them are compared each time. */
async function budgetDifferences(
  { budgets }: Pick<Storage, 'budgets'>,
  nowMs: number,
): Promise<MoneyDifference[]> {
  const differences = await budgets.differences(nowMs)
  return differences.map(({ owner, period, startMs, endMs, budgetNanoUsd, rowsNanoUsd }) => {
    const ofOwner = { ownerKind: owner.kind, ownerId: owner.id, period }
    const range = { fromMs: startMs, toMs: endMs }
    const evidence = { check: 'budget', ...ofOwner, ...range, budgetNanoUsd, rowsNanoUsd } as const
    return { evidence, requestIds: [] }
  })
}

async function report(
  { storage: { findings }, now, onFinding, onChange }: MoneyCheckOptions,
  differences: readonly MoneyDifference[],
  compared: ReadonlySet<string>,
): Promise<void> {
  const found = new Set(differences.map(({ evidence }) => moneyFindingId(evidence)))
  const gone = (await findings.list()).filter(
    ({ id }) => !found.has(id) && (compared.has(id) || id.startsWith('budget:')),
  )
  const resolved = await findings.resolve(gone.map(({ id }) => id))
  for (const { evidence, requestIds } of differences.slice(0, mostFindings)) {
    const id = moneyFindingId(evidence)
    const about = {
      id,
      kind: 'money',
      lastAtMs: now(),
      evidence: JSON.stringify(evidence),
    } as const
    if (await findings.report({ ...about, requestIds })) onFinding(evidence)
  }
  if (resolved > 0 || differences.length > 0) onChange()
}
