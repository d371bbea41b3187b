/** Budgets of three nodes on a real PostgreSQL. */
import { expect, test } from 'vitest'
import { startBudgetCluster, type BudgetNode } from '../../../../../test/storage/budget-nodes.ts'
import type { BudgetOwner } from '../../budget-store.ts'
import { StorageUnavailable } from '../../storage-errors.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const router: BudgetOwner = { kind: 'router', id: 'router_a', spenderIds: ['router_a'] }
const key: BudgetOwner = { kind: 'key', id: 'key_a', spenderIds: ['key_a'] }
const perDay = (perDayNanoUsd: number, owner = router) => ({
  owner,
  perDayNanoUsd,
  perMonthNanoUsd: null,
})

async function startNodes(count = 3) {
  const cluster = await startBudgetCluster(noon)
  const nodes = Array.from({ length: count }, () => cluster.node())
  for (const { budgets } of nodes)
    await Promise.all([router, key].map((one) => budgets.read(one, noon)))
  return { cluster, nodes }
}

/** A node of its own, so that a test can name it. */
async function startTwo() {
  const cluster = await startBudgetCluster(noon)
  const [first, second] = [cluster.node(), cluster.node()]
  for (const { budgets } of [first, second]) await budgets.read(router, noon)
  return { cluster, first, second }
}

const reserve = (
  { budgets }: BudgetNode,
  requestId: string,
  { nanoUsd, limits }: { nanoUsd: number; limits: ReturnType<typeof perDay>[] },
) => budgets.reserve({ requestId, nanoUsd, limits, nowMs: noon })

function leftIn({ budgets }: BudgetNode, limit: number): number {
  const { day } = budgets.known(router, noon) ?? {}
  return limit - (day?.spentNanoUsd ?? 0) - (day?.reservedNanoUsd ?? 0)
}

test('of 300 simultaneous reservations on three nodes, a budget covers exactly 100', async () => {
  const { nodes, cluster } = await startNodes()
  const request = { nanoUsd: 10, limits: [perDay(1_000)] }
  const granted = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const node = nodes[index % 3]
      // As the request path does: another attempt while the figures say that something is left.
      if (!node) throw new Error('Expected three nodes')
      for (let left = 1_000; left >= 10; left = leftIn(node, 1_000))
        if (await reserve(node, `request ${index}`, request)) return true
      return false
    }),
  )
  expect(granted.filter(Boolean)).toHaveLength(100)
  expect(await cluster.leased('router_a')).toBe(1_000)
})

test('random costs, aborts and a killed node never exceed a budget, and what is left can be spent', async () => {
  const { nodes, cluster } = await startNodes()
  const limits = [perDay(5_000_000_000), perDay(4_000_000_000, key)]
  let requests = 0
  const owners = [router, key]
  const serve = async (node: BudgetNode, isDead: () => boolean) => {
    for (let nth = 0; nth < 12 && !isDead(); nth += 1) {
      const requestId = `request ${(requests += 1)}`
      const nanoUsd = 1 + Math.floor(Math.random() * 200_000_000)
      if (!(await reserve(node, requestId, { nanoUsd, limits })) || isDead()) continue
      if (Math.random() < 0.2) await node.budgets.release(requestId)
      else await node.finish(requestId, owners, Math.floor(Math.random() * (nanoUsd + 1)))
      if (Math.random() < 0.1 && !isDead()) await node.budgets.renew()
    }
  }
  let isThirdDead = false
  const load = nodes.flatMap((node, index) =>
    Array.from({ length: 10 }, () => serve(node, () => index === 2 && isThirdDead)),
  )
  await Promise.all(load.slice(0, 3))
  isThirdDead = true
  await Promise.all(load)
  const [first, second] = nodes
  if (!first || !second) throw new Error('Expected three nodes')

  await cluster.expire()
  for (const node of [first, second]) await node.budgets.renew()
  // Whatever is left of the smaller budget, to the last nano-dollar.
  await first.budgets.read(key, noon)
  for (const one of owners) await first.budgets.read(one, noon)
  const left = 4_000_000_000 - (await cluster.spent('key_a'))
  expect(left).toBeGreaterThanOrEqual(0)
  for (const node of [first, second]) {
    node.clock.nowMs += 10_000
    await node.budgets.renew()
  }
  expect(await reserve(first, 'too much', { nanoUsd: left + 1, limits })).toBe(false)
  expect(await reserve(first, 'the rest', { nanoUsd: left, limits })).toBe(true)
  await first.finish('the rest', owners, left)
  expect(await cluster.spent('key_a')).toBe(4_000_000_000)
})

