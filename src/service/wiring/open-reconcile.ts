import type { LiveCatalog } from '../catalog/catalog.ts'
import type { Storage } from '../storage/storage.ts'
import type { Workspace } from './workspace.ts'

type ReconcileParts = Pick<Workspace, 'dashboard' | 'configuration' | 'now'> & {
  ledger: Storage['ledger']
  catalog: LiveCatalog
}

/** Compares bills with the ledger. Its code is loaded at the first comparison. */
export function openReconcile({
  dashboard,
  configuration,
  ...parts
}: ReconcileParts): Workspace['reconcile'] {
  return async (files, options) => {
    const { reconcile } = await import('../reconcile/reconcile.ts')
    const { providers } = configuration.current()
    return reconcile(files, options, { ...parts, models: await dashboard.models(), providers })
  }
}
