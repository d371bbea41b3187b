/** `Storage` on PostgreSQL, for several nodes. */
import { randomBytes } from 'node:crypto'
import type { ConnectionUse } from '../../../shared/app/open-connection.ts'
import type { Ledger, Storage } from '../storage.ts'
import { lookEvery } from '../look-again.ts'
import { StorageConflict, StorageRejected, StorageUnavailable } from '../storage-errors.ts'
import { startedAtMsOf, toRowValues, type RowValues } from '../sql/ledger-row.ts'
import { RowGroups, type RowJournal } from '../sql/row-groups.ts'
import type { RefusedRow } from '../sql/sql.ts'
import { IdempotencyMemory } from '../idempotency-memory.ts'
import { operationKinds, type StoreName } from '../sql/operation-kinds.ts'
import { slotCount } from './cell-table.ts'
import { openConfigurationChannel } from './configuration-channel.ts'
import {
  openConnections,
  reportFailures,
  toChannelConfig,
  withClient,
  type Connections,
} from './connections.ts'
import type { DownloadedCatalogTable } from './downloaded-catalog.ts'
import { LeasedBudgets, renewalMs, soonMs } from './leases/leased-budgets.ts'
import { openPredecessors, type NodeProcesses } from './leases/predecessors.ts'
import { migrate, newestSchema } from './migrations/index.ts'
import { isWithoutPartition, toOpeningError } from './postgres-errors.ts'
import type { SealedKeyTable } from './sealed-keys.ts'
import type { Node, PostgresStores } from './stores.ts'

/** Changes by other nodes are looked for this often. */
const pollMs = 500

interface PostgresOptions {
  /** Null, or absent, where no data folder is open. */
  use?: ConnectionUse | null
  /** `postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=…` */
  url: string
  /**
   * Processes that lock the data folder, for a process that has locked it. Without them, leases of a killed process
   * last 15 minutes.
   */
  processes?: NodeProcesses | undefined
  /**
   * Journal in the data folder, for a process that has locked it. Without it, rows that wait to be stored are lost when
   * the process ends.
   */
  journal?: RowJournal | undefined
}

export interface PostgresStorage extends Storage {
  /** Records of provider keys that all nodes share. */
  sealedKeys: SealedKeyTable
  downloadedCatalog: DownloadedCatalogTable
}

/**
 * Connects to the database and migrates it.
 * @throws StorageUnavailable, DatabaseFromNewerVersion, FileProblem
 */
export async function openPostgresStorage({
  url,
  use = null,
  processes,
  journal,
}: PostgresOptions): Promise<PostgresStorage> {
  const node = newNode()
  const connections = openConnections(url, node, use)
  let endPredecessors: EndPredecessors
  try {
    await withClient(url, use, (client) => migrate(client)).catch((error: unknown) =>
      Promise.reject(toOpeningError(error, connections.server)),
    )
    // Before their lease ends: what they spent must count first.
    if (journal) await storeLeftRows(journal, storeIn(connections, node))
    endPredecessors = await openFolderPredecessors(processes, connections, node)
  } catch (error) {
    await connections.close()
    throw error
  }
  const channel = openConfigurationChannel(toChannelConfig(url, use))
  const rows = openRows(connections, node, journal)
  const reported = reportFailures(connections, () => void rows.groups.suspect())
  const { budgets, recorded, close: closeBudgets } = openBudgets(reported, node, endPredecessors)
  const append: Ledger['append'] = async (record, detail, isUrgent) => {
    await rows.append(record, detail, isUrgent)
    recorded(record.id)
  }
  const idempotency = new IdempotencyMemory(() => performance.now())
  const { ledger, ...stores } = openCalls(reported, rows)
  return {
    ...stores,
    isShared: true,
    budgets,
    idempotency,
    ledger: { ...ledger, append, costsByDay: rows.costsByDay },
    health: rows.groups,
    figures: () => ({
      engine: 'postgres',
      node: {
        id: node.id,
        schemaVersion: newestSchema,
        connections: connections.counts(),
      },
    }),
    sealedKeys: shareSealedKeys(connections),
    downloadedCatalog: shareCatalog(reported),
    onChange: (listener) => lookEvery(pollMs, () => listener('another process')),
    onConfigurationHint: channel.onChange,
    async close() {
      idempotency.close()
      await rows.close()
      await channel.close()
      await closeBudgets()
      await connections.close()
    },
  }
}

