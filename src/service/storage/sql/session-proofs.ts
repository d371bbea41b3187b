import { shadowOutcomeSchema, type SplitSession } from '../../../shared/requests/session-proof.ts'
import type { SessionProofStore, StoredShadowStep } from '../session-proof-store.ts'
import { totalOf } from './fragments.ts'
import { readJson } from './json-column.ts'
import type { Sql } from './sql.ts'

type Row = Omit<StoredShadowStep, 'outcome'> & { outcome: string }

export function openSessionProofs(sql: Sql): SessionProofStore {
  const insert = sql.prepare<Row>(`
    INSERT INTO shadow_steps (id, router_id, model, session_id, api_key_id, at_ms, outcome)
    VALUES (:id, :routerId, :model, :sessionId, :apiKeyId, :atMs, :outcome)`)
  const removeOld = sql.prepare<{ routerId: string; most: number }>(`
    DELETE FROM shadow_steps WHERE router_id = :routerId AND at_ms <= (
      SELECT at_ms FROM shadow_steps WHERE router_id = :routerId ORDER BY at_ms DESC LIMIT 1 OFFSET :most)`)
  const all = sql.prepare<[], Row>(`
    SELECT id, router_id AS "routerId", model, session_id AS "sessionId", api_key_id AS "apiKeyId",
           at_ms AS "atMs", outcome
    FROM shadow_steps ORDER BY at_ms, id`)
  return {
    async addShadowStep({ outcome, ...step }, most) {
      await insert.run({ ...step, outcome: JSON.stringify(outcome) })
      await removeOld.run({ routerId: step.routerId, most })
    },
    async shadowSteps() {
      const rows = await all.all()
      return rows.map(({ outcome, ...step }) => ({
        ...step,
        outcome: readJson(outcome, shadowOutcomeSchema),
      }))
    },
    splitSessions: openSplit(sql),
  }
}

/** Of the marks, many edits and long turns say that a session is stuck: docs/sessions.md. */
function openSplit(sql: Sql): SessionProofStore['splitSessions'] {
  const arm = sql.dialect.jsonText('session_step', 'arm')
  const has = (mark: string) => `session_step LIKE '%"stuck":[%"${mark}"%'`
  const split = sql.prepare<{ sinceMs: number; endedBeforeMs: number }, SplitSession>(`
    SELECT min(router_id) AS "routerId", min(${arm}) AS arm,
           ${totalOf('cost_nano_usd')} AS "costNanoUsd",
           max(CASE WHEN ${has('edits')} OR ${has('long')} THEN 1 ELSE 0 END) AS stuck
    FROM requests WHERE session_id IS NOT NULL AND started_at_ms >= :sinceMs
    GROUP BY session_id, api_key_id
    HAVING count(${arm}) = count(*) AND count(DISTINCT ${arm}) = 1 AND count(DISTINCT router_id) = 1
      AND max(started_at_ms) < :endedBeforeMs`)
  return (query) => split.all(query)
}
