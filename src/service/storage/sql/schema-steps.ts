import { appliedRuns } from './applied-runs.ts'
import { attachmentTables } from './attachment-tables.ts'
import { chatLibraryTables } from './chat-library-tables.ts'
import { composerColumns } from './composer-columns.ts'
import { importColumns } from './import-columns.ts'
import { folderTables } from './folder-tables.ts'
import { findingTables } from './finding-tables.ts'
import { mcpTables } from './mcp-tables.ts'
import { messageTree } from './message-tree.ts'
import { sessionSteps } from './session-steps.ts'
import { shadowStepTable } from './shadow-step-table.ts'
import { toolGrants } from './tool-grants.ts'

/**
 * What later versions add to the schema of 0.2.0, for both engines. Nodes of two versions run side by side during an
 * upgrade, so a step only adds. A released step is never edited: `test/releases` holds its checksum. A new table also
 * needs a row in `test/releases/sample-data.ts`.
 */
export interface SchemaStep {
  /** Multiples of ten, ascending from 20. */
  version: number
  /** Nodes of PostgreSQL that know at least this step can work with the schema after this one. */
  readableFrom: number
  sqlite: string
  /** Its `INTEGER` has 32 bits: whole numbers are `BIGINT`, fractions `DOUBLE PRECISION`. */
  postgres: string
}

export const schemaSteps: readonly SchemaStep[] = [
  messageTree,
  sessionSteps,
  chatLibraryTables,
  attachmentTables,
  appliedRuns,
  importColumns,
  findingTables,
  shadowStepTable,
  mcpTables,
  folderTables,
  composerColumns,
  toolGrants,
]
