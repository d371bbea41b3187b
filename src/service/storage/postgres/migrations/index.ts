/**
 * PostgreSQL's schema, in numbered steps; `schema-steps.ts` is where one is added. What no version reads any more is
 * removed one version later. `readable_from` of the newest step is the oldest version whose nodes can still use the
 * schema.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseFromNewerVersion, StorageUnavailable } from '../../storage-errors.ts'
import { inPostgres } from '../in-postgres.ts'
import { waitBriefly } from '../partitions.ts'
import { isConcurrencyFailure, isLockTimeout } from '../postgres-errors.ts'
import type { PostgresClient } from '../postgres-sql.ts'
import { schemaSteps } from '../../sql/schema-steps.ts'
import { initial } from './0010-initial.ts'

interface Migration {
  version: number
  /** Nodes that know at least this step can work with the schema after this one. */
  readableFrom: number
  sql: string
}

export const migrations: readonly Migration[] = [
  { version: 10, readableFrom: 10, sql: initial },
  ...schemaSteps.map(({ version, readableFrom, sql }) => ({
    version,
    readableFrom,
    sql: inPostgres(sql),
  })),
]

/** The newest schema that this program can create. */
export const newestSchema = migrations.at(-1)?.version ?? 0

/** Number of the lock that all nodes of Modelport use for their migrations; any number would do. */
export const migrationsLock = 7_705_180_131

/** Together with the waits for the lock, a minute of attempts. */
const maxAttempts = 15
const pauseMs = 2_000

/**
 * Runs the missing steps, each in a transaction. Of several nodes that start at once, one runs them and the others wait.
 * A step may take long, so the client must not have a limit of time for its statements.
 * @throws DatabaseFromNewerVersion when this version cannot use the schema; nothing was changed. StorageUnavailable when a
 *   table is in use for too long
 */
export async function migrate(
  client: PostgresClient,
  known: readonly Migration[] = migrations,
): Promise<void> {
  for (;;) {
    await client.query({ text: 'BEGIN; SET LOCAL statement_timeout = 0' })
    try {
      // Of the transaction, because PgBouncer may give the next one another connection.
      await client.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [migrationsLock] })
      const next = await nextStep(client, known)
      if (next) await repeatWhileInUse(client, () => run(client, next))
      await client.query({ text: 'COMMIT' })
      if (!next) return
    } catch (error) {
      await client.query({ text: 'ROLLBACK' })
      throw error
    }
  }
}

async function nextStep(
  client: PostgresClient,
  known: readonly Migration[],
): Promise<Migration | undefined> {
  await client.query({
    text: `CREATE TABLE IF NOT EXISTS schema_versions (
      version BIGINT PRIMARY KEY,
      readable_from BIGINT NOT NULL,
      migrated_at TIMESTAMPTZ NOT NULL DEFAULT now()
    )`,
  })
  const { rows } = await client.query({
    text: 'SELECT version, readable_from FROM schema_versions ORDER BY version DESC LIMIT 1',
  })
  const found = Number(rows[0]?.['version'] ?? 0)
  const readableFrom = Number(rows[0]?.['readable_from'] ?? 0)
  const newest = known.at(-1)?.version ?? 0
  if (found > newest && readableFrom > newest)
    throw new DatabaseFromNewerVersion(
      `The database was created by a newer version of Modelport (schema ${found}, this version knows ${newest}). Nothing was changed. Install the newer version on this node.`,
    )
  return known.find(({ version }) => version > found)
}

/**
 * While a step waits for pg_dump or a long report, every request would wait behind it. So it waits briefly, and again after
 * a pause: the end of the savepoint releases the step's locks, but not that of the migrations.
 */
async function repeatWhileInUse(client: PostgresClient, step: () => Promise<void>): Promise<void> {
  await client.query({ text: `${waitBriefly}; SAVEPOINT step` })
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step()
    } catch (error) {
      if (!isLockTimeout(error) && !isConcurrencyFailure(error)) throw error
      if (attempt === maxAttempts) throw new StorageUnavailable(inUse, { cause: error })
    }
    await client.query({ text: 'ROLLBACK TO SAVEPOINT step' })
    await pause(pauseMs)
  }
}

const inUse =
  'The database could not be upgraded: pg_dump or a long report uses a table. Start this version again when it has ended.'

async function run(client: PostgresClient, { version, readableFrom, sql }: Migration) {
  await client.query({ text: sql })
  await client.query({
    text: 'INSERT INTO schema_versions (version, readable_from) VALUES ($1, $2)',
    values: [version, readableFrom],
  })
}
