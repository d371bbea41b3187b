/**
 * Random interleavings of several nodes on a model of the database: each transaction runs at once, but begins and ends at
 * random times, and can fail before or after its commit. Nodes die, pause for longer than their leases, and start.
 */
import { expect, test } from 'vitest'
import type { BudgetOwner } from '../../budget-store.ts'
import { StorageUnavailable } from '../../storage-errors.ts'
import type { BudgetLeases, OwnedLease } from './budget-leases.ts'
import { leaseMs } from './fence.ts'
import { LeasedBudgets } from './leased-budgets.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const dayStartMs = Date.UTC(2026, 10, 21)
const owner: BudgetOwner = { kind: 'router', id: 'router_a', spenderIds: ['router_a'] }

type Random = (below: number) => number

function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Waits that end when the test says so, in any order. */
class Waits {
  readonly #waiting: (() => void)[] = []

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  get count(): number {
    return this.#waiting.length
  }

  endOne(random: Random): void {
    this.#waiting.splice(random(this.#waiting.length), 1)[0]?.()
  }
}

/** The tables, and PostgreSQL's clock. */
class ModelDatabase {
  readonly #waits: Waits
  #lastGrant: Promise<unknown> = Promise.resolve()
  nowMs = 0
  spent = 0
  /** Grants that the table's constraint would refuse. */
  refused = 0
  /** Transactions that add a row; each holds the lock of its process. */
  readonly storing = new Set<Pick<Request, 'node' | 'nanoUsd'>>()
  readonly holders = new Map<string, { endsAtMs: number; leases: Map<string, OwnedLease> }>()

  constructor(waits: Waits) {
    this.#waits = waits
  }

  leaseOf(holder: string): number | undefined {
    return this.holders.get(holder)?.leases.get(`day ${dayStartMs}`)?.nanoUsd
  }

  leaseOfProcess(process: string): number {
    const holders = [...this.holders.keys()].filter((holder) => holder.startsWith(`${process}.`))
    return holders.reduce((sum, holder) => sum + (this.leaseOf(holder) ?? 0), 0)
  }

  get leased(): number {
    let sum = 0
    for (const { leases } of this.holders.values())
      for (const { period, nanoUsd } of leases.values()) if (period === 'day') sum += nanoUsd
    return sum
  }

  readonly leases: BudgetLeases = {
    view: async ({ holder }) => this.#view(holder),
    register: async (holder, leases) => {
      this.holders.set(holder, { endsAtMs: this.nowMs + leaseMs, leases: new Map() })
      this.#save(holder, leases)
    },
    renew: async (holder, changed) => {
      const found = this.holders.get(holder)
      if (!found) return false
      found.endsAtMs = this.nowMs + leaseMs
      this.#save(holder, changed)
      return true
    },
    // Grants hold a lock, and other transactions commit between their statements.
    grant: ({ holder }, decide) => {
      const grant = this.#lastGrant.then(async () => {
        for (const [id, { endsAtMs }] of this.holders)
          if (endsAtMs < this.nowMs) this.holders.delete(id)
        if (!this.holders.has(holder)) return false
        const view = this.#view(holder)
        await this.#waits.wait()
        const leases = decide(view).map((lease) => ({ ...lease, owner }))
        const before = this.leased
        this.#save(holder, leases)
        const limit = leases.find(({ period }) => period === 'day')?.limit
        if (limit && this.leased > before && limit.spentNanoUsd + this.leased > limit.nanoUsd)
          this.refused += 1
        return true
      })
      this.#lastGrant = grant
      return grant
    },
    remove: async (holder) => {
      this.holders.delete(holder)
    },
    removeOf: async (process) => {
      if ([...this.storing].some(({ node }) => node.process === process)) return false
      for (const id of this.holders.keys())
        if (id.startsWith(`${process}.`)) this.holders.delete(id)
      return true
    },
  }

  #view(holder: string) {
    const otherLeases = [...this.holders]
      .filter(([id]) => id !== holder)
      .flatMap(([, { leases }]) => [...leases.values()])
    return { costs: [{ dayStartMs, costNanoUsd: this.spent }], otherLeases }
  }

  #save(holder: string, leases: readonly OwnedLease[]): void {
    const stored = this.holders.get(holder)?.leases
    for (const lease of leases) stored?.set(`${lease.period} ${lease.startMs}`, lease)
  }
}

