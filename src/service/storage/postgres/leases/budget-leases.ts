/**
 * Leases of budgets in PostgreSQL. What a period's requests cost is in the ledger; a lease is what a node may spend in
 * addition to its rows. A grant holds the lock of the budget's owner, so of several nodes one at a time computes what is left.
 * A lease that ended is deleted and nothing is added in its place: its node's rows count already. So it comes back once,
 * whoever deletes it.
 */
import type { BudgetOwner } from '../../budget-store.ts'
import type { DayCost, Ledger } from '../../storage.ts'
import type { Sql } from '../../sql/sql.ts'
import { leaseMs } from './fence.ts'
import { lockOfProcess } from './predecessors.ts'

/** Time after its last renewal for which a process counts as alive, even if its data folder says otherwise. */
const silentMs = 5_000

export type LeasedPeriod = 'day' | 'month'

/** What a node may spend in a budget's day or month, in addition to its rows in the ledger. */
export interface Lease {
  period: LeasedPeriod
  startMs: number
  nanoUsd: number
}

export interface OwnedLease extends Lease {
  owner: BudgetOwner
}

/** An owner's spending and the leases of other nodes. */
export interface OwnerView {
  costs: readonly DayCost[]
  otherLeases: readonly Lease[]
}

/** A lease to store; with a check that it keeps the limit when it grew. */
export interface GrantedLease extends Lease {
  limit: { nanoUsd: number; spentNanoUsd: number } | null
}

interface OwnerQuery {
  holder: string
  owner: BudgetOwner
  /** The start of a month. */
  sinceMs: number
}

/** A holder is a process that has leases. Its id is `<process>.<number>`, with a new number after its leases ended. */
export interface BudgetLeases {
  view(query: OwnerQuery): Promise<OwnerView>
  /** Registers a node with the leases that it needs for requests in progress, whatever the limits. */
  register(holder: string, leases: readonly OwnedLease[]): Promise<void>
  /**
   * Extends the leases of a node, and stores those that changed.
   * @returns false when they have ended and were deleted
   */
  renew(holder: string, changed: readonly OwnedLease[]): Promise<boolean>
  /**
   * @param decide  computes the node's leases from what the database has
   * @returns false when the node's leases have ended and were deleted
   */
  grant(query: OwnerQuery, decide: (view: OwnerView) => readonly GrantedLease[]): Promise<boolean>
  /** Removes the holder at an orderly stop. */
  remove(holder: string): Promise<void>
  /** Ends the leases of a dead process. @returns false when leases remain: call it again later */
  removeOf(process: string): Promise<boolean>
}

/** @param costsByDay  reads the same transaction */
export function openBudgetLeases(sql: Sql, costsByDay: Ledger['costsByDay']): BudgetLeases {
  const statements = prepare(sql)
  const view = (query: OwnerQuery) => readView(query, statements, costsByDay)
  return {
    view,
    async register(holder, leases) {
      await statements.register.run(holder)
      await store(statements, holder, leases)
    },
    async renew(holder, changed) {
      if ((await statements.renew.run(holder)).changes === 0) return false
      if (changed.length > 0) await store(statements, holder, changed)
      return true
    },
    async grant(query, decide) {
      const { holder, owner } = query
      await statements.lock.get(`${owner.kind}:${owner.id}`)
      await statements.removeEnded.run()
      if ((await statements.find.get(holder)) === undefined) return false
      const leases = decide(await view(query))
      if (leases.length === 0) return true
      const owned = leases.map(({ period, startMs, nanoUsd }) => ({
        owner,
        period,
        startMs,
        nanoUsd,
      }))
      await store(statements, holder, owned)
      await check(statements, owner, leases)
      return true
    },
    async remove(holder) {
      await statements.remove.run(holder)
    },
    async removeOf(process) {
      const tryLock = `SELECT pg_try_advisory_xact_lock(${lockOfProcess(process)})`
      if (!(await sql.prepare<[], boolean>(tryLock).pluck().get())) return false
      await statements.removeSilent.run(process)
      return (await statements.findOf.get(process)) === undefined
    },
  }
}

async function readView(
  { holder, owner, sinceMs }: OwnerQuery,
  { others }: Statements,
  costsByDay: Ledger['costsByDay'],
): Promise<OwnerView> {
  const { kind, id } = owner
  // Before the costs: a node lowers its lease after its row is in the ledger, so both may count, but never neither.
  const otherLeases = await others.all({ holder, kind, id, sinceMs })
  const costs: DayCost[] = []
  for (const spenderId of owner.spenderIds)
    costs.push(...(await costsByDay({ owner: kind, id: spenderId, sinceMs })))
  return { costs, otherLeases }
}

