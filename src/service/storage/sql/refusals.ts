/** Refusals. Whatever is refused, the tables stay small: docs/decisions/2026-11-23-refusals.md. */
import type {
  RefusalCount,
  RefusalKind,
  RefusalListQuery,
  RefusalQuery,
  RefusedRequest,
} from '../../../shared/requests/refusal.ts'
import { mostNewestRefusals, type RefusalStore } from '../refusal-store.ts'
import { resolutions } from './rollups.ts'
import type { Sql } from './sql.ts'

const { minuteMs, hourMs, dayMs } = resolutions

const mostKinds = 4_000
const mostCounts = 20_000
/** Kinds without counts that are deleted at once: for each, the database searches both other tables. */
const removedKinds = 100
/** Old ids are deleted after this many new ones, because finding them reads all of them. */
const trimmedAfter = 1_000

export function openRefusals(sql: Sql): RefusalStore {
  return { ...openAdd(sql), ...openReads(sql), prune: openPrune(sql) }
}

/** A key or router that is not named is the empty text: NULL would never equal itself in a unique index. */
type StoredKind = Record<keyof RefusalKind, string>

function toStored({ apiKeyId, routerId, code, door }: RefusalKind): StoredKind {
  return { apiKeyId: apiKeyId ?? '', routerId: routerId ?? '', code, door }
}

function openAdd(sql: Sql): Pick<RefusalStore, 'add'> {
  const kindIdOf = openKinds(sql)
  const addCount = sql.prepare<[startMs: number, kindId: number, count: number]>(`
    INSERT INTO refusal_counts (start_ms, length_ms, kind_id, refusals) VALUES (?, ${minuteMs}, ?, ?)
    ON CONFLICT (length_ms, start_ms, kind_id)
    DO UPDATE SET refusals = refusal_counts.refusals + excluded.refusals`)
  const addNewest = sql.prepare<[id: string, atMs: number, kindId: number]>(`
    INSERT INTO newest_refusals (id, at_ms, kind_id) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING`)
  const trim = sql.prepare(`
    DELETE FROM newest_refusals WHERE id <= (
      SELECT id FROM newest_refusals ORDER BY id DESC LIMIT 1 OFFSET ${mostNewestRefusals}
    )`)
  let addedSinceTrim = trimmedAfter
  return {
    async add({ counts, newest }) {
      const ids = new Map<string, number>()
      const idOf = async (kind: RefusalKind) => {
        const stored = toStored(kind)
        const name = Object.values(stored).join('\n')
        const id = ids.get(name) ?? (await kindIdOf(stored))
        ids.set(name, id)
        return id
      }
      for (const { kind, startMs, count } of counts)
        await addCount.run(startMs, await idOf(kind), count)
      for (const request of newest)
        await addNewest.run(request.id, request.atMs, await idOf(request))
      addedSinceTrim += newest.length
      if (addedSinceTrim < trimmedAfter) return
      await trim.run()
      addedSinceTrim = 0
    },
  }
}

/** Finds or adds a kind. Beyond `mostKinds`, kinds differ only by code and door. */
function openKinds(sql: Sql): (kind: StoredKind) => Promise<number> {
  const find = sql
    .prepare<StoredKind, number>(`
      SELECT id FROM refusal_kinds
      WHERE api_key_id = :apiKeyId AND router_id = :routerId AND code = :code AND door = :door`)
    .pluck()
  const countAll = sql.prepare<[], number>('SELECT count(*) FROM refusal_kinds').pluck()
  const insert = sql.prepare<StoredKind>(`
    INSERT INTO refusal_kinds (api_key_id, router_id, code, door)
    VALUES (:apiKeyId, :routerId, :code, :door)
    ON CONFLICT (api_key_id, router_id, code, door) DO NOTHING`)
  return async (kind) => {
    const known = await find.get(kind)
    if (known !== undefined) return known
    const isFull = ((await countAll.get()) ?? 0) >= mostKinds
    const added = isFull ? { ...kind, apiKeyId: '', routerId: '' } : kind
    await insert.run(added)
    const id = await find.get(added)
    if (id === undefined) throw new Error('A kind of refusals was not stored')
    return id
  }
}

const kindColumns = `
  nullif(kinds.api_key_id, '') AS "apiKeyId", nullif(kinds.router_id, '') AS "routerId", kinds.code, kinds.door`
const ofOwner = `
  (CAST(:routerId AS TEXT) IS NULL OR kinds.router_id = :routerId)
  AND (CAST(:apiKeyId AS TEXT) IS NULL OR kinds.api_key_id = :apiKeyId)`

interface Owner {
  routerId: string | null
  apiKeyId: string | null
}

function ownerOf({ routerId, apiKeyId }: Omit<RefusalQuery, 'sinceMs'>): Owner {
  return { routerId: routerId ?? null, apiKeyId: apiKeyId ?? null }
}

