/**
 * Tuning runs. A request's highest cost is reserved in the transaction that checks the cap, so no number of processes
 * and no crash lets a run spend more.
 *
 * Texts are in a table of their own, which is empty when everything is graded: SQLite then overwrites its pages. In a
 * table with other rows, a page that is split leaves copies that a deletion does not reach.
 */
import type {
  NewTuningPrompt,
  NewTuningRun,
  StoredTuningPrompt,
  StoredTuningRequest,
  StoredTuningRun,
  TuningLease,
  TuningRunStore,
} from '../tuning-run-store.ts'
import type { Sql } from './sql.ts'

type Functions = TuningRunStore

export function openTuningRuns(sql: Sql): Functions {
  return {
    ...openRuns(sql),
    ...openLeases(sql),
    ...openMoney(sql),
    ...openOutcomes(sql),
  }
}

interface RunRow extends Omit<StoredTuningRun, 'isStopWanted' | 'prompts' | 'requests'> {
  isStopWanted: number
  total: number
  graded: number
  ungraded: number
  answered: number
  failed: number
  lost: number
}

const ofPrompts = (condition: string) =>
  `(SELECT count(*) FROM tuning_prompts WHERE run_id = run.id AND ${condition})`
const ofRequests = (state: string) =>
  `(SELECT count(*) FROM tuning_requests WHERE run_id = run.id AND state = '${state}')`

const selectRuns = `
  SELECT id, router_id AS "routerId", state, stopped_by AS "stoppedBy", message,
         created_at_ms AS "createdAtMs", ended_at_ms AS "endedAtMs", resumed_at_ms AS "resumedAtMs",
         ended_before_resume AS "endedBeforeResume", setup, result, cap_nano_usd AS "capNanoUsd",
         spent_nano_usd AS "spentNanoUsd", reserved_nano_usd AS "reservedNanoUsd",
         is_stop_wanted AS "isStopWanted", lease_expires_at_ms AS "leaseExpiresAtMs",
         ${ofPrompts('true')} AS total,
         ${ofPrompts('is_graded = 1')} AS graded,
         ${ofPrompts('is_graded = 0 AND outcome IS NOT NULL')} AS ungraded,
         ${ofRequests('answered')} AS answered,
         ${ofRequests('failed')} AS failed,
         ${ofRequests('lost')} AS lost
  FROM tuning_runs AS run`

function openRuns(sql: Sql): Pick<Functions, 'create' | 'get' | 'list' | 'remove'> {
  const insertRun = sql.prepare<Omit<NewTuningRun, 'prompts'> & Omit<TuningLease, 'nowMs'>>(`
    INSERT INTO tuning_runs (id, router_id, state, created_at_ms, resumed_at_ms,
      ended_before_resume, setup, cap_nano_usd, lease_holder, lease_expires_at_ms)
    VALUES (:id, :routerId, 'running', :createdAtMs, :createdAtMs, 0, :setup, :capNanoUsd, :holder,
      :expiresAtMs)`)
  const insertPrompt = sql.prepare<Omit<NewTuningPrompt, 'text'> & { id: string }>(`
    INSERT INTO tuning_prompts (run_id, position, reading) VALUES (:id, :position, :reading)`)
  const texts = openTexts(sql)
  const one = sql.prepare<[string], RunRow>(`${selectRuns} WHERE id = ?`)
  const all = sql.prepare<[], RunRow>(`${selectRuns} ORDER BY created_at_ms DESC, id DESC`)
  const remove = sql.prepare<[string]>('DELETE FROM tuning_runs WHERE id = ?')
  const removeApplied = sql.prepare<[string]>('DELETE FROM applied_runs WHERE run_id = ?')
  return {
    async create({ prompts, ...run }: NewTuningRun, { holder, expiresAtMs }: TuningLease) {
      await insertRun.run({ ...run, holder, expiresAtMs })
      for (const { text, ...prompt } of prompts) {
        await insertPrompt.run({ ...prompt, id: run.id })
        await texts.save({ runId: run.id, position: prompt.position, key: ofPrompt, text })
      }
    },
    async get(id: string) {
      const row = await one.get(id)
      return row === undefined ? null : toRun(row)
    },
    list: async () => (await all.all()).map(toRun),
    async remove(id: string) {
      await removeApplied.run(id)
      return await sql.overwriting(async () => (await remove.run(id)).changes > 0)
    },
  }
}

