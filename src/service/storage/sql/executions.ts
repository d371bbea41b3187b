import { z } from 'zod'
import { stepTraceSchema, type Execution } from '../../../shared/agents/agent.ts'
import type { AgentFigures } from '../../../shared/agents/agent-window.ts'
import type { ExecutionLease, ExecutionStore } from '../execution-store.ts'
import { readJson } from './json-column.ts'
import { toUsd } from './money.ts'
import type { Dialect, Sql } from './sql.ts'

interface ExecutionRow extends Omit<Execution, 'isStreamed' | 'models' | 'trace'> {
  isStreamed: number
  models: string
  trace: string
}

const modelsSchema = z.array(z.string())
const traceSchema = z.array(stepTraceSchema)

const columns = `
  id, agent, agent_version AS "agentVersion", router_id AS "routerId", api_key_id AS "apiKeyId", source,
  is_streamed AS "isStreamed", started_at_ms AS "startedAtMs", state, status, error_code AS "errorCode",
  failed_step AS "failedStep", latency_ms AS "latencyMs", steps, cost_nano_usd AS "costNanoUsd",
  carbon_grams AS "carbonGrams", models, trace`

export function openExecutions(sql: Sql): ExecutionStore {
  const select = sql.prepare<[string], ExecutionRow>(
    `SELECT ${columns} FROM executions WHERE id = ?`,
  )
  const newest = sql.prepare<{ agent: string | null; limit: number }, ExecutionRow>(`
    SELECT ${columns} FROM executions WHERE (CAST(:agent AS TEXT) IS NULL OR agent = :agent)
    ORDER BY started_at_ms DESC, ${sql.dialect.insertOrder} DESC LIMIT :limit`)
  const figures = sql.prepare<[], FiguresRow>(figuresByAgent)
  const save = openSave(sql)
  const interrupt = sql.prepare<[number]>(interruptExpired(sql.dialect))
  const running = sql.prepare<[], { id: string }>(
    `SELECT id FROM executions WHERE state = 'running' LIMIT 1`,
  )
  const lease = sql.prepare<ExecutionLease & { id: string }>(`
    UPDATE executions SET lease_holder = :holder, lease_expires_at_ms = :expiresAtMs WHERE id = :id`)
  const renew = sql.prepare<ExecutionLease>(`
    UPDATE executions SET lease_expires_at_ms = :expiresAtMs
    WHERE state = 'running' AND lease_holder = :holder`)

  return {
    async begin(execution: Execution, { holder, expiresAtMs }: ExecutionLease) {
      await save(execution)
      await lease.run({ holder, expiresAtMs, id: execution.id })
    },
    end: save,
    areRunning: async () => (await running.get()) !== undefined,
    async get(id: string) {
      const row = await select.get(id)
      return row === undefined ? null : toExecution(row)
    },
    async list({ agent = null, limit }: { agent?: string | null | undefined; limit: number }) {
      return (await newest.all({ agent, limit })).map(toExecution)
    },
    async figures() {
      const rows = await figures.all()
      return rows.map(({ costNanoUsdMean, ...row }) => ({
        ...row,
        costUsdMean: costNanoUsdMean === null ? null : toUsd(costNanoUsdMean),
      }))
    },
    async renewLeases({ holder, expiresAtMs }: ExecutionLease) {
      await renew.run({ holder, expiresAtMs })
    },
    interruptExpired: async (nowMs: number) => (await interrupt.run(nowMs)).changes,
  }
}

interface FiguresRow extends Omit<AgentFigures, 'costUsdMean'> {
  agent: string
  costNanoUsdMean: number | null
}

const figuresByAgent = `
  SELECT agent, count(*) AS runs, count(*) FILTER (WHERE state = 'done') AS done,
         count(*) FILTER (WHERE state IN ('failed', 'interrupted')) AS failed,
         avg(cost_nano_usd) FILTER (WHERE state = 'done') AS "costNanoUsdMean",
         avg(latency_ms) FILTER (WHERE state = 'done') AS "latencyMsMean",
         avg(carbon_grams) FILTER (WHERE state = 'done') AS "carbonGramsMean",
         max(started_at_ms) AS "lastRunAtMs"
  FROM executions GROUP BY agent`

/** Cost and models come from its steps' rows; the duration is unknown. */
const interruptExpired = ({ distinctJsonList }: Dialect) => `
  UPDATE executions SET
    state = 'interrupted',
    steps = (SELECT count(*) FROM requests WHERE execution_id = executions.id),
    cost_nano_usd =
      (SELECT coalesce(sum(cost_nano_usd), 0) FROM requests WHERE execution_id = executions.id),
    carbon_grams =
      (SELECT coalesce(sum(carbon_grams), 0) FROM requests WHERE execution_id = executions.id),
    models = (
      SELECT ${distinctJsonList('model_used')} FROM requests
      WHERE execution_id = executions.id AND model_used IS NOT NULL
    )
  WHERE state = 'running' AND coalesce(lease_expires_at_ms, 0) <= ?`

function openSave(sql: Sql): (execution: Execution) => Promise<void> {
  const save = sql.prepare<ExecutionRow>(`
    INSERT INTO executions (
      id, agent, agent_version, router_id, api_key_id, source, is_streamed, started_at_ms, state,
      status, error_code, failed_step, latency_ms, steps, cost_nano_usd, carbon_grams, models, trace
    ) VALUES (
      :id, :agent, :agentVersion, :routerId, :apiKeyId, :source, :isStreamed, :startedAtMs, :state,
      :status, :errorCode, :failedStep, :latencyMs, :steps, :costNanoUsd, :carbonGrams, :models,
      :trace
    ) ON CONFLICT (id) DO UPDATE SET
      state = excluded.state, status = excluded.status, error_code = excluded.error_code,
      failed_step = excluded.failed_step, latency_ms = excluded.latency_ms,
      steps = excluded.steps, cost_nano_usd = excluded.cost_nano_usd,
      carbon_grams = excluded.carbon_grams, models = excluded.models, trace = excluded.trace`)
  return async (execution) => {
    await save.run({
      ...execution,
      isStreamed: Number(execution.isStreamed),
      models: JSON.stringify(execution.models),
      trace: JSON.stringify(execution.trace),
    })
  }
}

function toExecution(row: ExecutionRow): Execution {
  return {
    ...row,
    isStreamed: row.isStreamed === 1,
    models: readJson(row.models, modelsSchema),
    trace: readJson(row.trace, traceSchema),
  }
}