function shareSealedKeys({ read, write }: Connections): SealedKeyTable {
  return {
    ids: () => read(({ stores }) => stores.sealedKeys.ids()),
    read: (id) => read(({ stores }) => stores.sealedKeys.read(id)),
    save: (id, text) => write(({ stores }) => stores.sealedKeys.save(id, text)),
    create: (id, text) => write(({ stores }) => stores.sealedKeys.create(id, text)),
    remove: (id) => write(({ stores }) => stores.sealedKeys.remove(id)),
  }
}

function shareCatalog({ read, write }: Connections): DownloadedCatalogTable {
  return {
    revision: () => read(({ stores }) => stores.downloadedCatalog.revision()),
    read: () => read(({ stores }) => stores.downloadedCatalog.read()),
    save: (text) => write(({ stores }) => stores.downloadedCatalog.save(text)),
  }
}

function newNode(): Node {
  const id = randomBytes(8)
  return { id: id.toString('hex'), slot: id.readUInt8() % slotCount, days: new Set() }
}

type EndPredecessors = () => Promise<boolean>

async function openFolderPredecessors(
  processes: NodeProcesses | undefined,
  connections: Connections,
  { id }: Node,
): Promise<EndPredecessors> {
  if (!processes) return () => Promise.resolve(true)
  const endLeases = (process: string) =>
    connections.write(({ stores }) => stores.budgetLeases.removeOf(process))
  return openPredecessors({ processes, id, endLeases })
}

function openBudgets(connections: Connections, { id }: Node, endPredecessors: EndPredecessors) {
  const budgets = new LeasedBudgets({
    process: id,
    run: (work) => connections.write(({ stores }) => work(stores.budgetLeases)),
    clock: () => performance.now(),
    wallClock: Date.now,
  })
  // Without PostgreSQL the leases stay valid until the fence, and the next renewal follows.
  const renew = () => void budgets.renew().catch(() => null)
  const endEarlier = () => void endPredecessors().catch(() => null)
  endEarlier()
  const renewal = setInterval(() => {
    renew()
    endEarlier()
  }, renewalMs)
  renewal.unref()
  let soon: NodeJS.Timeout | null = null
  return {
    budgets,
    recorded(requestId: string): void {
      if (!budgets.recorded(requestId)) return
      soon ??= setTimeout(() => {
        soon = null
        renew()
      }, soonMs).unref()
    },
    async close() {
      clearInterval(renewal)
      clearTimeout(soon ?? undefined)
      // Leases that cannot be returned end by themselves.
      await budgets.close().catch(() => null)
    },
  }
}

/**
 * Longest wait of a row for others. It is longer than with SQLite: a group is a transaction of about eight statements,
 * which costs this thread, a pooler and PostgreSQL as much as dozens of rows.
 */
const patienceMs = 25

/** Rows that wait to be stored, in groups; one group is stored at a time. */
function openRows(connections: Connections, node: Node, journal: RowJournal | undefined) {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work)
    last = result.catch(() => null)
    return result
  }
  const store = storeIn(connections, node)
  const groups = new RowGroups({
    patienceMs,
    send: (group) => inTurn(() => storeWhatIsPossible(group, store)),
    probe: () => connections.write(({ stores }) => stores.maintenance.probe()),
    isOutage: () => true,
    journal,
  })
  let isClosed = false
  const append: Ledger['append'] = (record, detail, isUrgent) =>
    isClosed
      ? Promise.reject(new StorageUnavailable('The storage is closed'))
      : groups.add(toRowValues({ record, detail }), isUrgent)
  /** Costs by day; complete only when no row waits to be stored. */
  const costsByDay: Ledger['costsByDay'] = async (query) => {
    groups.flush()
    // In turn, so that it includes no row that is appended later.
    const costs = await inTurn(() =>
      connections.read(({ stores }) => stores.ledger.costsByDay(query)),
    )
    const outage = groups.outage()
    if (outage === null || outage.canStoreRows) return costs
    throw new StorageUnavailable('Rows wait to be stored', { cause: outage.cause })
  }
  return {
    groups,
    append,
    costsByDay,
    /** Every call after an append includes the row. */
    async settle() {
      groups.flush()
      await inTurn(() => Promise.resolve())
    },
    async close() {
      isClosed = true
      groups.close()
      await inTurn(() => Promise.resolve())
      await journal?.close()
    },
  }
}

