/** Searches of the requests over all routers, newest first. */
import type { ListedRequest, RequestEnd, RequestFilter } from '../../../shared/requests/search.ts'
import type { Ledger } from '../storage.ts'
import { attemptsInDetail, clientInDetail } from './detail-text.ts'
import { selectList, toRecord, type RecordRow } from './ledger-row.ts'
import { providerIn } from './fragments.ts'
import type { Dialect, Sql, Statement } from './sql.ts'

type FilterValue = string | number

/** The condition of each filter, in SQL with its value as a parameter of the filter's name. */
type Conditions = { [Name in Exclude<keyof RequestFilter, 'end'>]-?: string }

const conditionsIn = (dialect: Dialect): Conditions => ({
  fromMs: 'started_at_ms >= :fromMs',
  toMs: 'started_at_ms < :toMs',
  routerId: 'router_id = :routerId',
  model: 'model_used = :model',
  providerId: `${providerIn(dialect, 'model_used')} = :providerId`,
  apiKeyId: "coalesce(api_key_id, '') = :apiKeyId",
  tag: 'tag = :tag',
  decision: 'router_decision = :decision',
  source: 'source = :source',
  client: has(dialect, clientInDetail(dialect), ':client'),
  executionId: 'execution_id = :executionId',
  // An answer and its request share an id.
  conversationId: 'id IN (SELECT id FROM messages WHERE conversation_id = :conversationId)',
  findingId: `id IN (${dialect.jsonList('(SELECT request_ids FROM findings WHERE findings.id = :findingId)')})`,
  text: hasText(dialect),
})

function has({ lower, position }: Dialect, text: string, searched: string): string {
  return `${position(lower(text), lower(searched))} > 0`
}

/** Whether the text is in what a person remembers of a request. The tries are read only where one of them failed. */
function hasText(dialect: Dialect): string {
  const isIn = (text: string) => has(dialect, text, ':text')
  const isNamed = (column: string, table: string) =>
    `${column} IN (SELECT id FROM ${table} WHERE ${isIn('name')})`
  return [
    ...['model_used', 'tag', 'error_code', clientInDetail(dialect)].map(isIn),
    isNamed('api_key_id', 'api_keys'),
    isNamed('router_id', 'routers'),
    `(status >= 400 OR fallback_from IS NOT NULL) AND ${isIn(attemptsInDetail(dialect))}`,
    `id IN (SELECT request_id FROM request_contents WHERE ${isIn('request')})`,
  ].join(' OR ')
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

export function openRequestSearch(sql: Sql): Pick<Ledger, 'search' | 'countMatches'> {
  const { dialect } = sql
  const whereOf = openWhere(dialect)
  const columns = `${selectList()}, ${clientInDetail(dialect)} AS client`
  // There are few different forms of filters, and preparing takes longer than reading a page.
  const prepared = new Map<string, Statement<object, unknown>>()
  const prepare = (text: string) => {
    const statement = prepared.get(text) ?? sql.prepare<object>(text)
    prepared.set(text, statement)
    return statement
  }

  return {
    async search({ filter, after, offset, limit }) {
      const { where, values } = whereOf(filter, after)
      const rows = await prepare(`
        SELECT ${columns} FROM ${tableFor(dialect, filter)} ${where}
        ORDER BY started_at_ms DESC, ${dialect.insertOrder} DESC
        LIMIT :limit OFFSET :offset`).all({ ...values, limit, offset })
      // The columns are those of a record.
      return rows.map((row) => toListed(row as ListedRow))
    },
    async countMatches(filter) {
      const { where, values } = whereOf(filter)
      const count = prepare(`SELECT count(*) FROM ${tableFor(dialect, filter)} ${where}`).pluck()
      return Number(await count.get(values))
    },
  }
}

/**
 * The table, with an index for errors. With a router, SQLite would choose that router's index, and read all of its
 * requests to find the few errors.
 */
function tableFor({ withIndex }: Dialect, { end, executionId }: RequestFilter): string {
  const isForErrors = end === 'error' && executionId === undefined
  return isForErrors ? `requests ${withIndex('requests_failed')}` : 'requests'
}

type ListedRow = RecordRow & { client: string | null }

function toListed({ client, ...row }: ListedRow): ListedRequest {
  return { ...toRecord(row), client }
}

type Where = (
  filter: RequestFilter,
  after?: string | null,
) => { where: string; values: Record<string, FilterValue> }

function openWhere(dialect: Dialect): Where {
  const conditions = conditionsIn(dialect)
  const place = `started_at_ms, ${dialect.insertOrder}`
  // Older than the request `:after`; none when the ledger does not have it.
  const isAfter = `(${place}) < (SELECT ${place} FROM requests WHERE id = :after)`
  return (filter, after = null) => {
    const { end, ...fields } = filter
    const values = Object.fromEntries(
      Object.entries(fields).filter(
        (entry): entry is [string, FilterValue] => entry[1] !== undefined,
      ),
    )
    const wanted = Object.entries(conditions).flatMap(([name, text]) =>
      name in values ? [text] : [],
    )
    if (end !== undefined) wanted.push(ends[end])
    if (after !== null) wanted.push(isAfter)
    const where = wanted.length === 0 ? '' : `WHERE (${wanted.join(') AND (')})`
    return { where, values: after === null ? values : { ...values, after } }
  }
}