interface Request {
  id: string
  node: ModelNode
  nanoUsd: number
}

interface ModelNode {
  process: string
  budgets: LeasedBudgets
  holder: string
  isDead: boolean
  isReachable: boolean
}

function startModel(random: Random) {
  const waits = new Waits()
  const database = new ModelDatabase(waits)
  const nodes: ModelNode[] = []
  const startNode = () => {
    const clock = () => database.nowMs
    const process = `process${nodes.length}`
    const node: ModelNode = {
      process,
      holder: '',
      isDead: false,
      isReachable: true,
      budgets: new LeasedBudgets({ process, clock, wallClock: clock, run }),
    }
    async function run<Result>(work: (leases: BudgetLeases) => Promise<Result>): Promise<Result> {
      await aliveAfterWait()
      if (!node.isReachable || random(20) === 0) throw new StorageUnavailable('Before the commit')
      const result = await work({
        ...database.leases,
        register: (holder, leases) => {
          node.holder = holder
          return database.leases.register(holder, leases)
        },
      })
      await aliveAfterWait()
      if (random(20) === 0) throw new StorageUnavailable('After the commit')
      return result
    }
    async function aliveAfterWait(): Promise<void> {
      await waits.wait()
      // A dead node never continues.
      if (node.isDead) await new Promise(() => {})
    }
    nodes.push(node)
    return node
  }
  return { database, waits, nodes, startNode }
}

