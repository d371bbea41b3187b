/** The findings of the hourly check of money and of the checks of answers, and the money as it is now. */
import { moneyFindingId, type Finding as StoredFinding } from '../../shared/requests/finding.ts'
import { findingWords } from '../../shared/requests/finding-words.ts'
import { storedDifferences } from '../upkeep/money-check.ts'
import { openFindings } from '../wiring/findings.ts'
import type { Workspace } from '../wiring/workspace.ts'
import type { Finding } from './finding.ts'

/** Open findings; without any about money, one line that says what was compared. */
export async function examineFindings(workspace: Workspace): Promise<Finding[]> {
  const stored = await openFindings(workspace).list()
  const open = stored.filter(({ dismissedAtMs }) => dismissedAtMs === null)
  const known = new Set(stored.map(({ id }) => id))
  const found = (await differencesNow(workspace)).filter(({ id }) => !known.has(id))
  const all = [...open, ...found]
  const findings = all.map(toFinding)
  if (all.some(({ kind }) => kind === 'money')) return findings
  const message = 'The totals of the last 24 hours equal their requests.'
  return [{ check: 'money', status: 'ok', message, wayOut: null }, ...findings]
}

/** Differences of the last hours, which the hourly check may not have seen yet. Nothing is stored. */
async function differencesNow({ storage, now }: Workspace): Promise<StoredFinding[]> {
  const nowMs = now()
  const differences = await storedDifferences(storage, nowMs)
  const at = { firstAtMs: nowMs, lastAtMs: nowMs, dismissedAtMs: null }
  return differences.map(({ evidence, requestIds }) => ({
    kind: 'money',
    id: moneyFindingId(evidence),
    requestIds,
    ...at,
    evidence,
  }))
}

function toFinding(finding: StoredFinding): Finding {
  const { requestIds, kind } = finding
  const rows = requestIds.length === 0 ? '' : ` Requests: ${requestIds.slice(0, 5).join(', ')}.`
  const message = findingWords(finding) + rows
  const wayOut = kind === 'money' ? moneyWayOut(finding) : answersWayOut
  return { check: kind, status: 'warn', message, wayOut }
}

const answersWayOut =
  'Ask the provider, or dismiss it: modelport provider check --dismiss ID (the ID is in modelport provider check --json).'

function moneyWayOut({ evidence }: StoredFinding): string {
  const isTotals = evidence.check === 'totals' || evidence.check === 'budget'
  return isTotals
    ? 'Count the requests again: modelport doctor --rebuild-totals. Then restart the service.'
    : 'Keep a backup, and report it: modelport doctor --bundle FILE writes what to send.'
}
