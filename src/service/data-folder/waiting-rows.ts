/**
 * `waiting-rows.jsonl`, ledger rows of a node that its database has not stored yet. The node has them in memory too; the
 * file is for the next process on the data folder, if this one is killed or stopped before the database is back.
 *
 * The first line names the columns, because the next process may be of another version. Each other line is a row.
 */
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { RowJournal } from '../storage/sql/row-groups.ts'
import { rowColumns, type RowValues } from '../storage/sql/ledger-row.ts'
import { readIfThere, syncFolder } from './durable-file.ts'

const columnsSchema = z.array(z.string())
const rowSchema = z.array(z.union([z.string(), z.number(), z.null()]))

export class WaitingRows implements RowJournal {
  readonly #file: string
  readonly #onError: (error: unknown) => void
  /** Changes of the file run one after another. */
  #last: Promise<unknown> = Promise.resolve()
  #sizeBytes = 0

  /**
   * Only for a process that has locked the folder.
   * @param onError  called when the file cannot be read or written, at most once per change
   */
  constructor(dataDir: string, onError: (error: unknown) => void) {
    this.#file = join(dataDir, 'waiting-rows.jsonl')
    this.#onError = onError
  }

  async read(): Promise<{ rows: RowValues[]; isWhole: boolean }> {
    return parse((await readIfThere(this.#file)) ?? '')
  }

  add(rows: readonly RowValues[]): Promise<void> {
    return this.#inTurn(() => this.#append(rows.map((row) => JSON.stringify(row))))
  }

  clear(): Promise<void> {
    return this.#inTurn(async () => {
      await rm(this.#file, { force: true })
      this.#sizeBytes = 0
    })
  }

  setAside(): Promise<void> {
    return this.#inTurn(async () => {
      const aside = `${this.#file}.${Date.now()}.damaged`
      await rename(this.#file, aside)
      this.#onError(new Error(`Some of the rows in ${aside} could not be stored.`))
    })
  }

  async close(): Promise<void> {
    await this.#last
  }

  async #append(lines: readonly string[]): Promise<void> {
    const isNew = this.#sizeBytes === 0
    const all = isNew ? [JSON.stringify(rowColumns), ...lines] : lines
    const bytes = Buffer.from(all.map((line) => `${line}\n`).join(''))
    const file = await open(this.#file, 'a', 0o600)
    try {
      // A part of a line that an earlier failure left would damage the next one.
      await file.truncate(this.#sizeBytes)
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    if (isNew) await syncFolder(dirname(this.#file))
    this.#sizeBytes += bytes.length
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const changed = this.#last.then(change).catch(this.#onError)
    this.#last = changed
    return changed
  }
}

/** Rows of the text. The last line is incomplete if its process was killed while it wrote it. */
function parse(text: string): { rows: RowValues[]; isWhole: boolean } {
  const [first, ...lines] = text.split('\n').slice(0, -1)
  if (first === undefined) return { rows: [], isWhole: true }
  const columns = parseLine(columnsSchema, first)
  if (columns === null) return { rows: [], isWhole: false }
  const places = rowColumns.map((name) => columns.indexOf(name))
  const rows = lines.map((line) => {
    const values = parseLine(rowSchema, line)
    return values && places.map((place) => values[place] ?? null)
  })
  const read = rows.filter((row) => row !== null)
  return { rows: read, isWhole: read.length === rows.length }
}

function parseLine<Parsed>(schema: z.ZodType<Parsed>, line: string): Parsed | null {
  try {
    return schema.parse(JSON.parse(line))
  } catch {
    return null
  }
}
