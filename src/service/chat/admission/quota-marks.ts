/**
 * How many of each router's counted requests were really dispatched: a small file that survives the end of the process, so
 * that the next one returns what a killed process had leased and not used. It is written without waiting for the disk. After
 * a restart of the computer it is not trusted, because the count must never be too low.
 */
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'

/**
 * A router's day, and the number of its requests that are certain to count; of one of several services the number that it
 * has leased and not dispatched.
 */
export interface QuotaMark {
  routerId: string
  /** UTC: `2026-11-21` */
  day: string
  requests: number
}

const routerWidth = 64
const dayWidth = 10
const countWidth = 15
const recordBytes = routerWidth + dayWidth + countWidth + 3
/** Tolerance of the computed boot time. A clock that was set differs more; then the file is not trusted. */
const startToleranceMs = 2_000

export class QuotaMarks {
  readonly #file: string
  readonly #computerStartMs: () => number
  #open: { handle: number; slots: Map<string, number> } | null = null

  /** @param computerStartMs  when this computer started, computed from its clock */
  constructor(file: string, computerStartMs: () => number) {
    this.#file = file
    this.#computerStartMs = computerStartMs
  }

  /** Reads the marks that the process before this one left; empty after an orderly stop. */
  read(): QuotaMark[] {
    if (!existsSync(this.#file)) return []
    const [head, ...records] = readFileSync(this.#file, 'latin1').split('\n')
    if (Math.abs(Number(head?.trim() || NaN) - this.#computerStartMs()) < startToleranceMs) {
      return records.flatMap((record) => parseRecord(record))
    }
    return []
  }

  /** Begins a new file if there is none: another process took requests, which the other records do not include. */
  begin(): void {
    if (this.#open !== null && existsSync(this.#file)) return
    this.#close()
    rmSync(this.#file, { force: true })
    const handle = openSync(this.#file, 'wx', 0o600)
    writeSync(handle, `${String(Math.round(this.#computerStartMs())).padEnd(recordBytes - 1)}\n`, 0)
    this.#open = { handle, slots: new Map() }
  }

  write({ routerId, day, requests }: QuotaMark): void {
    if (this.#open === null) return
    const { handle, slots } = this.#open
    const slot = slots.get(routerId) ?? slots.size + 1
    slots.set(routerId, slot)
    const count = String(requests).padStart(countWidth)
    writeSync(handle, `${routerId.padEnd(routerWidth)} ${day} ${count}\n`, slot * recordBytes)
  }

  /** Removes the file because another process takes requests: only what is leased later can be returned. */
  remove(): void {
    this.#close()
    rmSync(this.#file, { force: true })
  }

  /** Removes the file after a mark could not be written. */
  giveUp(): void {
    try {
      this.remove()
    } catch {
      // The error of the mark was reported. Its file cannot be changed at all, so it also has no newer marks.
    }
  }

  #close(): void {
    const open = this.#open
    this.#open = null
    if (open !== null) closeSync(open.handle)
  }
}

/** The marks of a record; none for a record that was not written completely. */
function parseRecord(record: string): QuotaMark[] {
  const [routerId, day, count] = record.split(/ +/)
  const requests = Number(count || NaN)
  if (record.length !== recordBytes - 1 || !routerId || !day || !Number.isSafeInteger(requests)) {
    return []
  }
  return [{ routerId, day, requests }]
}
