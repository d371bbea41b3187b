/** Stores the callers of each key, and unexpected calls. Both tables are bounded by the keys and routers that exist. */
import { callerKinds, type UnexpectedCall } from '../../../shared/requests/unexpected-call.ts'
import {
  mostCallersOfKey,
  type AcceptedSpike,
  type DailyAmount,
  type NewSighting,
  type Sighting,
  type UnexpectedCallStore,
} from '../unexpected-call-store.ts'
import { totalOf } from './fragments.ts'
import { toUsd } from './money.ts'
import { resolutions } from './rollups.ts'
import type { Sql } from './sql.ts'

const { dayMs } = resolutions

export function openUnexpectedCalls(sql: Sql): UnexpectedCallStore {
  return {
    ...openCallers(sql),
    ...openCalls(sql),
    amounts: openAmounts(sql),
    prune: openPrune(sql),
  }
}

function openCallers(sql: Sql): Pick<UnexpectedCallStore, 'see'> {
  const touch = sql.prepare<Sighting>(`
    UPDATE key_callers SET last_at_ms = ${sql.dialect.greatest('last_at_ms', 'CAST(:atMs AS BIGINT)')}
    WHERE api_key_id = :apiKeyId AND kind = :kind AND value = :value`)
  const knownSince = sql
    .prepare<[string], number | null>(
      'SELECT min(first_at_ms) FROM key_callers WHERE api_key_id = ?',
    )
    .pluck()
  const count = sql
    .prepare<[string, string], number>(
      'SELECT count(*) FROM key_callers WHERE api_key_id = ? AND kind = ?',
    )
    .pluck()
  const insert = sql.prepare<Sighting>(`
    INSERT INTO key_callers (api_key_id, kind, value, first_at_ms, last_at_ms)
    VALUES (:apiKeyId, :kind, :value, CAST(:atMs AS BIGINT), CAST(:atMs AS BIGINT))
    ON CONFLICT (api_key_id, kind, value) DO NOTHING`)
  const removeOldest = sql.prepare<Pick<Sighting, 'apiKeyId' | 'kind'>>(`
    DELETE FROM key_callers WHERE api_key_id = :apiKeyId AND kind = :kind AND value = (
      SELECT value FROM key_callers WHERE api_key_id = :apiKeyId AND kind = :kind
      ORDER BY last_at_ms, value LIMIT 1
    )`)

  const add = async (sighting: Sighting): Promise<NewSighting | null> => {
    const { apiKeyId, kind } = sighting
    if ((await touch.run(sighting)).changes > 0) return null
    const knownSinceMs = (await knownSince.get(apiKeyId)) ?? null
    const isFull = ((await count.get(apiKeyId, kind)) ?? 0) >= mostCallersOfKey
    // Another node may have stored it meanwhile.
    if ((await insert.run(sighting)).changes === 0) return null
    if (isFull) await removeOldest.run({ apiKeyId, kind })
    return { ...sighting, knownSinceMs, isFull }
  }
  return {
    async see(sightings) {
      const added: NewSighting[] = []
      for (const sighting of sightings) {
        const isNew = await add(sighting)
        if (isNew !== null) added.push(isNew)
      }
      return added
    },
  }
}

const ofOwner = `owner_id = :ownerId AND (CAST(:kind AS TEXT) IS NULL OR kind = :kind)`
const isCaller = `kind IN (${callerKinds.map((kind) => `'${kind}'`).join(', ')})`

