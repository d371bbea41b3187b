/** Searches of the requests over all routers, newest first. */
import type { Database } from 'better-sqlite3'
import type { ListedRequest, RequestEnd, RequestFilter } from '../../../shared/request-search.ts'
import type { Ledger } from '../storage.ts'
import { clientInDetail } from './detail-text.ts'
import { selectList, toRecord, type RecordRow } from './ledger-row.ts'
import type { Synchronous } from './protocol.ts'

type Value = string | number

/** The condition of each filter, in SQL with its value as a parameter of the filter's name. */
const conditions: { [Name in Exclude<keyof RequestFilter, 'end'>]-?: string } = {
  fromMs: 'started_at_ms >= :fromMs',
  toMs: 'started_at_ms < :toMs',
  routerId: 'router_id = :routerId',
  model: 'model_used = :model',
  providerId: "substr(model_used, 1, instr(model_used, ':') - 1) = :providerId",
  apiKeyId: "coalesce(api_key_id, '') = :apiKeyId",
  tag: 'tag = :tag',
  decision: 'router_decision = :decision',
  source: 'source = :source',
  client: `instr(lower(${clientInDetail}), lower(:client)) > 0`,
  executionId: 'execution_id = :executionId',
}

const ends: Record<RequestEnd, string> = {
  answered: 'status < 400',
  fallback: 'fallback_from IS NOT NULL AND status < 400',
  error: 'status >= 400',
  limited: 'status = 429',
  refused: 'status >= 400 AND status < 500 AND status NOT IN (429, 499)',
  aborted: 'status = 499',
  failed: 'status >= 500',
}

const columns = `${selectList()}, ${clientInDetail} AS client`

export function openRequestSearch(
  db: Database,
): Pick<Synchronous<Ledger>, 'search' | 'countMatches'> {
  // There are few different forms of filters, and preparing takes longer than reading a page.
  const prepared = new Map<string, ReturnType<Database['prepare']>>()
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  return {
    search({ filter, after, offset, limit }) {
      const { where, values } = whereOf(filter, after)
      const rows = prepare(`
        SELECT ${columns} FROM ${tableFor(filter)} ${where}
        ORDER BY started_at_ms DESC, rowid DESC LIMIT :limit OFFSET :offset`)
      // The columns are those of a record.
      return rows.all({ ...values, limit, offset }).map((row) => toListed(row as ListedRow))
    },
    countMatches(filter) {
      const { where, values } = whereOf(filter)
      return Number(
        prepare(`SELECT count(*) FROM ${tableFor(filter)} ${where}`)
          .pluck()
          .get(values),
      )
    },
  }
}

/** With a router, SQLite would choose that router's index, and read all of its requests to find the few errors. */
function tableFor({ end, executionId }: RequestFilter): string {
  const isForErrors = end === 'error' && executionId === undefined
  return isForErrors ? 'requests INDEXED BY requests_failed' : 'requests'
}

type ListedRow = RecordRow & { client: string | null }

function toListed({ client, ...row }: ListedRow): ListedRequest {
  return { ...toRecord(row), client }
}

/** Older than the request `:after`; none when the ledger does not have it. */
const isAfter = `(started_at_ms, rowid) < (SELECT started_at_ms, rowid FROM requests WHERE id = :after)`

function whereOf(
  filter: RequestFilter,
  after: string | null = null,
): { where: string; values: Record<string, Value> } {
  const { end, ...fields } = filter
  const values = Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Value] => entry[1] !== undefined),
  )
  const wanted = Object.entries(conditions).flatMap(([name, sql]) => (name in values ? [sql] : []))
  if (end !== undefined) wanted.push(ends[end])
  if (after !== null) wanted.push(isAfter)
  const where = wanted.length === 0 ? '' : `WHERE (${wanted.join(') AND (')})`
  return { where, values: after === null ? values : { ...values, after } }
}