/** @returns what was spent of a limit by random requests of three nodes and more */
async function runRandomly(
  seed: number,
  limit: number,
): Promise<{ spent: number; served: number }> {
  const random = randomFrom(seed)
  const { database, waits, nodes, startNode } = startModel(random)
  const open: Request[] = []
  /** Costs whose rows are not in the ledger yet. */
  const pending = new Map<string, Pick<Request, 'node' | 'nanoUsd'>>()
  /** Costs in the ledger that their nodes do not know of yet. */
  const unaware = new Map<string, Pick<Request, 'node' | 'nanoUsd'>>()
  let ids = 0
  let served = 0
  for (let node = 0; node < 3; node += 1) startNode()

  const begin = async (node: ModelNode) => {
    const id = `request ${(ids += 1)}`
    const nanoUsd = 1 + random(random(10) === 0 ? limit / 4 : limit / 100)
    try {
      if (node.budgets.known(owner, noon) === null) await node.budgets.read(owner, noon)
      const limits = [{ owner, perDayNanoUsd: limit, perMonthNanoUsd: limit }]
      if (await node.budgets.reserve({ requestId: id, nanoUsd, limits, nowMs: noon }))
        open.push({ id, node, nanoUsd })
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }
  const end = ({ id, node, nanoUsd }: Request) => {
    if (node.isDead) return
    if (random(5) === 0) return void node.budgets.release(id)
    const costNanoUsd = random(nanoUsd + 1)
    void node.budgets.settle({ requestId: id, owners: [owner], costNanoUsd, nowMs: noon })
    void appendRow(id, node, costNanoUsd)
  }
  /** The row reaches the ledger some time later. */
  const appendRow = async (id: string, node: ModelNode, costNanoUsd: number) => {
    pending.set(id, { node, nanoUsd: costNanoUsd })
    await waits.wait()
    if (!node.isDead) await storeRow(node, costNanoUsd)
    pending.delete(id)
    if (node.isDead) return
    served += 1
    unaware.set(id, { node, nanoUsd: costNanoUsd })
    await waits.wait()
    unaware.delete(id)
    node.budgets.recorded(id)
  }
  /** PostgreSQL finishes it even if the node dies meanwhile. */
  const storeRow = async (node: ModelNode, nanoUsd: number) => {
    const row = { node, nanoUsd }
    database.storing.add(row)
    for (let statements = 1 + random(8); statements > 0; statements -= 1) await waits.wait()
    database.spent += nanoUsd
    database.storing.delete(row)
  }
  const endAny = () => {
    const [request] = open.splice(random(open.length), 1)
    if (request) end(request)
  }
  const wait = async () => {
    database.nowMs += random(2_000)
    if (random(40) > 0) return
    // All leases end. Requests that last longer than them would be another test.
    while (open.length + waits.count > 0) {
      if (waits.count > 0) waits.endOne(random)
      else endAny()
      await settled()
    }
    database.nowMs += 2 * leaseMs
  }
  const cut = (node: ModelNode) => {
    if (random(40) === 0) node.isReachable = !node.isReachable
  }
  /** Often while a row is being stored. */
  const kill = (anyNode: ModelNode) => {
    if (random(40) > 0) return
    const storing = [...database.storing].find((row) => !row.node.isDead)?.node
    const node = random(2) === 0 ? anyNode : (storing ?? anyNode)
    node.isDead = true
    void takeOver(startNode(), node)
  }
  /** The next process on the same data folder. */
  const takeOver = async (successor: ModelNode, { process }: ModelNode) => {
    while (!successor.isDead) {
      if (await database.leases.removeOf(process)) return
      await waits.wait()
    }
  }
  const renew = (node: ModelNode) => void node.budgets.renew().catch(() => null)
  const start = (node: ModelNode) => void begin(node)
  const steps: readonly ((node: ModelNode) => void | Promise<void>)[] = [
    start,
    start,
    endAny,
    endAny,
    renew,
    cut,
    wait,
    kill,
  ]
  for (let step = 0; step < 1_500; step += 1) {
    const alive = nodes.filter(({ isDead }) => !isDead)
    const node = alive[random(alive.length)]
    if (node) await steps[random(steps.length)]?.(node)
    for (let ends = random(4); ends > 0 && waits.count > 0; ends -= 1) waits.endOne(random)
    await settled()
    // Everything that can still be spent is leased, so the limit holds whatever happens next.
    let leased = 0
    for (const { budgets, holder } of nodes.filter(({ isDead }) => !isDead)) {
      const { nanoUsd } = budgets.leased
      leased += nanoUsd
      const stored = database.leaseOf(holder) ?? 0
      expect(stored, `seed ${seed}, step ${step}`).toBeGreaterThanOrEqual(nanoUsd)
    }
    const used = inUse([...open, ...pending.values()])
    for (const { process } of nodes.filter(({ isDead }) => isDead)) {
      const late = [...database.storing].filter(({ node: { process: one } }) => one === process)
      const stillLeased = database.leaseOfProcess(process)
      expect(stillLeased, `seed ${seed}, step ${step}`).toBeGreaterThanOrEqual(sumOf(late))
    }
    const certain = database.spent + leftByDead([...database.storing])
    const above = certain + Math.max(leased - inUse([...unaware.values()]), used) - limit
    expect(above, `seed ${seed}, step ${step}`).toBeLessThanOrEqual(0)
    expect(database.refused, `seed ${seed}, step ${step}`).toBe(0)
  }
  return { spent: database.spent, served }
}

/** Money that the requests in progress can still cost. */
function inUse(requests: readonly Pick<Request, 'node' | 'nanoUsd'>[]): number {
  return sumOf(requests.filter(({ node }) => !node.isDead))
}

/** The rows of dead nodes that PostgreSQL still stores. */
function leftByDead(rows: readonly Pick<Request, 'node' | 'nanoUsd'>[]): number {
  return sumOf(rows.filter(({ node }) => node.isDead))
}

function sumOf(requests: readonly Pick<Request, 'nanoUsd'>[]): number {
  return requests.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0)
}

/** Lets everything run that waits for nothing. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

test('nodes that race, die and lose PostgreSQL never spend more than the limit', async () => {
  let served = 0
  for (let seed = 1; seed <= 20; seed += 1) served += (await runRandomly(seed, 1_000_000)).served
  expect(served).toBeGreaterThan(1_000)
})