async function store(
  { save, removeEmpty }: Statements,
  holder: string,
  leases: readonly OwnedLease[],
): Promise<void> {
  const rows = leases.map(({ owner: { kind, id }, ...lease }) => ({ kind, id, ...lease }))
  await save.run({ holder, list: JSON.stringify(rows) })
  await removeEmpty.run(holder)
}

/** Checks the sum; the table's constraint refuses one above the limit. */
async function check(
  statements: Statements,
  { kind, id }: BudgetOwner,
  leases: readonly GrantedLease[],
): Promise<void> {
  for (const { period, startMs, limit } of leases) {
    if (limit === null) continue
    const { nanoUsd: limitNanoUsd, spentNanoUsd } = limit
    await statements.check.run({ kind, id, period, startMs, limitNanoUsd, spentNanoUsd })
  }
}

const nowMs = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)'

type Statements = ReturnType<typeof prepare>

function prepare(sql: Sql) {
  return {
    // Of the transaction, because PgBouncer may give the next one another connection.
    lock: sql.prepare<[string]>(
      "SELECT pg_advisory_xact_lock(hashtextextended('budget ' || CAST(? AS TEXT), 0))",
    ),
    register: sql.prepare<[string]>(
      `INSERT INTO lease_holders (id, ends_at_ms) VALUES (?, ${nowMs} + ${leaseMs})`,
    ),
    renew: sql.prepare<[string]>(
      `UPDATE lease_holders SET ends_at_ms = ${nowMs} + ${leaseMs} WHERE id = ?`,
    ),
    // The lock keeps the holder until the end of the transaction.
    find: sql.prepare<[string]>('SELECT 1 FROM lease_holders WHERE id = ? FOR KEY SHARE'),
    remove: sql.prepare<[string]>('DELETE FROM lease_holders WHERE id = ?'),
    removeSilent: sql.prepare<[string]>(
      `DELETE FROM lease_holders
       WHERE split_part(id, '.', 1) = ? AND ends_at_ms < ${nowMs} + ${leaseMs - silentMs}`,
    ),
    findOf: sql.prepare<[string]>("SELECT 1 FROM lease_holders WHERE split_part(id, '.', 1) = ?"),
    removeEnded: sql.prepare<[]>(`DELETE FROM lease_holders WHERE ends_at_ms < ${nowMs}`),
    others: sql.prepare<{ holder: string; kind: string; id: string; sinceMs: number }, Lease>(`
      SELECT period, start_ms AS "startMs", CAST(sum(nano_usd) AS BIGINT) AS "nanoUsd"
      FROM budget_leases
      WHERE kind = :kind AND owner_id = :id AND holder <> :holder AND start_ms >= :sinceMs
      GROUP BY period, start_ms`),
    save: sql.prepare<{ holder: string; list: string }>(`
      INSERT INTO budget_leases (holder, kind, owner_id, period, start_ms, nano_usd)
        SELECT :holder, kind, id, period, "startMs", "nanoUsd" FROM json_to_recordset(CAST(:list AS JSON))
          AS leases (kind TEXT, id TEXT, period TEXT, "startMs" BIGINT, "nanoUsd" BIGINT)
      ON CONFLICT (kind, owner_id, period, start_ms, holder)
        DO UPDATE SET nano_usd = excluded.nano_usd`),
    removeEmpty: sql.prepare<[string]>(
      'DELETE FROM budget_leases WHERE holder = ? AND nano_usd = 0',
    ),
    check: sql.prepare<{
      kind: string
      id: string
      period: LeasedPeriod
      startMs: number
      limitNanoUsd: number
      spentNanoUsd: number
    }>(`
      INSERT INTO budget_grants (kind, owner_id, period, start_ms, limit_nano_usd, spent_nano_usd, leased_nano_usd)
        SELECT :kind, :id, :period, :startMs, :limitNanoUsd, :spentNanoUsd, sum(nano_usd)
        FROM budget_leases
        WHERE kind = :kind AND owner_id = :id AND period = :period AND start_ms = :startMs
      ON CONFLICT (kind, owner_id, period) DO UPDATE SET
        start_ms = excluded.start_ms, limit_nano_usd = excluded.limit_nano_usd,
        spent_nano_usd = excluded.spent_nano_usd, leased_nano_usd = excluded.leased_nano_usd`),
  }
}
