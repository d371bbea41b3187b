import { expect, test, vi } from 'vitest'
import { openFilled, type FilledLedger } from '../../../../test/storage/random-ledger.ts'
import type { RequestFilter } from '../../../shared/requests/search.ts'
import { openNamedRows } from '../sql/counted-rows.ts'
import { openRequestSearch } from '../sql/request-search.ts'
import { toSql } from './sqlite-sql.ts'

/** The plan of the last statement that a function prepared. */
function planOf(db: FilledLedger['db'], values: object, ask: () => unknown): string {
  const prepare = vi.spyOn(db, 'prepare')
  ask()
  const sql = prepare.mock.lastCall?.[0] ?? ''
  prepare.mockRestore()
  const steps = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(values)
  return steps.map(({ detail }) => detail).join('; ')
}

const range = { fromMs: 0, toMs: 8e12 }

async function searchPlans(filter: RequestFilter): Promise<string[]> {
  const { db } = await openFilled(20)
  const values = { ...filter, limit: 10, offset: 0 }
  const { search, countMatches } = openRequestSearch(toSql(db))
  return [
    planOf(db, values, () => search({ filter, after: null, offset: 0, limit: 10 })),
    planOf(db, values, () => countMatches(filter)),
  ]
}

test('the steps of agents in a range are read by their own index', async () => {
  const { db } = await openFilled(20)
  const plan = planOf(db, range, () => openNamedRows(toSql(db), 'agent'))
  expect(plan).toContain('USING INDEX requests_of_agents (started_at_ms>? AND started_at_ms<?)')
})

test('the answers of conversations are read by their ids', async () => {
  const { db } = await openFilled(20)
  const plan = planOf(db, range, () => openNamedRows(toSql(db), 'conversation'))
  expect(plan).toMatch(/SEARCH requests USING INDEX \S+ \(id=\?\)/)
})

test.each<[string, RequestFilter]>([
  ['all routers', {}],
  ['one router', { routerId: 'router_1' }],
  ['one model', { model: 'a:x' }],
])('a search for the errors of %s in a range reads no answered request', async (_, filter) => {
  for (const plan of await searchPlans({ ...range, ...filter, end: 'error' })) {
    expect(plan).toContain('INDEX requests_failed (started_at_ms>? AND started_at_ms<?)')
    expect(plan).not.toContain('TEMP B-TREE')
  }
})

test.each<RequestFilter>([{}, { end: 'error' }])(
  'a search for the steps of one execution reads only that execution: %o',
  async (filter) => {
    for (const plan of await searchPlans({ ...range, ...filter, executionId: 'execution-1' }))
      expect(plan).toContain('INDEX requests_by_execution (execution_id=?)')
  },
)
