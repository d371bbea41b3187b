/**
 * A bounded pool of connections to PostgreSQL, each with the stores' statements. Each call of a store's function is one
 * transaction, which PgBouncer in transaction mode can run on any server connection.
 */
import { Socket } from 'node:net'
import { Client, Pool, type ClientConfig, type PoolClient, type PoolConfig } from 'pg'
import { openConnection, type ConnectionUse } from '../../../shared/app/open-connection.ts'
import { StorageUnavailable } from '../storage-errors.ts'
import { lockOfProcess } from './leases/predecessors.ts'
import { isConcurrencyFailure, toStorageError } from './postgres-errors.ts'
import { toSql, type PostgresSql } from './postgres-sql.ts'
import { openStores, type Node, type PostgresStores } from './stores.ts'
import { valueTypes } from './value-types.ts'

/** Connections of a node. Writes of one store wait for each other anyway, and reports are rare. */
const poolSize = 10
/** How long a call waits for a connection. */
const connectMs = 5_000
/** The limit of a statement; the client waits a little longer than the server. */
const statementMs = 30_000
const lockMs = 10_000
/** Attempts of work whose transaction conflicts with others. */
const maxAttempts = 8

export interface Connection {
  client: PoolClient
  sql: PostgresSql
  stores: PostgresStores
}

export interface Connections {
  /** Host, port and database, for errors. */
  server: string
  /** One connection without a transaction. Work runs again after its transaction conflicted with another. */
  use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** A transaction that sees one state of the database and changes nothing. */
  read<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** A transaction. @param lock  of transactions with one lock, one runs at a time */
  write<Result>(
    work: (connection: Connection) => Promise<Result>,
    lock?: number | null,
  ): Promise<Result>
  counts(): { used: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** @param url  with `sslmode` and certificates in the form of PostgreSQL's URLs */
export function openConnections(
  url: string,
  node: Node,
  counted: ConnectionUse | null = null,
): Connections {
  const server = serverOf(url)
  const pool = new Pool({ ...poolOptions, connectionString: url, stream: socketFor(counted) })
  // An idle connection that breaks is replaced by the next call.
  pool.on('error', () => {})
  const opened = new WeakMap<PoolClient, Connection>()

  const connectionOf = (client: PoolClient): Connection => {
    const known = opened.get(client)
    if (known) return known
    // An error between two statements has no call to reject, and without a listener it would end the process. The next
    // statement fails.
    client.on('error', () => {})
    const sql = toSql(client, server)
    const connection = { client, sql, stores: openStores(sql, node) }
    opened.set(client, connection)
    return connection
  }
  const useOnce: Connections['use'] = async (work) => {
    let client: PoolClient
    try {
      client = await pool.connect()
    } catch (error) {
      throw toStorageError(error, server)
    }
    let isBroken = false
    try {
      return await work(connectionOf(client))
    } catch (error) {
      isBroken = error instanceof StorageUnavailable
      throw error
    } finally {
      // A connection with a failed transaction is closed: its state is unknown.
      client.release(isBroken)
    }
  }
  const use: Connections['use'] = (work) => repeatAfterConflict(() => useOnce(work), server)
  const inTransaction = <Result>(
    begin: string,
    work: (connection: Connection) => Promise<Result>,
  ) => use((connection) => connection.sql.transaction(() => work(connection), begin))

  return {
    server,
    use,
    read: (work) => inTransaction(`${beginReading}; ${timeLimits}`, work),
    write: inTurns(server, async (work, lock) => {
      const hold = lock === null ? '' : `; SELECT pg_advisory_xact_lock(${storesLock}, ${lock})`
      return inTransaction(`BEGIN; ${timeLimits}; ${identify(node)}${hold}`, work)
    }),
    counts: () => countsOf(pool),
    close: () => pool.end(),
  }
}

async function repeatAfterConflict<Result>(
  work: () => Promise<Result>,
  server: string,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isConcurrencyFailure(error)) throw error
      if (attempt === maxAttempts) throw toStorageError(error, server)
    }
  }
}

/**
 * Runs writes with the same lock one after another on one connection. Otherwise each would hold a connection while it
 * waits on the server, and none would be left for anything else.
 */
function inTurns(
  server: string,
  write: <Result>(
    work: (connection: Connection) => Promise<Result>,
    lock: number | null,
  ) => Promise<Result>,
): Connections['write'] {
  const last = new Map<number, Promise<unknown>>()
  return (work, lock = null) => {
    if (lock === null) return write(work, lock)
    const beganMs = performance.now()
    const run = () => {
      if (performance.now() - beganMs < connectMs) return write(work, lock)
      throw new StorageUnavailable(`PostgreSQL at ${server}: too many changes wait`)
    }
    const result = (last.get(lock) ?? Promise.resolve()).then(run)
    last.set(
      lock,
      result.catch(() => null),
    )
    return result
  }
}

/** The same connections; `onFailure` is called after each call that PostgreSQL could not answer. */
export function reportFailures(connections: Connections, onFailure: () => void): Connections {
  const reported = <Result>(result: Promise<Result>): Promise<Result> => {
    result.catch((error: unknown) => {
      if (error instanceof StorageUnavailable) onFailure()
    })
    return result
  }
  return {
    ...connections,
    use: (work) => reported(connections.use(work)),
    read: (work) => reported(connections.read(work)),
    write: (work, lock) => reported(connections.write(work, lock)),
  }
}

function countsOf({
  totalCount,
  idleCount,
  waitingCount,
}: Pool): ReturnType<Connections['counts']> {
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

const clientOptions: ClientConfig = {
  connectionTimeoutMillis: connectMs,
  keepAlive: true,
  application_name: 'modelport',
  types: valueTypes,
}

const poolOptions: PoolConfig = {
  ...clientOptions,
  max: poolSize,
  idleTimeoutMillis: 60_000,
  query_timeout: statementMs + 2_000,
}

/** How the client opens each of its sockets. */
function socketFor(use: ConnectionUse | null): () => Socket {
  return () => openConnection('postgres', use, () => new Socket())
}

/** Work on one connection whose statements may take long. */
export async function withClient<Result>(
  url: string,
  use: ConnectionUse | null,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ ...clientOptions, connectionString: url, stream: socketFor(use) })
  // A connection that breaks between two statements has no call to reject. The next statement fails.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Options of a connection that only listens. */
export function toChannelConfig(url: string, use: ConnectionUse | null): ClientConfig {
  return {
    stream: socketFor(use),
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: 'modelport listener',
  }
}

const beginReading = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
const timeLimits = `SET LOCAL statement_timeout = ${statementMs}; SET LOCAL lock_timeout = ${lockMs}`
/** The first of two numbers that name a lock of a store. */
const storesLock = 1_297_040_211

/** Names the node for the default of the column `node`. The lock tells the node's next process that this transaction runs. */
function identify({ id }: Node): string {
  const lock = lockOfProcess(id)
  return `SET LOCAL modelport.node = '${id}'; SELECT pg_advisory_xact_lock_shared(${lock})`
}

/** `db.example.com:5432/modelport` */
export function serverOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
