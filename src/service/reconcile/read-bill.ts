/** Reads all files of a bill: their entries, the rows that cannot be read, and rows that two files have. */
import { createHash } from 'node:crypto'
import type { BillProblem, ReadFile } from '../../shared/requests/reconciliation.ts'
import { BillUnreadable, type BillEntry, type ReadRows } from './bill.ts'
import { readText } from './bill-text.ts'
import { billFormats } from './formats/index.ts'

export interface BillFile {
  name: string
  bytes: Uint8Array
}

export interface Bill {
  entries: BillEntry[]
  /** Provider types of the vendors; null for those of any. */
  types: ReadonlySet<string> | null
  files: ReadFile[]
  problems: BillProblem[]
  duplicates: number
}

export function readBill(files: readonly BillFile[]): Bill {
  const bill: Bill = { entries: [], types: null, files: [], problems: [], duplicates: 0 }
  const types = new Set<string>()
  let isOfAny = false
  const seen = new Set<string>()
  for (const file of files) {
    try {
      const { format, rows } = readFile(file)
      for (const type of format.types) types.add(type)
      isOfAny ||= format.types.length === 0
      const kept = withoutRepeats(rows.entries, seen)
      for (const entry of kept) bill.entries.push({ ...entry, file: file.name })
      bill.duplicates += rows.entries.length - kept.length
      bill.files.push({ name: file.name, format: format.name, rows: rows.entries.length })
      for (const problem of rows.problems) bill.problems.push({ file: file.name, ...problem })
    } catch (error) {
      if (!(error instanceof BillUnreadable)) throw error
      bill.problems.push({ file: file.name, line: error.line, reason: error.message })
    }
  }
  return { ...bill, types: isOfAny || types.size === 0 ? null : types }
}

function readFile(file: BillFile) {
  const text = readText(file.bytes)
  const format = billFormats.find(({ fits }) => fits(text))
  if (!format) {
    const names = billFormats.map(({ name }) => name).join(', ')
    throw new BillUnreadable(`The file is none of these: ${names}.`)
  }
  const rows: ReadRows = format.read(text)
  return {
    format,
    rows: { ...rows, problems: [...(text.table?.problems ?? []), ...rows.problems] },
  }
}

/** Without the rows that an earlier file has, and without those that a vendor numbers and this file has twice. */
function withoutRepeats(entries: readonly BillEntry[], seen: Set<string>): BillEntry[] {
  const inFile = new Set<string>()
  const kept = entries.filter((entry) => {
    const mark = markOf(entry)
    if (seen.has(mark) || (entry.isNumbered && inFile.has(mark))) return false
    inFile.add(mark)
    return true
  })
  for (const mark of inFile) seen.add(mark)
  return kept
}

/** Figures are part of it: a later export of the same day may have other ones. */
function markOf({ identity, at, model, tokens, costs, isNumbered }: BillEntry): string {
  if (isNumbered) return identity
  return createHash('sha256')
    .update(JSON.stringify([identity, at, model, tokens, costs]))
    .digest('base64')
}
