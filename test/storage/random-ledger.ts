/** A ledger of random requests, for comparing sums with those of its rows. */
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import type { RequestRecord } from '../../src/shared/entities.ts'
import { usageReportQuerySchema, type UsageReport } from '../../src/shared/requests/usage.ts'
import { openDatabase } from '../../src/service/storage/sqlite/database.ts'
import type { LedgerStore } from '../../src/service/storage/sql/ledger.ts'
import { openSqliteLedger } from '../../src/service/storage/sqlite/ledger-parts.ts'
import { toRowValues } from '../../src/service/storage/sql/ledger-row.ts'
import { resolutions } from '../../src/service/storage/sql/rollups.ts'
import { seeded } from '../agents/random.ts'
import { seed } from '../torture/share.ts'
import { openWriteGroup } from '../../src/service/storage/sqlite/write-group.ts'
import { sampleDetail, sampleRecord } from './samples.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Start of the ledger; any day would do. */
export const firstMs = 20_000 * resolutions.dayMs
export const spanMs = 10 * resolutions.dayMs
const chance = seeded(seed)
const draw = (limit: number) => chance.below(limit)
const pick = <Item>(...items: Item[]): Item | undefined => items[draw(items.length)]

function drawRecord(id: string): RequestRecord {
  return sampleRecord({
    id,
    startedAtMs: firstMs + draw(spanMs),
    routerId: `router_${draw(3)}`,
    apiKeyId: pick(null, 'key-0', 'key-1') ?? null,
    modelUsed: pick(null, 'a:x', 'a:y', 'b:z') ?? null,
    tag: pick(null, 'shop', 'blog') ?? null,
    status: pick(200, 200, 200, 200, 404, 429, 499, 502) ?? 200,
    fallbackFrom: pick(null, null, 'a:x') ?? null,
    costNanoUsd: draw(1e9),
    latencyMs: 1 + chance.next() * 10 ** draw(5),
  })
}

export interface FilledLedger {
  db: Database
  ledger: LedgerStore
  records: readonly RequestRecord[]
  report: (query: object) => Promise<UsageReport>
}

/** @param change  of each drawn request */
export async function openFilled(
  rows: number,
  change = (record: RequestRecord) => record,
): Promise<FilledLedger> {
  const db = openDatabase({ dataDir: join(temporaryFolder(), 'ledger') })
  onTestFinished(() => void db.close())
  const ledger = openSqliteLedger(db)
  const records = Array.from({ length: rows }, (_, id) => change(drawRecord(String(id))))
  const write = openWriteGroup(db)
  const detail = sampleDetail()
  await write([() => ledger.appendAll(records.map((record) => toRowValues({ record, detail })))])
  const report = (query: object) => ledger.report(usageReportQuerySchema.parse(query))
  return { db, ledger, records, report }
}
