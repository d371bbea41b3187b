/** A bill that was opened, and its comparison with the ledger. Both are gone when the window closes. */
import { create } from 'zustand'
import {
  greatestBillBytes,
  type PriceFinding,
  type Reconciliation,
  type ReconcileOptions,
} from '../../../shared/requests/reconciliation.ts'
import { formatBytes } from '../../../shared/strings/format.ts'
import { t } from '../../../shared/strings/strings.ts'
import { call, CallError, toCallError } from './client.ts'

interface ReconcileState {
  files: readonly { name: string; bytes: Uint8Array<ArrayBuffer> }[]
  options: Pick<ReconcileOptions, 'timeZone' | 'providerId'>
  result: Reconciliation | null
  error: CallError | null
  isRunning: boolean
}

export const useReconcile = create<ReconcileState>(() => ({
  files: [],
  options: { timeZone: 'UTC' },
  result: null,
  error: null,
  isRunning: false,
}))

/** Compares files in place of the earlier ones. */
export async function openBill(chosen: readonly File[]): Promise<void> {
  if (chosen.length === 0) return
  if (isTooLarge(chosen)) return
  const files = await Promise.all(
    chosen.map(async (file) => ({
      name: file.name.slice(-255),
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  )
  useReconcile.setState({ files, result: null })
  await compare()
}

/** Refuses files before they are read. */
function isTooLarge(chosen: readonly File[]): boolean {
  const bytes = chosen.reduce((sum, { size }) => sum + size, 0)
  if (bytes <= greatestBillBytes) return false
  const message = t('Choose files of {most} at most.', { most: formatBytes(greatestBillBytes) })
  const error = new CallError({ code: 'invalid', message, field: null })
  useReconcile.setState({ files: [], result: null, error })
  return true
}

/** Compares the open files with other options. */
export async function chooseOptions(changed: ReconcileState['options']): Promise<void> {
  useReconcile.setState(({ options }) => ({ options: { ...options, ...changed } }))
  if (useReconcile.getState().files.length > 0) await compare()
}

let latest = 0

/** Never rejects: a refusal is in `error`. */
async function compare(): Promise<void> {
  latest += 1
  const mine = latest
  const { files, options } = useReconcile.getState()
  useReconcile.setState({ isRunning: true, error: null })
  try {
    const result = await call('reconcile:run', { files: [...files], ...options })
    if (mine === latest) useReconcile.setState({ result, isRunning: false })
  } catch (error) {
    if (mine === latest)
      useReconcile.setState({ result: null, error: toCallError(error), isRunning: false })
  }
}

/** Corrects the price and compares again. @throws CallError */
export async function correctPrice({ from: _from, before: _before, ...price }: PriceFinding) {
  await call('reconcile:correct', price)
  await compare()
}
