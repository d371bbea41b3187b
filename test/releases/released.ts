/** What is kept of every released version: a folder of its own, and the checksums of its migrations. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { migrations as ofPostgres } from '../../src/service/storage/postgres/migrations/index.ts'
import { migrations as ofSqlite } from '../../src/service/storage/sqlite/migrations/index.ts'

export const releasesFolder = import.meta.dirname
export const checksumsFile = join(releasesFolder, 'checksums.json')

const releaseSchema = z.strictObject({
  /** The number of the version's last migration, and the SHA-256 of all its migrations. */
  sqlite: z.strictObject({ schema: z.int(), sha256: z.string() }),
  postgres: z.strictObject({ schema: z.int(), sha256: z.string() }),
})
export type Release = z.output<typeof releaseSchema>

/** Releases by version. */
export function readReleases(): Record<string, Release> {
  return z.record(z.string(), releaseSchema).parse(JSON.parse(readFileSync(checksumsFile, 'utf8')))
}

/** Checksums of this program's migrations up to those that a version had. */
export function checksums(upTo: { sqlite: number; postgres: number }): Release {
  return {
    sqlite: { schema: upTo.sqlite, sha256: sha256(ofSqlite, upTo.sqlite) },
    postgres: { schema: upTo.postgres, sha256: sha256(ofPostgres, upTo.postgres) },
  }
}

function sha256(migrations: readonly { version: number }[], last: number): string {
  const released = migrations.filter(({ version }) => version <= last)
  return createHash('sha256').update(JSON.stringify(released)).digest('hex')
}
