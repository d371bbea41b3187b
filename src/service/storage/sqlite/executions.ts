import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { stepTraceSchema, type Execution } from '../../../shared/agent.ts'
import type { AgentFigures } from '../../../shared/agent-window.ts'
import type { ExecutionLease, ExecutionStore } from '../storage.ts'
import { readJson } from './json-column.ts'
import { toUsd } from './money.ts'
import type { Synchronous } from './protocol.ts'

interface ExecutionRow extends Omit<Execution, 'isStreamed' | 'models' | 'trace'> {
  isStreamed: number
  models: string
  trace: string
}

const modelsSchema = z.array(z.string())
const traceSchema = z.array(stepTraceSchema)

const columns = `
  id, agent, agent_version AS agentVersion, router_id AS routerId, api_key_id AS apiKeyId, source,
  is_streamed AS isStreamed, started_at_ms AS startedAtMs, state, status, error_code AS errorCode,
  failed_step AS failedStep, latency_ms AS latencyMs, steps, cost_nano_usd AS costNanoUsd,
  carbon_grams AS carbonGrams, models, trace`

export function openExecutions(db: Database): Synchronous<ExecutionStore> {
  const select = db.prepare<[string], ExecutionRow>(
    `SELECT ${columns} FROM executions WHERE id = ?`,
  )
  const newest = db.prepare<{ agent: string | null; limit: number }, ExecutionRow>(`
    SELECT ${columns} FROM executions WHERE (:agent IS NULL OR agent = :agent)
    ORDER BY started_at_ms DESC, rowid DESC LIMIT :limit`)
  const figures = db.prepare<[], FiguresRow>(figuresByAgent)
  const save = openSave(db)
  const interrupt = db.prepare<[number]>(interruptExpired)
  const lease = db.prepare<ExecutionLease & { id: string }>(`
    UPDATE executions SET lease_holder = :holder, lease_expires_at_ms = :expiresAtMs WHERE id = :id`)
  const renew = db.prepare<ExecutionLease>(`
    UPDATE executions SET lease_expires_at_ms = :expiresAtMs
    WHERE state = 'running' AND lease_holder = :holder`)

  return {
    begin(execution: Execution, { holder, expiresAtMs }: ExecutionLease) {
      save(execution)
      lease.run({ holder, expiresAtMs, id: execution.id })
    },
    end: save,
    get(id: string) {
      const row = select.get(id)
      return row === undefined ? null : toExecution(row)
    },
    list({ agent = null, limit }: { agent?: string | null | undefined; limit: number }) {
      return newest.all({ agent, limit }).map(toExecution)
    },
    figures: () =>
      figures.all().map(({ costNanoUsdMean, ...row }) => ({
        ...row,
        costUsdMean: costNanoUsdMean === null ? null : toUsd(costNanoUsdMean),
      })),
    renewLeases: ({ holder, expiresAtMs }: ExecutionLease) =>
      void renew.run({ holder, expiresAtMs }),
    interruptExpired: (nowMs: number) => interrupt.run(nowMs).changes,
  }
}

interface FiguresRow extends Omit<AgentFigures, 'costUsdMean'> {
  agent: string
  costNanoUsdMean: number | null
}

const figuresByAgent = `
  SELECT agent, count(*) AS runs, count(*) FILTER (WHERE state = 'done') AS done,
         count(*) FILTER (WHERE state IN ('failed', 'interrupted')) AS failed,
         avg(cost_nano_usd) FILTER (WHERE state = 'done') AS costNanoUsdMean,
         avg(latency_ms) FILTER (WHERE state = 'done') AS latencyMsMean,
         avg(carbon_grams) FILTER (WHERE state = 'done') AS carbonGramsMean,
         max(started_at_ms) AS lastRunAtMs
  FROM executions GROUP BY agent`

/** Cost and models come from its steps' rows; the duration is unknown. */
const interruptExpired = `
  UPDATE executions SET
    state = 'interrupted',
    steps = (SELECT count(*) FROM requests WHERE execution_id = executions.id),
    cost_nano_usd =
      (SELECT coalesce(sum(cost_nano_usd), 0) FROM requests WHERE execution_id = executions.id),
    carbon_grams =
      (SELECT coalesce(sum(carbon_grams), 0) FROM requests WHERE execution_id = executions.id),
    models = (
      SELECT json_group_array(DISTINCT model_used) FROM requests
      WHERE execution_id = executions.id AND model_used IS NOT NULL
    )
  WHERE state = 'running' AND coalesce(lease_expires_at_ms, 0) <= ?`

function openSave(db: Database): (execution: Execution) => void {
  const save = db.prepare<ExecutionRow>(`
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
  return (execution) => {
    save.run({
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
