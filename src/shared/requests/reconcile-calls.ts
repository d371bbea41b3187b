import { call } from '../ipc-call.ts'
import type { Model } from '../entities.ts'
import { datedPriceSchema } from '../models/dated-price.ts'
import { reconcileInputSchema, type Reconciliation } from './reconciliation.ts'

/** The bill of a vendor beside the ledger. */
export const reconcileCalls = {
  /** Compares files; nothing of them is stored. */
  'reconcile:run': call(reconcileInputSchema).returns<Reconciliation>(),
  /** Corrects the price of a model from a moment on. */
  'reconcile:correct': call(datedPriceSchema).returns<Model>(),
}