function openReads(sql: Sql): Omit<RefusalStore, 'add' | 'prune'> {
  const counts = sql.prepare<Owner & { sinceMs: number }, RefusalCount>(`
    SELECT ${kindColumns}, CAST(sum(counts.refusals) AS BIGINT) AS count, max(counts.start_ms) AS "lastAtMs"
    FROM refusal_counts AS counts JOIN refusal_kinds AS kinds ON kinds.id = counts.kind_id
    WHERE counts.start_ms + counts.length_ms > :sinceMs AND ${ofOwner}
    GROUP BY kinds.id, kinds.api_key_id, kinds.router_id, kinds.code, kinds.door
    ORDER BY sum(counts.refusals) DESC, kinds.id`)
  const from =
    'FROM newest_refusals AS newest JOIN refusal_kinds AS kinds ON kinds.id = newest.kind_id'
  const columns = `newest.id, newest.at_ms AS "atMs", ${kindColumns}`
  const newest = sql.prepare<
    Owner & Required<Pick<RefusalListQuery, 'limit' | 'fromMs' | 'toMs'>>,
    RefusedRequest
  >(`
    SELECT ${columns} ${from} WHERE newest.at_ms >= :fromMs AND newest.at_ms < :toMs AND ${ofOwner}
    ORDER BY newest.id DESC LIMIT :limit`)
  const get = sql.prepare<[string], RefusedRequest>(`SELECT ${columns} ${from} WHERE newest.id = ?`)
  return {
    counts: ({ sinceMs, ...owner }) => counts.all({ ...ownerOf(owner), sinceMs }),
    newest: ({ limit, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER, ...owner }) =>
      newest.all({ ...ownerOf(owner), limit, fromMs, toMs }),
    get: async (id) => (await get.get(id)) ?? null,
  }
}

/** Merges counts until few enough are left. */
function openPrune(sql: Sql): RefusalStore['prune'] {
  const countAll = sql.prepare<[], number>('SELECT count(*) FROM refusal_counts').pluck()
  const mergeMinutes = openMerge(sql, minuteMs, hourMs)
  const mergeHours = openMerge(sql, hourMs, dayMs)
  const mergeDays = openMergeDays(sql)
  const removeOldest = sql.prepare<[number]>(`
    DELETE FROM refusal_counts WHERE length_ms = ${dayMs} AND start_ms <= (
      SELECT max(start_ms) FROM (
        SELECT start_ms FROM refusal_counts WHERE length_ms = ${dayMs} ORDER BY start_ms LIMIT ?
      ) AS oldest
    )`)
  const removeKinds = sql.prepare(`
    DELETE FROM refusal_kinds WHERE id IN (
      SELECT id FROM refusal_kinds WHERE id NOT IN (SELECT kind_id FROM refusal_counts)
        AND id NOT IN (SELECT kind_id FROM newest_refusals) LIMIT ${removedKinds}
    )`)
  return async ({ minutesBeforeMs, hoursBeforeMs, rowsBeforeMs }, nowMs) => {
    const excess = async () => ((await countAll.get()) ?? 0) - mostCounts
    const today = nowMs - (nowMs % dayMs)
    await mergeMinutes(minutesBeforeMs)
    await mergeHours(hoursBeforeMs)
    await mergeDays(rowsBeforeMs)
    if ((await excess()) > 0) await mergeMinutes(nowMs - (nowMs % hourMs))
    if ((await excess()) > 0) await mergeHours(today)
    if ((await excess()) > 0) await mergeDays(today)
    const left = await excess()
    if (left > 0) await removeOldest.run(left)
    await removeKinds.run()
  }
}

type Merge = (beforeMs: number) => Promise<void>

function openMerge(sql: Sql, fromMs: number, toMs: number): Merge {
  const isOld = `length_ms = ${fromMs} AND start_ms < ?`
  const add = sql.prepare<[number]>(`
    INSERT INTO refusal_counts (start_ms, length_ms, kind_id, refusals)
      SELECT start_ms - start_ms % ${toMs}, ${toMs}, kind_id, CAST(sum(refusals) AS BIGINT)
      FROM refusal_counts WHERE ${isOld} GROUP BY start_ms - start_ms % ${toMs}, kind_id
    ON CONFLICT (length_ms, start_ms, kind_id)
    DO UPDATE SET refusals = refusal_counts.refusals + excluded.refusals`)
  const remove = sql.prepare<[number]>(`DELETE FROM refusal_counts WHERE ${isOld}`)
  return async (beforeMs) => {
    await add.run(beforeMs)
    await remove.run(beforeMs)
  }
}

/** Merges days, which keep only the code and the door. */
function openMergeDays(sql: Sql): Merge {
  const isOld = `
    length_ms = ${dayMs} AND start_ms < ?
    AND kind_id IN (SELECT id FROM refusal_kinds WHERE api_key_id <> '' OR router_id <> '')`
  const addKinds = sql.prepare<[number]>(`
    INSERT INTO refusal_kinds (api_key_id, router_id, code, door)
      SELECT DISTINCT '', '', code, door FROM refusal_kinds
      WHERE id IN (SELECT kind_id FROM refusal_counts WHERE ${isOld})
    ON CONFLICT (api_key_id, router_id, code, door) DO NOTHING`)
  const add = sql.prepare<[number]>(`
    INSERT INTO refusal_counts (start_ms, length_ms, kind_id, refusals)
      SELECT counts.start_ms, ${dayMs}, whole.id, CAST(sum(counts.refusals) AS BIGINT)
      FROM (SELECT * FROM refusal_counts WHERE ${isOld}) AS counts
        JOIN refusal_kinds AS kinds ON kinds.id = counts.kind_id
        JOIN refusal_kinds AS whole ON whole.api_key_id = '' AND whole.router_id = ''
          AND whole.code = kinds.code AND whole.door = kinds.door
      WHERE true GROUP BY counts.start_ms, whole.id
    ON CONFLICT (length_ms, start_ms, kind_id)
    DO UPDATE SET refusals = refusal_counts.refusals + excluded.refusals`)
  const remove = sql.prepare<[number]>(`DELETE FROM refusal_counts WHERE ${isOld}`)
  return async (beforeMs) => {
    for (const step of [addKinds, add, remove]) await step.run(beforeMs)
  }
}
