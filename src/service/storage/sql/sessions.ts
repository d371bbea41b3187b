/** Sessions of coding agents, read from the requests that are their steps. */
import {
  nameOfSession,
  readSessionName,
  type SessionRow,
} from '../../../shared/requests/session.ts'
import { sessionStepSchema } from '../../../shared/requests/session-step.ts'
import type { Ledger } from '../storage.ts'
import { selectList, toRecord, type RecordRow } from './ledger-row.ts'
import { totalOf } from './fragments.ts'
import type { Sql } from './sql.ts'

/** Home shows no more. */
const mostBroken = 20

type SessionFunction =
  | 'ofSession'
  | 'sessions'
  | 'brokenCaches'
  | 'givenProofs'
  | 'subagentSteps'
  | 'forgetSession'

/** `keys`: how many use this name. */
type ListedSession = Omit<SessionRow, 'models'> & { models: string; keys: number }

/** Requests that arrive over HTTP have a key. */
const isOfKey = `session_id = ? AND coalesce(api_key_id, '') = ?`

export function openSessions(sql: Sql): Pick<Ledger, SessionFunction> {
  const { insertOrder } = sql.dialect
  const columns = selectList()
  const steps = sql.prepare<[string, string], RecordRow>(
    `SELECT ${columns} FROM requests WHERE ${isOfKey} ORDER BY started_at_ms, ${insertOrder}`,
  )
  const lastKey = sql.prepare<[string], { apiKeyId: string | null }>(`
    SELECT api_key_id AS "apiKeyId" FROM requests WHERE session_id = ?
    ORDER BY started_at_ms DESC, ${insertOrder} DESC LIMIT 1`)
  const newest = sql.prepare<{ sinceMs: number; limit: number }, ListedSession>(listText(sql))
  const broken = sql.prepare<[number], RecordRow>(`
    SELECT ${columns} FROM requests
    WHERE session_id IS NOT NULL AND started_at_ms >= ? AND session_step LIKE '%"alarm":true%'
    ORDER BY started_at_ms DESC LIMIT ${mostBroken}`)
  const proofs = sql.prepare<
    { sinceMs: number; limit: number },
    { modelId: string; step: string }
  >(`
    SELECT model_used AS "modelId", session_step AS step FROM requests
    WHERE session_id IS NOT NULL AND started_at_ms >= :sinceMs AND model_used IS NOT NULL
      AND session_step LIKE '%"proofs":%'
    ORDER BY started_at_ms DESC LIMIT :limit`)
  const subagents = sql.prepare<{ sinceMs: number; limit: number }, RecordRow>(`
    SELECT ${columns} FROM requests
    WHERE session_id IS NOT NULL AND started_at_ms >= :sinceMs AND session_step LIKE '%"kind":"subagent"%'
    ORDER BY started_at_ms DESC LIMIT :limit`)
  const forget = openForget(sql)
  const placeOf = async (name: string): Promise<[string, string]> => {
    const { sessionId, apiKeyId } = readSessionName(name)
    return [sessionId, apiKeyId ?? (await lastKey.get(sessionId))?.apiKeyId ?? '']
  }
  return {
    ofSession: async (name) => (await steps.all(...(await placeOf(name)))).map(toRecord),
    async sessions(query) {
      const rows = await newest.all(query)
      return rows.map(({ keys, ...row }) => ({
        ...row,
        id: keys > 1 ? nameOfSession({ sessionId: row.id, apiKeyId: row.apiKeyId }) : row.id,
        models: readModels(row.models),
      }))
    },
    forgetSession: async (name) => await forget(await placeOf(name)),
    async givenProofs(query) {
      const rows = await proofs.all(query)
      return rows.map(({ modelId, step }) => ({ modelId, proofs: readProofs(step) }))
    },
    subagentSteps: async (query) => (await subagents.all(query)).map(toRecord),
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
           api_key_id AS "apiKeyId", count(*) OVER (PARTITION BY session_id) AS keys,
           min(router_id) AS "routerId",
           min(started_at_ms) AS "startedAtMs",
           max(started_at_ms + CAST(floor(latency_ms) AS BIGINT)) AS "endedAtMs",
           ${countOf(`${kind} IN ('main', 'subagent', 'compaction')`)} AS steps,
           ${countOf(`session_step LIKE '%"startsTurn":true%'`)} AS turns,
           count(DISTINCT agent_id) AS subagents,
           ${distinctJsonList('model_used')} AS models,
           ${totalOf('cost_nano_usd')} AS "costNanoUsd",
           CAST(sum(${tokens('read')} + ${tokens('written')} + ${tokens('uncached')}) AS BIGINT) AS "promptTokens",
           CAST(sum(${tokens('read')}) AS BIGINT) AS "readTokens",
           ${countOf('status >= 400 AND status <> 499')} AS failed,
           ${countOf(`session_step LIKE '%"culprit":%'`)} AS broken
    FROM requests WHERE session_id IS NOT NULL AND started_at_ms >= :sinceMs
    GROUP BY session_id, api_key_id ORDER BY "endedAtMs" DESC, session_id LIMIT :limit`
}

/** @returns forgets the session at a place */
function openForget(sql: Sql): (place: [string, string]) => Promise<boolean> {
  const removeTexts = sql.prepare<[string, string]>(`
    DELETE FROM request_contents WHERE request_id IN (SELECT id FROM requests WHERE ${isOfKey})`)
  const removeShadows = sql.prepare<[string, string]>(`DELETE FROM shadow_steps WHERE ${isOfKey}`)
  const forget = sql.prepare<[string, string]>(
    `UPDATE requests SET session_id = NULL, agent_id = NULL, session_step = NULL WHERE ${isOfKey}`,
  )
  return async (place) => {
    await sql.overwriting(() => removeTexts.run(...place))
    await removeShadows.run(...place)
    return (await forget.run(...place)).changes > 0
  }
}

function readProofs(text: string): string[] {
  const step = sessionStepSchema.safeParse(JSON.parse(text))
  return step.data?.proofs ?? []
}

function readModels(text: string): string[] {
  // A JSON list that the database made of texts.
  const models = JSON.parse(text) as (string | null)[]
  return models.filter((model) => model !== null).toSorted()
}
