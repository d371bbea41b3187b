/** The stores over one connection to PostgreSQL. */
import { openCommonStores } from '../sql/common-stores.ts'
import { openCosts } from '../sql/costs.ts'
import { openLedger } from '../sql/ledger.ts'
import { openQuota } from '../sql/quota.ts'
import { openRollups } from '../sql/rollups.ts'
import type { Sql } from '../sql/sql.ts'
import { openCellTable } from './cell-table.ts'
import { openDownloadedCatalog } from './downloaded-catalog.ts'
import { openBudgetLeases } from './leases/budget-leases.ts'
import { slices } from './leases/sizes.ts'
import { openMaintenance } from './maintenance.ts'
import { openPartitions } from './partitions.ts'
import { openRowRemoval } from './row-removal.ts'
import { openSealedKeys } from './sealed-keys.ts'

/** What all connections of a node share. */
export interface Node {
  /** Id of this process in hexadecimal digits, written into the rows it stores. */
  id: string
  /** Slot of the node's cells in the roll-ups, below `slotCount`. */
  slot: number
  /** Numbers of days that have a partition. */
  days: Set<number>
}

export type PostgresStores = ReturnType<typeof openStores>

export function openStores(sql: Sql, node: Node) {
  const cells = openCellTable(sql, node.slot)
  const rollups = openRollups(sql, cells)
  const partitions = openPartitions(sql, node.days)
  return {
    partitions,
    quota: openQuota(sql, slices),
    ...openCommonStores(sql),
    budgetLeases: openBudgetLeases(sql, openCosts(sql)),
    ledger: openLedger(sql, { rollups, removal: openRowRemoval(sql, partitions) }),
    sealedKeys: openSealedKeys(sql),
    downloadedCatalog: openDownloadedCatalog(sql),
    maintenance: openMaintenance(sql, { rollups, cells }),
  }
}
