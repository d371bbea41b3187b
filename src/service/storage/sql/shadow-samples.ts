/**
 * Shadow samples. A request's highest cost is added to the day's spending in the statement that checks the cap, so no
 * number of processes and no crash lets a day spend more.
 */
import { z } from 'zod'
import type { JudgedPrompt } from '../../../shared/tuning/tuning.ts'
import type {
  ShadowSampleStore,
  ShadowSummary,
  StoredShadowSample,
  UngradedReason,
} from '../shadow-sample-store.ts'
import { readJson } from './json-column.ts'
import { openJudgedPrompts } from './judged-prompts.ts'
import type { Sql } from './sql.ts'

type Functions = ShadowSampleStore

export function openShadowSamples(sql: Sql): Functions {
  return { ...openMoney(sql), ...openSamples(sql), ...openSummaries(sql) }
}

function openMoney(sql: Sql): Pick<Functions, 'spent' | 'reserve' | 'settle'> {
  const spent = sql
    .prepare<[string, string], number>(
      'SELECT spent_nano_usd FROM shadow_days WHERE router_id = ? AND day = ?',
    )
    .pluck()
  const reserve = sql.prepare<Parameters<Functions['reserve']>[0]>(`
    INSERT INTO shadow_days (router_id, day, spent_nano_usd)
      SELECT CAST(:routerId AS TEXT), CAST(:day AS TEXT), CAST(:nanoUsd AS BIGINT)
      WHERE CAST(:nanoUsd AS BIGINT) <= CAST(:capNanoUsd AS BIGINT)
    ON CONFLICT (router_id, day) DO UPDATE SET spent_nano_usd = shadow_days.spent_nano_usd + excluded.spent_nano_usd
    WHERE shadow_days.spent_nano_usd + excluded.spent_nano_usd <= CAST(:capNanoUsd AS BIGINT)
  `)
  const settle = sql.prepare<Parameters<Functions['settle']>[0]>(`
    UPDATE shadow_days SET spent_nano_usd = spent_nano_usd - :reservedNanoUsd + :costNanoUsd
    WHERE router_id = :routerId AND day = :day`)
  return {
    spent: async ({ routerId, day }) => (await spent.get(routerId, day)) ?? 0,
    reserve: async (request) => (await reserve.run(request)).changes === 1,
    settle: async (request) => void (await settle.run(request)),
  }
}

const repeatedSchema = z.array(z.tuple([z.number(), z.number()]))

function openSamples(sql: Sql): Pick<Functions, 'add' | 'ofRouter' | 'repeated' | 'forget'> {
  const judgedPrompts = openJudgedPrompts(sql)
  const insert = sql.prepare<StoredShadowSample>(`
    INSERT INTO shadow_samples (id, router_id, at_ms, judge, reading, outcome)
    VALUES (:id, :routerId, :atMs, :judge, :reading, :outcome)`)
  const newestFirst = sql
    .prepare<[routerId: string, most: number], string>(
      `SELECT id FROM shadow_samples WHERE router_id = ?
       ORDER BY at_ms DESC, id DESC LIMIT ${Number.MAX_SAFE_INTEGER} OFFSET ?`,
    )
    .pluck()
  const remove = sql.prepare<[string]>('DELETE FROM shadow_samples WHERE id = ?')
  const resetCounts = sql.prepare<[string]>(
    'UPDATE shadow_days SET failed = 0, dropped = 0, over_cap = 0 WHERE router_id = ?',
  )
  const ofRouter = sql.prepare<[string], StoredShadowSample>(`
    SELECT id, router_id AS "routerId", at_ms AS "atMs", judge, reading, outcome FROM shadow_samples
    WHERE router_id = ? ORDER BY at_ms, id`)
  const repeatedIn = sql.dialect.jsonText('outcome', 'repeated')
  const repeated = sql
    .prepare<[string, string], string>(
      `SELECT ${repeatedIn} FROM shadow_samples
       WHERE router_id = ? AND judge = ? AND ${repeatedIn} <> '[]'`,
    )
    .pluck()
  const removeAll = async (ids: readonly string[]) => {
    for (const id of ids) await remove.run(id)
    await judgedPrompts.remove(ids)
  }
  return {
    async add(sample: StoredShadowSample, judged: JudgedPrompt, most: number) {
      await insert.run(sample)
      await judgedPrompts.add(sample.routerId, [judged])
      await removeAll(await newestFirst.all(sample.routerId, most))
    },
    ofRouter: (routerId: string) => ofRouter.all(routerId),
    async repeated(routerId: string, judge: string) {
      const texts = await repeated.all(routerId, judge)
      return texts.flatMap((text) => readJson(text, repeatedSchema))
    },
    async forget(routerId: string) {
      await removeAll(await newestFirst.all(routerId, 0))
      await resetCounts.run(routerId)
    },
  }
}

const columns = {
  failed: 'failed',
  dropped: 'dropped',
  overCap: 'over_cap',
} as const satisfies Record<UngradedReason, string>

function openSummaries(sql: Sql): Pick<Functions, 'countUngraded' | 'summaries'> {
  const count = (column: string) =>
    sql.prepare<Omit<Parameters<Functions['countUngraded']>[0], 'reason'>>(`
      INSERT INTO shadow_days (router_id, day, ${column}) VALUES (:routerId, :day, :samples)
      ON CONFLICT (router_id, day) DO UPDATE SET
        ${column} = shadow_days.${column} + excluded.${column}`)
  const counters = {
    failed: count(columns.failed),
    dropped: count(columns.dropped),
    overCap: count(columns.overCap),
  }
  const summaries = sql.prepare<[string], ShadowSummary>(`
    SELECT router_id AS "routerId", graded, "firstAtMs", "lastAtMs", failed, dropped, "overCap",
           "spentNanoUsd"
    FROM (
      SELECT router_id, sum(failed) AS failed, sum(dropped) AS dropped, sum(over_cap) AS "overCap",
             sum(CASE WHEN day = ? THEN spent_nano_usd ELSE 0 END) AS "spentNanoUsd"
      FROM shadow_days GROUP BY router_id
    ) AS days
    JOIN (
      SELECT router_id, count(id) AS graded, min(at_ms) AS "firstAtMs", max(at_ms) AS "lastAtMs"
      FROM (SELECT DISTINCT router_id FROM shadow_days) AS routers
        LEFT JOIN shadow_samples USING (router_id)
      GROUP BY router_id
    ) AS samples USING (router_id)
    ORDER BY router_id`)
  return {
    async countUngraded({ reason, ...counted }) {
      await counters[reason].run(counted)
    },
    summaries: (day: string) => summaries.all(day),
  }
}
