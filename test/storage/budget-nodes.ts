/** Nodes that lease budgets from one PostgreSQL database, in one process. */
import { Client, Pool } from 'pg'
import { onTestFinished } from 'vitest'
import {
  openBudgetLeases,
  type BudgetLeases,
} from '../../src/service/storage/postgres/leases/budget-leases.ts'
import { LeasedBudgets } from '../../src/service/storage/postgres/leases/leased-budgets.ts'
import { lockOfProcess } from '../../src/service/storage/postgres/leases/predecessors.ts'
import { migrate } from '../../src/service/storage/postgres/migrations/index.ts'
import { toSql } from '../../src/service/storage/postgres/postgres-sql.ts'
import { valueTypes } from '../../src/service/storage/postgres/value-types.ts'
import type { BudgetOwner } from '../../src/service/storage/budget-store.ts'
import { StorageUnavailable } from '../../src/service/storage/storage-errors.ts'
import type { Sql } from '../../src/service/storage/sql/sql.ts'
import type { DayCost, Ledger } from '../../src/service/storage/storage.ts'
import { postgresDatabase } from './postgres-database.ts'

const dayMs = 86_400_000

export interface BudgetNode {
  process: string
  budgets: LeasedBudgets
  /** Settles a request and stores its row. */
  finish(requestId: string, owners: readonly BudgetOwner[], costNanoUsd: number): Promise<void>
  /** Ends the leases of another process. */
  endLeasesOf(process: string): Promise<boolean>
  /** Monotonic; advancing it lets the node's leases become idle or its fence close. */
  clock: { nowMs: number }
  database: {
    isReachable: boolean
    /** Called in each transaction after it read the costs. */
    afterCosts(): Promise<void>
  }
}

export interface BudgetCluster {
  nowMs: number
  node(): BudgetNode
  spent(ownerId: string): Promise<number>
  /** Money leased by all nodes, as PostgreSQL has it. */
  leased(ownerId: string): Promise<number>
  /** Makes PostgreSQL's clock say that the leases of all nodes ended. */
  expire(): Promise<void>
  /** Makes PostgreSQL's clock say that no node has renewed its leases for some time. */
  pass(milliseconds: number): Promise<void>
  query(text: string): Promise<void>
}

export async function startBudgetCluster(nowMs: number): Promise<BudgetCluster> {
  const connectionString = await postgresDatabase()
  const client = new Client({ connectionString, types: valueTypes })
  await client.connect()
  await migrate(client)
  await client.query('CREATE TABLE test_costs (owner_id TEXT, day_ms BIGINT, nano_usd BIGINT)')
  const pool = new Pool({ connectionString, types: valueTypes, max: 12 })
  onTestFinished(async () => {
    await pool.end()
    await client.end()
  })
  const sql = toSql(client, 'test')
  const sum = (text: string) => sql.prepare<[string], number>(text).pluck()
  const spent = sum('SELECT coalesce(sum(nano_usd), 0) FROM test_costs WHERE owner_id = ?')
  const leased = sum(
    "SELECT coalesce(sum(nano_usd), 0) FROM budget_leases WHERE owner_id = ? AND period = 'day'",
  )
  let nodes = 0
  return {
    nowMs,
    node: () => openNode(pool, nowMs, `process${(nodes += 1)}`),
    spent: async (id) => (await spent.get(id)) ?? 0,
    leased: async (id) => (await leased.get(id)) ?? 0,
    async expire() {
      await client.query('UPDATE lease_holders SET ends_at_ms = 0')
    },
    async pass(milliseconds) {
      await client.query(`UPDATE lease_holders SET ends_at_ms = ends_at_ms - ${milliseconds}`)
    },
    async query(text) {
      await client.query(text)
    },
  }
}

function openNode(pool: Pool, nowMs: number, process: string): BudgetNode {
  const clock = { nowMs: 0 }
  const database = { isReachable: true, afterCosts: async () => {} }
  const run = async <Result>(work: (leases: BudgetLeases, sql: Sql) => Promise<Result>) => {
    if (!database.isReachable) throw new StorageUnavailable('PostgreSQL is gone.')
    const connection = await pool.connect()
    try {
      const sql = toSql(connection, 'test')
      return await sql.transaction(
        () => work(openBudgetLeases(sql, costsOf(sql, database)), sql),
        `BEGIN; SELECT pg_advisory_xact_lock_shared(${lockOfProcess(process)})`,
      )
    } finally {
      connection.release()
    }
  }
  const read = () => clock.nowMs
  const budgets = new LeasedBudgets({ process, run, clock: read, wallClock: read })
  return {
    process,
    budgets,
    clock,
    database,
    endLeasesOf: (other) => run((leases) => leases.removeOf(other)),
    async finish(requestId, owners, costNanoUsd) {
      await budgets.settle({ requestId, owners, costNanoUsd, nowMs })
      await run(async (_, sql) => {
        const insert = sql.prepare<[string, number, number]>(
          'INSERT INTO test_costs VALUES (?, ?, ?)',
        )
        for (const { id } of owners) await insert.run(id, nowMs - (nowMs % dayMs), costNanoUsd)
      })
      budgets.recorded(requestId)
    },
  }
}

function costsOf(sql: Sql, database: BudgetNode['database']): Ledger['costsByDay'] {
  const statement = sql.prepare<[string, number], DayCost>(`
    SELECT day_ms AS "dayStartMs", CAST(sum(nano_usd) AS BIGINT) AS "costNanoUsd" FROM test_costs
    WHERE owner_id = ? AND day_ms >= ? GROUP BY 1`)
  return async ({ id, sinceMs }) => {
    const costs = await statement.all(id, sinceMs)
    await database.afterCosts()
    return costs
  }
}
