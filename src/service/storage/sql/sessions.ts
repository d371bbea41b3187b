/** Sessions of coding agents, read from the requests that are their steps. */
import type { SessionRow } from '../../../shared/requests/session.ts'
import type { Ledger } from '../storage.ts'
import { selectList, toRecord, type RecordRow } from './ledger-row.ts'
import { totalOf } from './fragments.ts'
import type { Sql } from './sql.ts'

/** Home shows no more. */
const mostBroken = 20

type SessionFunction = 'ofSession' | 'sessions' | 'brokenCaches' | 'forgetSession'

type ListedSession = Omit<SessionRow, 'models'> & { models: string }

export function openSessions(sql: Sql): Pick<Ledger, SessionFunction> {
  const { insertOrder } = sql.dialect
  const columns = selectList()
  const steps = sql.prepare<[string], RecordRow>(
    `SELECT ${columns} FROM requests WHERE session_id = ? ORDER BY started_at_ms, ${insertOrder}`,
  )
  const newest = sql.prepare<{ sinceMs: number; limit: number }, ListedSession>(listText(sql))
  const broken = sql.prepare<[number], RecordRow>(`
    SELECT ${columns} FROM requests
    WHERE session_id IS NOT NULL AND started_at_ms >= ? AND session_step LIKE '%"alarm":true%'
    ORDER BY started_at_ms DESC LIMIT ${mostBroken}`)
  const removeTexts = sql.prepare<[string]>(`
    DELETE FROM request_contents WHERE request_id IN (SELECT id FROM requests WHERE session_id = ?)`)
  const forget = sql.prepare<[string]>(
    'UPDATE requests SET session_id = NULL, agent_id = NULL, session_step = NULL WHERE session_id = ?',
  )
  return {
    ofSession: async (id) => (await steps.all(id)).map(toRecord),
    async sessions(query) {
      const rows = await newest.all(query)
      return rows.map((row) => ({ ...row, models: readModels(row.models) }))
    },
    async forgetSession(id) {
      await sql.overwriting(() => removeTexts.run(id))
      return (await forget.run(id)).changes > 0
    },
    brokenCaches: async (sinceMs) => (await broken.all(sinceMs)).map(toRecord),
  }
}

function listText({ dialect }: Sql): string {
  const { jsonText, jsonNumber, distinctJsonList } = dialect
  const tokens = (name: string) => `coalesce(${jsonNumber('session_step', `tokens.${name}`)}, 0)`
  const countOf = (condition: string) => `count(CASE WHEN ${condition} THEN 1 END)`
  const kind = jsonText('session_step', 'kind')
  return `
    SELECT session_id AS id, min(${jsonText('session_step', 'client')}) AS client,
           max(${jsonText('session_step', 'version')}) AS version,
           min(api_key_id) AS "apiKeyId", min(router_id) AS "routerId",
           min(started_at_ms) AS "startedAtMs",
           max(started_at_ms) AS "lastAtMs",
           ${countOf(`${kind} IN ('main', 'subagent', 'compaction')`)} AS steps,
           ${countOf(`session_step LIKE '%"startsTurn":true%'`)} AS turns,
           count(DISTINCT agent_id) AS subagents,
           ${distinctJsonList('model_used')} AS models,
           ${totalOf('cost_nano_usd')} AS "costNanoUsd",
           CAST(sum(${tokens('read')} + ${tokens('written')} + ${tokens('uncached')}) AS BIGINT) AS "promptTokens",
           CAST(sum(${tokens('read')}) AS BIGINT) AS "readTokens",
           ${countOf('status >= 400')} AS failed,
           ${countOf(`session_step LIKE '%"culprit":%'`)} AS broken
    FROM requests WHERE session_id IS NOT NULL AND started_at_ms >= :sinceMs
    GROUP BY session_id ORDER BY "lastAtMs" DESC, session_id LIMIT :limit`
}

function readModels(text: string): string[] {
  // A JSON list that the database made of texts.
  const models = JSON.parse(text) as (string | null)[]
  return models.filter((model) => model !== null).toSorted()
}