function toRun(row: RunRow): StoredTuningRun {
  const { isStopWanted, total, graded, ungraded, answered, failed, lost, ...run } = row
  return {
    ...run,
    isStopWanted: isStopWanted === 1,
    prompts: { total, graded, ungraded },
    requests: { answered, failed, lost },
  }
}

function openLeases(sql: Sql): Pick<Functions, 'resume' | 'renew' | 'wantStop' | 'end'> {
  const take = sql.prepare<TuningLease & { id: string; capNanoUsd: number | null }>(`
    UPDATE tuning_runs SET
      state = 'running', stopped_by = NULL, message = NULL, ended_at_ms = NULL, is_stop_wanted = 0,
      cap_nano_usd = coalesce(CAST(:capNanoUsd AS BIGINT), cap_nano_usd),
      spent_nano_usd = spent_nano_usd + reserved_nano_usd, reserved_nano_usd = 0,
      resumed_at_ms = :nowMs,
      ended_before_resume = (
        SELECT count(*) FROM tuning_prompts WHERE run_id = :id AND outcome IS NOT NULL
      ),
      lease_holder = :holder, lease_expires_at_ms = :expiresAtMs
    WHERE id = :id AND (state <> 'running' OR lease_expires_at_ms <= :nowMs)`)
  const lose = sql.prepare<[string]>(`
    UPDATE tuning_requests
    SET state = 'lost', cost_nano_usd = cost_nano_usd + reserved_nano_usd, reserved_nano_usd = 0
    WHERE run_id = ? AND state = 'sent'`)
  const renew = sql.prepare<TuningLease & { id: string }, { isStopWanted: number }>(`
    UPDATE tuning_runs SET lease_expires_at_ms = :expiresAtMs
    WHERE id = :id AND state = 'running' AND lease_holder = :holder
    RETURNING is_stop_wanted AS "isStopWanted"`)
  const wantStop = sql.prepare<[string]>('UPDATE tuning_runs SET is_stop_wanted = 1 WHERE id = ?')
  const end = sql.prepare<Parameters<Functions['end']>[1] & { id: string }>(`
    UPDATE tuning_runs SET state = :state, stopped_by = :stoppedBy, message = :message,
      ended_at_ms = :endedAtMs, result = :result, is_stop_wanted = 0
    WHERE id = :id AND lease_holder = :holder`)
  return {
    async resume(id: string, lease: TuningLease, capNanoUsd: number | null) {
      if ((await take.run({ ...lease, id, capNanoUsd })).changes === 0) return false
      await lose.run(id)
      return true
    },
    async renew(id: string, lease: TuningLease) {
      const row = await renew.get({ ...lease, id })
      return row === undefined ? null : { isStopWanted: row.isStopWanted === 1 }
    },
    wantStop: async (id) => void (await wantStop.run(id)),
    end: async (id, ended) => void (await end.run({ ...ended, id })),
  }
}