const leftRowsAtOnce = 500

type Store = (group: readonly RowValues[]) => Promise<RefusedRow[]>

/** Stores a group of rows, with the partitions of their days. */
function storeIn(connections: Connections, node: Node): Store {
  const store = async (group: readonly RowValues[]) => {
    await connections.use(({ stores }) => stores.partitions.ensure(group.map(startedAtMsOf)))
    return connections.write(({ stores }) => stores.ledger.appendAll(group))
  }
  return async (group) => {
    const refused = await store(group)
    const late = refused.filter(({ error }) => isWithoutPartition(error))
    if (late.length === 0) return refused
    // Another node deleted a day that this one knew.
    node.days.clear()
    const isLate = new Set(late.map(({ index }) => index))
    const again = await store(group.filter((_, index) => isLate.has(index)))
    const places = late.map(({ index }) => index)
    const stillRefused = again.map(({ index, error }) => ({ index: places[index] ?? index, error }))
    return [...refused.filter((row) => !late.includes(row)), ...stillRefused]
  }
}

/** Stores the rows that a process before left in the folder. */
async function storeLeftRows(journal: RowJournal, store: Store): Promise<void> {
  const { rows, isWhole } = await journal.read()
  let isStored = isWhole
  for (let start = 0; start < rows.length; start += leftRowsAtOnce) {
    const refused = await storeWhatIsPossible(rows.slice(start, start + leftRowsAtOnce), store)
    // A row whose commit the process did not hear of is stored already.
    isStored &&= refused.every(({ error }) => error instanceof StorageConflict)
  }
  await (isStored ? journal.clear() : journal.setAside())
}

/** A row may be refused by the roll-ups, which undoes the whole group: the others are then stored without it. */
async function storeWhatIsPossible(
  group: readonly RowValues[],
  store: Store,
): Promise<RefusedRow[]> {
  try {
    return await store(group)
  } catch (error) {
    if (!(error instanceof StorageRejected)) throw error
    if (group.length === 1) return [{ index: 0, error }]
  }
  const refused: RefusedRow[] = []
  for (const [index, row] of group.entries()) {
    const [own] = await storeWhatIsPossible([row], store)
    if (own) refused.push({ ...own, index })
  }
  return refused
}

type Calls = { [Name in StoreName]: Storage[Name] }

/** Stores whose statements read the rows of requests: they wait for rows appended before. */
const readsRows: ReadonlySet<StoreName> = new Set(['ledger', 'executions', 'maintenance'])
/** Stores whose writes do not depend on what they read: they need no turn. */
const writesFreely: ReadonlySet<StoreName> = new Set(['contents', 'executions'])

/** Every function of the stores. Each call takes a connection and runs in one transaction. */
function openCalls(connections: Connections, { settle }: { settle(): Promise<void> }): Calls {
  const calls = Object.entries(operationKinds).map(([name, methods], lock) => {
    // Checked boundary: the keys of `operationKinds`.
    const store = name as StoreName
    const functions = Object.entries(methods).map(([method, kind]) => [
      method,
      async (...args: unknown[]) => {
        if (readsRows.has(store)) await settle()
        const call = ({ stores }: { stores: PostgresStores }) => callOf(stores[store], method, args)
        if (kind === 'read') return connections.read(call)
        if (kind === 'alone') return connections.use(call)
        return connections.write(call, writesFreely.has(store) ? null : lock)
      },
    ])
    const all: unknown = Object.fromEntries(functions)
    return [store, all]
  })
  // Checked boundary: `operationKinds` names every function of every store, or it would not compile.
  return Object.fromEntries(calls) as Calls
}

function callOf(store: object, method: string, args: readonly unknown[]): Promise<unknown> {
  // Checked boundary: calls are made from typed functions of the same names.
  const functions = store as Record<string, (...values: unknown[]) => Promise<unknown>>
  return functions[method]?.(...args) ?? Promise.reject(new Error(`No function ${method}`))
}
