/**
 * Shadow samples. A request's highest cost is added to the day's spending in the statement that checks the cap, so no
 * number of processes and no crash lets a day spend more.
 */
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { JudgedPrompt } from '../../../shared/tuning.ts'
import type {
  ShadowSampleStore,
  ShadowSummary,
  StoredShadowSample,
  UngradedReason,
} from '../shadow-sample-store.ts'
import { readJson } from './json-column.ts'
import { openJudgedPrompts } from './judged-prompts.ts'
import type { Synchronous } from './protocol.ts'

type Functions = Synchronous<ShadowSampleStore>

export function openShadowSamples(db: Database): Functions {
  return { ...openMoney(db), ...openSamples(db), ...openSummaries(db) }
}

function openMoney(db: Database): Pick<Functions, 'spent' | 'reserve' | 'settle'> {
  const spent = db
    .prepare<[string, string], number>(
      'SELECT spent_nano_usd FROM shadow_days WHERE router_id = ? AND day = ?',
    )
    .pluck()
  const reserve = db.prepare<Parameters<Functions['reserve']>[0]>(`
    INSERT INTO shadow_days (router_id, day, spent_nano_usd)
      SELECT :routerId, :day, :nanoUsd WHERE :nanoUsd <= :capNanoUsd
    ON CONFLICT (router_id, day) DO UPDATE SET spent_nano_usd = spent_nano_usd + :nanoUsd
    WHERE spent_nano_usd + :nanoUsd <= :capNanoUsd
  `)
  const settle = db.prepare<Parameters<Functions['settle']>[0]>(`
    UPDATE shadow_days SET spent_nano_usd = spent_nano_usd - :reservedNanoUsd + :costNanoUsd
    WHERE router_id = :routerId AND day = :day`)
  return {
    spent: ({ routerId, day }: Parameters<Functions['spent']>[0]) => spent.get(routerId, day) ?? 0,
    reserve: (request: Parameters<Functions['reserve']>[0]) => reserve.run(request).changes === 1,
    settle: (request: Parameters<Functions['settle']>[0]) => void settle.run(request),
  }
}

const repeatedSchema = z.array(z.tuple([z.number(), z.number()]))

function openSamples(db: Database): Pick<Functions, 'add' | 'ofRouter' | 'repeated' | 'forget'> {
  const judgedPrompts = openJudgedPrompts(db)
  const insert = db.prepare<StoredShadowSample>(`
    INSERT INTO shadow_samples (id, router_id, at_ms, judge, reading, outcome)
    VALUES (:id, :routerId, :atMs, :judge, :reading, :outcome)`)
  const newestFirst = db
    .prepare<[routerId: string, most: number], string>(
      `SELECT id FROM shadow_samples WHERE router_id = ?
       ORDER BY at_ms DESC, id DESC LIMIT -1 OFFSET ?`,
    )
    .pluck()
  const remove = db.prepare<[string]>('DELETE FROM shadow_samples WHERE id = ?')
  const resetCounts = db.prepare<[string]>(
    'UPDATE shadow_days SET failed = 0, dropped = 0, over_cap = 0 WHERE router_id = ?',
  )
  const ofRouter = db.prepare<[string], StoredShadowSample>(`
    SELECT id, router_id AS routerId, at_ms AS atMs, judge, reading, outcome FROM shadow_samples
    WHERE router_id = ? ORDER BY at_ms, id`)
  const repeated = db
    .prepare<[string, string], string>(
      `SELECT outcome ->> '$.repeated' FROM shadow_samples
       WHERE router_id = ? AND judge = ? AND json_array_length(outcome, '$.repeated') > 0`,
    )
    .pluck()
  const removeAll = (ids: readonly string[]) => {
    for (const id of ids) remove.run(id)
    judgedPrompts.remove(ids)
  }
  return {
    add(sample: StoredShadowSample, judged: JudgedPrompt, most: number) {
      insert.run(sample)
      judgedPrompts.add(sample.routerId, [judged])
      removeAll(newestFirst.all(sample.routerId, most))
    },
    ofRouter: (routerId: string) => ofRouter.all(routerId),
    repeated: (routerId: string, judge: string) =>
      repeated.all(routerId, judge).flatMap((text) => readJson(text, repeatedSchema)),
    forget(routerId: string) {
      removeAll(newestFirst.all(routerId, 0))
      resetCounts.run(routerId)
    },
  }
}

const columns = {
  failed: 'failed',
  dropped: 'dropped',
  overCap: 'over_cap',
} as const satisfies Record<UngradedReason, string>

function openSummaries(db: Database): Pick<Functions, 'countUngraded' | 'summaries'> {
  const count = (column: string) =>
    db.prepare<Omit<Parameters<Functions['countUngraded']>[0], 'reason'>>(`
      INSERT INTO shadow_days (router_id, day, ${column}) VALUES (:routerId, :day, :samples)
      ON CONFLICT (router_id, day) DO UPDATE SET ${column} = ${column} + :samples`)
  const counters = {
    failed: count(columns.failed),
    dropped: count(columns.dropped),
    overCap: count(columns.overCap),
  }
  const summaries = db.prepare<[string], ShadowSummary>(`
    SELECT days.router_id AS routerId, graded, firstAtMs, lastAtMs, failed, dropped, overCap,
           spentNanoUsd
    FROM (
      SELECT router_id, sum(failed) AS failed, sum(dropped) AS dropped, sum(over_cap) AS overCap,
             sum(iif(day = ?, spent_nano_usd, 0)) AS spentNanoUsd
      FROM shadow_days GROUP BY router_id
    ) AS days
    JOIN (
      SELECT router_id, count(id) AS graded, min(at_ms) AS firstAtMs, max(at_ms) AS lastAtMs
      FROM (SELECT DISTINCT router_id FROM shadow_days)
        LEFT JOIN shadow_samples USING (router_id)
      GROUP BY router_id
    ) AS samples USING (router_id)
    ORDER BY days.router_id`)
  return {
    countUngraded({ reason, ...counted }: Parameters<Functions['countUngraded']>[0]) {
      counters[reason].run(counted)
    },
    summaries: (day: string) => summaries.all(day),
  }
}
