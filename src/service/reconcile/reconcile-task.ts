/** The two parts of a comparison that take time, for a thread of their own. */
import type { BillProblem } from '../../shared/requests/reconciliation.ts'
import { compare, type Comparison } from './compare.ts'
import { readBill, type Bill, type BillFile } from './read-bill.ts'
import { sumByDay, type TheirSums } from './theirs.ts'

export type ReconcileTask =
  | { kind: 'read'; files: readonly BillFile[]; timeZone: string }
  | { kind: 'compare'; comparison: Comparison }

export interface SummedBill extends Pick<Bill, 'types' | 'files' | 'duplicates'> {
  theirs: TheirSums
  problems: BillProblem[]
}

export type TaskResult<Kind extends ReconcileTask['kind']> = Kind extends 'read'
  ? SummedBill
  : ReturnType<typeof compare>

export function runReconcileTask(task: ReconcileTask): SummedBill | ReturnType<typeof compare> {
  return task.kind === 'read' ? readAndSum(task.files, task.timeZone) : compare(task.comparison)
}

export function readAndSum(files: readonly BillFile[], timeZone: string): SummedBill {
  const bill = readBill(files)
  const { problems, ...theirs } = sumByDay(bill, timeZone)
  const { types, duplicates } = bill
  return {
    types,
    files: bill.files,
    duplicates,
    theirs,
    problems: [...bill.problems, ...problems].toSorted((a, b) => a.line - b.line),
  }
}