function openCalls(sql: Sql): Omit<UnexpectedCallStore, 'see' | 'amounts' | 'prune'> {
  const add = sql.prepare<Omit<UnexpectedCall, 'firstAtMs' | 'others'>>(`
    UPDATE unexpected_calls SET
      last_at_ms = :lastAtMs, value = :value, others = others + 1, amount = :amount, usual = :usual
    WHERE owner_id = :ownerId AND kind = :kind AND dismissed_at_ms IS NULL`)
  const open = sql.prepare<Omit<UnexpectedCall, 'firstAtMs' | 'others'>>(`
    INSERT INTO unexpected_calls
      (owner_kind, owner_id, kind, first_at_ms, last_at_ms, value, others, amount, usual, dismissed_at_ms)
    VALUES
      (:ownerKind, :ownerId, :kind, CAST(:lastAtMs AS BIGINT), CAST(:lastAtMs AS BIGINT), :value, 0, :amount, :usual, NULL)
    ON CONFLICT (owner_id, kind) DO UPDATE SET
      first_at_ms = excluded.first_at_ms, last_at_ms = excluded.last_at_ms, value = excluded.value,
      others = 0, amount = excluded.amount, usual = excluded.usual, dismissed_at_ms = NULL`)
  const list = sql.prepare<[], UnexpectedCall>(`
    SELECT owner_kind AS "ownerKind", owner_id AS "ownerId", kind, first_at_ms AS "firstAtMs",
           last_at_ms AS "lastAtMs", value, others, amount, usual
    FROM unexpected_calls WHERE dismissed_at_ms IS NULL ORDER BY last_at_ms DESC, owner_id, kind`)
  const forget = sql.prepare<{ ownerId: string; kind: string | null }>(`
    DELETE FROM unexpected_calls WHERE ${ofOwner} AND ${isCaller}`)
  const accept = sql.prepare<{ ownerId: string; kind: string | null; nowMs: number }>(`
    UPDATE unexpected_calls SET dismissed_at_ms = CAST(:nowMs AS BIGINT)
    WHERE ${ofOwner} AND dismissed_at_ms IS NULL`)
  const accepted = sql.prepare<[], AcceptedSpike>(`
    SELECT owner_id AS "ownerId", kind, amount, dismissed_at_ms AS "dismissedAtMs"
    FROM unexpected_calls WHERE dismissed_at_ms IS NOT NULL`)
  return {
    async report(call) {
      if ((await add.run(call)).changes > 0) return false
      await open.run(call)
      return true
    },
    list: () => list.all(),
    async dismiss({ ownerId, kind = null }, nowMs) {
      // The caller is known from now on; of a spike, the accepted amount counts.
      const callers = await forget.run({ ownerId, kind })
      const spikes = await accept.run({ ownerId, kind, nowMs })
      return callers.changes + spikes.changes > 0
    },
    accepted: () => accepted.all(),
  }
}

const owners = [
  ['key', 'api_key_id'],
  ['router', 'router_id'],
] as const

/** Reads the roll-ups per day, which are never deleted, and refusals of any length. */
function openAmounts(sql: Sql): UnexpectedCallStore['amounts'] {
  const prepare = (text: (column: string) => string) =>
    owners.map(([ownerKind, column]) =>
      sql.prepare<[sinceMs: number], DailyAmount>(
        `SELECT '${ownerKind}' AS "ownerKind", ${column} AS "ownerId", ${text(column)}`,
      ),
    )
  const refusals = prepare(
    (column) => `
      counts.start_ms - counts.start_ms % ${dayMs} AS "startMs", ${totalOf('refusals')} AS amount
      FROM refusal_counts AS counts JOIN refusal_kinds AS kinds ON kinds.id = counts.kind_id
      WHERE counts.start_ms >= ? AND ${column} <> ''
      GROUP BY ${column}, counts.start_ms - counts.start_ms % ${dayMs}`,
  )
  const nanoUsd = prepare(
    (column) => `
      start_ms AS "startMs", ${totalOf('cost_nano_usd')} AS amount FROM usage_rollups
      WHERE length_ms = ${dayMs} AND start_ms >= ? AND ${column} <> '' GROUP BY ${column}, start_ms`,
  )
  const read = async (statements: typeof refusals, sinceMs: number) => {
    const days: DailyAmount[] = []
    for (const statement of statements) days.push(...(await statement.all(sinceMs)))
    return days
  }
  return async (kind, sinceMs) => {
    if (kind === 'refusals') return await read(refusals, sinceMs)
    const days = await read(nanoUsd, sinceMs)
    return days.map((day) => ({ ...day, amount: toUsd(day.amount) }))
  }
}

function openPrune(sql: Sql): UnexpectedCallStore['prune'] {
  const callers = sql.prepare<[number]>('DELETE FROM key_callers WHERE last_at_ms < ?')
  const calls = sql.prepare<[number]>('DELETE FROM unexpected_calls WHERE last_at_ms < ?')
  return async (beforeMs) => {
    await callers.run(beforeMs)
    await calls.run(beforeMs)
  }
}
