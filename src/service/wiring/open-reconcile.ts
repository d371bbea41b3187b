import type { LiveCatalog } from '../catalog/catalog.ts'
import { resolveModels } from '../catalog/resolve-models.ts'
import { capabilitiesLost } from '../provider-types/provider-types.ts'
import type { Storage } from '../storage/storage.ts'
import type { Workspace } from './workspace.ts'

type ReconcileParts = Pick<Workspace, 'configuration' | 'now'> & {
  ledger: Storage['ledger']
  catalog: LiveCatalog
}

/** Compares bills with the ledger. Its code is loaded at the first comparison. */
export function openReconcile({
  configuration,
  catalog,
  ...parts
}: ReconcileParts): Workspace['reconcile'] {
  return async (files, options) => {
    const { reconcile } = await import('../reconcile/reconcile.ts')
    const current = configuration.current()
    const models = [...resolveModels(catalog, current, capabilitiesLost).values()]
    const { providers } = current
    return reconcile(files, options, { ...parts, catalog, models, providers })
  }
}
