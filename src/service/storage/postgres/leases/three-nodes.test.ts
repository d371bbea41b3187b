/** Limits of three nodes with their whole storages on one PostgreSQL. */
import { expect, onTestFinished, test } from 'vitest'
import { postgresDatabase } from '../../../../../test/storage/postgres-database.ts'
import { sampleDetail, sampleRecord } from '../../../../../test/storage/samples.ts'
import type { BudgetOwner } from '../../budget-store.ts'
import type { Storage } from '../../storage.ts'
import { openPostgresStorage } from '../open-postgres-storage.ts'

const day = '2026-11-21'
const noon = Date.UTC(2026, 10, 21, 12)
const owner: BudgetOwner = { kind: 'router', id: 'router_a', spenderIds: ['router_a'] }

async function startNodes(): Promise<Storage[]> {
  const url = await postgresDatabase()
  const nodes = await Promise.all(Array.from({ length: 3 }, () => openPostgresStorage({ url })))
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.close()))
  })
  return nodes
}

/** Calls the nodes in turn, all at once. */
function many<Result>(
  nodes: readonly Storage[],
  count: number,
  call: (node: Storage, index: number) => Promise<Result>,
): Promise<Result[]> {
  const calls = Array.from({ length: count / nodes.length }, (_, round) =>
    nodes.map((node, index) => call(node, round * nodes.length + index)),
  )
  return Promise.all(calls.flat())
}

test('of 600 simultaneous takes, three nodes get exactly the limit of 100', async () => {
  const nodes = await startNodes()
  const takes = await many(nodes, 600, ({ quota }) =>
    quota.take({ routerId: 'router_a', day, wanted: 1, limit: 100 }),
  )
  expect(takes.filter(({ granted }) => granted === 1)).toHaveLength(100)
})

test('slices of a day shrink near the limit, down to the requests that wait', async () => {
  const [node] = await startNodes()
  const take = (wanted: number, needed: number) =>
    node?.quota.take({ routerId: 'router_a', day, wanted, needed, limit: 1_000 })
  expect(await take(900, 900)).toEqual({ granted: 900, used: 900 })
  expect(await take(8, 1)).toEqual({ granted: 6, used: 906 })
  expect(await take(80, 80)).toEqual({ granted: 80, used: 986 })
  expect(await take(8, 2)).toEqual({ granted: 2, used: 988 })
  expect(await take(8, 0)).toEqual({ granted: 0, used: 988 })
  expect(await take(50, 20)).toEqual({ granted: 12, used: 1_000 })
})

test('three nodes spend a budget to the nano-dollar, and each request has one row', async () => {
  const nodes = await startNodes()
  await Promise.all(nodes.map(({ budgets }) => budgets.read(owner, noon)))
  const limits = [{ owner, perDayNanoUsd: 1_000, perMonthNanoUsd: 1_000 }]
  const served = await many(nodes, 300, async ({ budgets, ledger }, index) => {
    const requestId = `request ${index}`
    const left = () => {
      const { day: period } = budgets.known(owner, noon) ?? {}
      return 1_000 - (period?.spentNanoUsd ?? 0) - (period?.reservedNanoUsd ?? 0)
    }
    while (!(await budgets.reserve({ requestId, nanoUsd: 10, limits, nowMs: noon })))
      if (left() < 10) return false
    await budgets.settle({ requestId, owners: [owner], costNanoUsd: 10, nowMs: noon })
    const record = { id: requestId, routerId: owner.id, startedAtMs: noon, costNanoUsd: 10 }
    await ledger.append(sampleRecord(record), sampleDetail())
    return true
  })
  const [first] = nodes
  const costs = await first?.ledger.costsByDay({ owner: 'router', id: owner.id, sinceMs: 0 })
  expect(served.filter(Boolean)).toHaveLength(100)
  expect(costs?.map(({ costNanoUsd }) => costNanoUsd)).toEqual([1_000])
})
