/** A client of the table. */
import type { Capability, Check, Door } from './check.ts'
import type { TestBed } from './test-bed.ts'

/** Packages at exact versions; the first gives the client's version in the table. */
export interface Packages {
  from: 'npm' | 'PyPI'
  versions: Readonly<Record<string, string>>
}

export interface Client {
  /** Id for `npm run clients ID`. */
  id: string
  name: string
  packages: Packages
  doors: readonly Door[]
  /** Why a capability does not apply to this client, in a few words. */
  without?: Readonly<Partial<Record<Capability, string>>>
  check(context: CheckContext): Promise<readonly Check[]>
}

export interface CheckContext {
  bed: TestBed
  /** The folder with the client's `node_modules`, or its virtual environment. */
  installed: string
  /** An empty folder: the client's home. */
  home: string
}