test('a killed node’s lease counts until it ends, then only its rows count, and only once', async () => {
  const { first, second, cluster } = await startTwo()
  const limits = [perDay(1_600)]
  expect(await reserve(first, 'recorded', { nanoUsd: 60, limits })).toBe(true)
  await first.finish('recorded', [router], 40)
  expect(await reserve(first, 'unfinished', { nanoUsd: 30, limits })).toBe(true)
  await first.budgets.renew()

  expect(await reserve(second, 'rest', { nanoUsd: 1_500, limits })).toBe(true)
  expect(await reserve(second, 'more', { nanoUsd: 50, limits })).toBe(false)
  await cluster.query(
    'UPDATE lease_holders SET ends_at_ms = 0 WHERE id IN (SELECT holder FROM budget_leases WHERE nano_usd < 1500)',
  )
  expect(await reserve(second, 'all', { nanoUsd: 60, limits })).toBe(true)
  expect(await reserve(second, 'too much', { nanoUsd: 1, limits })).toBe(false)
})

test('a node that starts again ends the lease of its killed process, once nothing of it is alive', async () => {
  const { first, second, cluster } = await startTwo()
  const limits = [perDay(100)]
  expect(await reserve(first, 'unfinished', { nanoUsd: 60, limits })).toBe(true)
  expect(await second.endLeasesOf(first.process)).toBe(false)
  await cluster.pass(6_000)

  let isStoring = () => {}
  const storing = new Promise<void>((resolve) => (isStoring = resolve))
  let commit = () => {}
  first.database.afterCosts = () => {
    isStoring()
    return new Promise((resolve) => (commit = resolve))
  }
  // Its last transaction is not over when the next process starts.
  const last = first.budgets.read(key, noon)
  await storing
  expect(await second.endLeasesOf(first.process)).toBe(false)
  commit()
  await last
  expect(await second.endLeasesOf(first.process)).toBe(true)

  expect(await reserve(second, 'all', { nanoUsd: 100, limits })).toBe(true)
  expect(await cluster.leased('router_a')).toBe(100)
})

test('a request that ends at one node while another computes a grant is not missed', async () => {
  const { first, second } = await startTwo()
  const limits = [perDay(100)]
  expect(await reserve(first, 'ending', { nanoUsd: 60, limits })).toBe(true)
  second.database.afterCosts = async () => {
    second.database.afterCosts = async () => {}
    await first.finish('ending', [router], 60)
    first.clock.nowMs += 5_000
    await first.budgets.renew()
  }
  expect(await reserve(second, 'too much', { nanoUsd: 50, limits })).toBe(false)
  expect(await reserve(second, 'fits', { nanoUsd: 40, limits })).toBe(true)
})

test('a node whose leases ended while it was paused leases again what its requests need', async () => {
  const { first, second, cluster } = await startTwo()
  const limits = [perDay(100)]
  expect(await reserve(first, 'long', { nanoUsd: 60, limits })).toBe(true)
  await cluster.expire()
  expect(await reserve(second, 'other', { nanoUsd: 30, limits })).toBe(true)
  await first.budgets.renew()
  expect(await cluster.leased('router_a')).toBe(90)
  expect(await reserve(second, 'too much', { nanoUsd: 11, limits })).toBe(false)
})

test('a node spends its lease without PostgreSQL, until its fence', async () => {
  const { first } = await startTwo()
  const limits = [perDay(1_600)]
  expect(await reserve(first, 'one', { nanoUsd: 50, limits })).toBe(true)
  first.database.isReachable = false
  expect(await reserve(first, 'two', { nanoUsd: 50, limits })).toBe(true)
  await expect(reserve(first, 'three', { nanoUsd: 500, limits })).rejects.toThrow(
    StorageUnavailable,
  )
  first.clock.nowMs += 10 * 60_000
  await expect(reserve(first, 'four', { nanoUsd: 1, limits })).rejects.toThrow(StorageUnavailable)
  first.database.isReachable = true
  expect(await reserve(first, 'five', { nanoUsd: 1, limits })).toBe(true)
})

test('an idle node returns what it did not use; an orderly stop returns everything', async () => {
  const { first, second, cluster } = await startTwo()
  const limits = [perDay(1_600)]
  await reserve(first, 'one', { nanoUsd: 10, limits })
  expect(await cluster.leased('router_a')).toBe(100)
  first.clock.nowMs += 5_000
  await first.budgets.renew()
  expect(await cluster.leased('router_a')).toBe(10)
  await first.finish('one', [router], 10)
  await first.budgets.close()
  expect(await cluster.leased('router_a')).toBe(0)
  expect(await reserve(second, 'all', { nanoUsd: 1_590, limits })).toBe(true)
})

test('the database refuses a grant above the limit, whatever the node computed', async () => {
  const { cluster } = await startTwo()
  await cluster.query("INSERT INTO lease_holders VALUES ('n', 0)")
  const grant = (leased: number) =>
    cluster.query(
      `INSERT INTO budget_grants VALUES ('router', 'router_a', 'day', 0, 100, 50, ${leased})`,
    )
  await expect(grant(51)).rejects.toMatchObject({ code: '23514' })
  await grant(50)
})