function openMoney(sql: Sql): Pick<Functions, 'reserve' | 'settle'> {
  const set = sql.prepare<{ runId: string; holder: string; nanoUsd: number }>(`
    UPDATE tuning_runs SET reserved_nano_usd = reserved_nano_usd + :nanoUsd
    WHERE id = :runId AND lease_holder = :holder
      AND spent_nano_usd + reserved_nano_usd + :nanoUsd <= cap_nano_usd
  `)
  const insert = sql.prepare<Omit<Parameters<Functions['reserve']>[0], 'holder'>>(`
    INSERT INTO tuning_requests (run_id, key, position, state, reserved_nano_usd, cost_nano_usd)
    VALUES (:runId, :key, :position, 'sent', :nanoUsd, 0)
    ON CONFLICT (run_id, key) DO UPDATE SET
      state = excluded.state, reserved_nano_usd = excluded.reserved_nano_usd
    WHERE tuning_requests.state = 'failed'`)
  const replace = sql.prepare<{ runId: string; costNanoUsd: number; reservedNanoUsd: number }>(`
    UPDATE tuning_runs SET
      reserved_nano_usd = reserved_nano_usd - :reservedNanoUsd,
      spent_nano_usd = spent_nano_usd + :costNanoUsd
    WHERE id = :runId`)
  const reserved = sql
    .prepare<[string, string], number>(
      `SELECT reserved_nano_usd FROM tuning_requests
       WHERE run_id = ? AND key = ? AND state = 'sent'`,
    )
    .pluck()
  const close = sql.prepare<
    Omit<Parameters<Functions['settle']>[0], 'answer'>,
    { position: number }
  >(`
    UPDATE tuning_requests SET state = :state, reserved_nano_usd = 0,
      cost_nano_usd = cost_nano_usd + :costNanoUsd
    WHERE run_id = :runId AND key = :key
    RETURNING position`)
  const texts = openTexts(sql)
  return {
    async reserve({ holder, ...request }) {
      const { runId, key, nanoUsd } = request
      const isNew = (await reserved.get(runId, key)) === undefined
      if (!isNew || (await set.run({ runId, holder, nanoUsd })).changes === 0) return false
      if ((await insert.run(request)).changes === 1) return true
      await replace.run({ runId, reservedNanoUsd: nanoUsd, costNanoUsd: 0 })
      return false
    },
    async settle({ answer, ...request }) {
      const { runId, key, costNanoUsd } = request
      const reservedNanoUsd = await reserved.get(runId, key)
      // Lost in the meantime: it was counted at its highest cost.
      if (reservedNanoUsd === undefined) return
      const closed = await close.get(request)
      if (closed && answer !== null) await texts.save({ runId, key, ...closed, text: answer })
      await replace.run({ runId, costNanoUsd, reservedNanoUsd })
    },
  }
}

/** The key of a prompt's own words; answers have the keys of their requests. */
const ofPrompt = ''

interface TextRow {
  runId: string
  position: number
  key: string
  text: string
}

function openTexts(sql: Sql) {
  const insert = sql.prepare<TextRow>(`
    INSERT INTO tuning_texts (run_id, position, key, text)
    VALUES (:runId, :position, :key, :text)`)
  const remove = sql.prepare<Pick<TextRow, 'runId' | 'position'>>(
    'DELETE FROM tuning_texts WHERE run_id = :runId AND position = :position',
  )
  return {
    save: (row: TextRow) => sql.overwriting(() => insert.run(row)),
    remove: (place: Pick<TextRow, 'runId' | 'position'>) =>
      sql.overwriting(() => remove.run(place)),
  }
}

function openOutcomes(sql: Sql): Pick<Functions, 'prompts' | 'requests' | 'grade'> {
  const textOf = (table: string, key: string) => `
    LEFT JOIN tuning_texts AS words
      ON words.run_id = ${table}.run_id AND words.position = ${table}.position AND words.key = ${key}`
  const prompts = sql.prepare<[string], StoredTuningPrompt>(`
    SELECT prompt.position, words.text, reading, outcome FROM tuning_prompts AS prompt
    ${textOf('prompt', `'${ofPrompt}'`)}
    WHERE prompt.run_id = ? ORDER BY prompt.position`)
  const requests = sql.prepare<[string], StoredTuningRequest>(`
    SELECT request.key, request.position, state, cost_nano_usd AS "costNanoUsd", words.text AS answer
    FROM tuning_requests AS request ${textOf('request', 'request.key')}
    WHERE request.run_id = ? ORDER BY request.position, request.key`)
  const grade = sql.prepare<{
    runId: string
    position: number
    outcome: string
    isGraded: number
  }>(`
    UPDATE tuning_prompts SET outcome = :outcome, is_graded = :isGraded
    WHERE run_id = :runId AND position = :position`)
  const texts = openTexts(sql)
  return {
    prompts: (id: string) => prompts.all(id),
    requests: (id: string) => requests.all(id),
    async grade({ isGraded, ...prompt }) {
      await grade.run({ ...prompt, isGraded: Number(isGraded) })
      await texts.remove(prompt)
    },
  }
}
