/**
 * Upgrades a database to the newest schema. An existing database is first copied and the copy checked; then all
 * missing migrations run in one transaction. A released migration is never edited. To add one:
 * `NNNN-purpose.ts` (the next ten), a line in `migrations`, the new `schema.sql`, a test.
 */
import type { Database } from 'better-sqlite3'
import { DatabaseFromNewerVersion } from '../../storage.ts'
import { copyVerified } from '../verified-copy.ts'
import { initial } from './0010-initial.ts'
import { requestDetail } from './0020-request-detail.ts'
import { tokenClasses } from './0030-token-classes.ts'
import { keySwitches } from './0040-key-switches.ts'
import { responseCache } from './0050-response-cache.ts'
import { usageRollups } from './0060-usage-rollups.ts'
import { countedDay } from './0070-counted-day.ts'
import { refusedParameters } from './0080-refused-parameters.ts'
import { routerTimeLimits } from './0090-router-time-limits.ts'
import { routerHedge } from './0100-router-hedge.ts'
import { limits } from './0110-limits.ts'
import { routerRouting } from './0120-router-routing.ts'
import { modelStatistics } from './0130-model-statistics.ts'
import { feedback } from './0140-feedback.ts'
import { agents } from './0150-agents.ts'
import { learntByTopic } from './0160-learnt-by-topic.ts'
import { requestContents } from './0170-request-contents.ts'
import { agentsInChat } from './0180-agents-in-chat.ts'
import { otherAnswers } from './0190-other-answers.ts'
import { providerKeyRevision } from './0200-provider-key-revision.ts'
import { keyRotation } from './0210-key-rotation.ts'
import { executionLeases } from './0220-execution-leases.ts'
import { statisticsLatencies } from './0230-statistics-latencies.ts'
import { feedbackDifficulty } from './0240-feedback-difficulty.ts'
import { judgedPrompts } from './0250-judged-prompts.ts'
import { tuningRuns } from './0260-tuning-runs.ts'
import { signalCounts } from './0270-signal-counts.ts'
import { shadowSamples } from './0280-shadow-samples.ts'
import { usageTags } from './0290-usage-tags.ts'
import { messageFallbacks } from './0300-message-fallbacks.ts'
import { errorDetails } from './0310-error-details.ts'
import { budgetAlerts } from './0320-budget-alerts.ts'
import { optionalContext } from './0330-optional-context.ts'
import { fewRequests } from './0340-few-requests.ts'
import { messageRouters } from './0350-message-routers.ts'
import { routerChanges } from './0360-router-changes.ts'
import { routerStatistics } from './0370-router-statistics.ts'
import { refusals } from './0380-refusals.ts'

export interface Migration {
  /** Multiples of ten, ascending; becomes the database's `user_version`. */
  version: number
  up: (db: Database) => void
}

export const migrations: readonly Migration[] = [
  { version: 10, up: initial },
  { version: 20, up: requestDetail },
  { version: 30, up: tokenClasses },
  { version: 40, up: keySwitches },
  { version: 50, up: responseCache },
  { version: 60, up: usageRollups },
  { version: 70, up: countedDay },
  { version: 80, up: refusedParameters },
  { version: 90, up: routerTimeLimits },
  { version: 100, up: routerHedge },
  { version: 110, up: limits },
  { version: 120, up: routerRouting },
  { version: 130, up: modelStatistics },
  { version: 140, up: feedback },
  { version: 150, up: agents },
  { version: 160, up: learntByTopic },
  { version: 170, up: requestContents },
  { version: 180, up: agentsInChat },
  { version: 190, up: otherAnswers },
  { version: 200, up: providerKeyRevision },
  { version: 210, up: keyRotation },
  { version: 220, up: executionLeases },
  { version: 230, up: statisticsLatencies },
  { version: 240, up: feedbackDifficulty },
  { version: 250, up: judgedPrompts },
  { version: 260, up: tuningRuns },
  { version: 270, up: signalCounts },
  { version: 280, up: shadowSamples },
  { version: 290, up: usageTags },
  { version: 300, up: messageFallbacks },
  { version: 310, up: errorDetails },
  { version: 320, up: budgetAlerts },
  { version: 330, up: optionalContext },
  { version: 340, up: fewRequests },
  { version: 350, up: messageRouters },
  { version: 360, up: routerChanges },
  { version: 370, up: routerStatistics },
  { version: 380, up: refusals },
]

/** The database's schema version; 0 for an empty one. */
export function schemaVersion(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }))
}

/**
 * Refuses a database with an unknown schema. Reads only.
 * @throws DatabaseFromNewerVersion
 */
export function refuseNewer(db: Database, known: readonly Migration[] = migrations): void {
  const found = schemaVersion(db)
  const newest = known.at(-1)?.version ?? 0
  if (found > newest)
    throw new DatabaseFromNewerVersion(
      `The database was created by a newer version of Modelport (schema ${found}, this version knows ${newest}). Nothing was changed. Install the newer version, or choose another data folder.`,
    )
}

/**
 * Runs the missing migrations.
 * @param copyTo  returns the path of the copy of an existing database with that version
 * @throws DatabaseFromNewerVersion; any error of a migration, after which the database is unchanged
 */
export function migrate(
  db: Database,
  copyTo: (version: number) => string,
  known: readonly Migration[] = migrations,
): void {
  refuseNewer(db, known)
  const before = schemaVersion(db)
  if (before === known.at(-1)?.version) return
  if (before > 0) copyVerified(db, copyTo(before), true)
  db.transaction(() => {
    // Another process may have migrated while this one waited for the lock.
    const found = schemaVersion(db)
    for (const { version, up } of known.filter((migration) => migration.version > found)) {
      up(db)
      db.pragma(`user_version = ${version}`)
    }
  }).immediate()
}
