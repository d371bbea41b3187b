/** When each connection was last opened, in the data folder's `connections.json`, and which are switched off. */
import { join } from 'node:path'
import { z } from 'zod'
import type { ConnectionId } from '../../shared/app/connections.ts'
import type { ConnectionUse } from '../../shared/app/open-connection.ts'
import { readIfThere, replaceFile } from './durable-file.ts'

export interface ConnectionLogOptions {
  dataDir: string
  /** Unix milliseconds. */
  now(): number
  /** Called when the file could not be written. */
  onError(error: unknown): void
}

/** Opening a connection waits for nothing: the file follows this much later. */
const writeMs = 10_000
const timesSchema = z.record(z.string(), z.number())

export class ConnectionLog implements ConnectionUse {
  readonly #options: ConnectionLogOptions
  readonly #times = new Map<string, number>()
  #off: () => readonly ConnectionId[] = () => []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(options: ConnectionLogOptions) {
    this.#options = options
  }

  /** @param off  the connections that the user switched off; read for each opening */
  follow(off: () => readonly ConnectionId[]): void {
    this.#off = off
  }

  isOff(id: ConnectionId): boolean {
    return this.#off().includes(id)
  }

  opens(id: ConnectionId): void {
    this.#times.set(id, this.#options.now())
    this.#timer ??= setTimeout(() => void this.#write(), writeMs).unref()
  }

  /** The last uses by any process with this data folder, in Unix milliseconds. */
  async lastUses(): Promise<ReadonlyMap<string, number>> {
    const last = new Map(this.#times)
    for (const [id, atMs] of Object.entries(await this.#read())) {
      last.set(id, Math.max(atMs, last.get(id) ?? 0))
    }
    return last
  }

  async close(): Promise<void> {
    if (this.#timer !== null) await this.#write()
  }

  #write(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const file = fileIn(this.#options.dataDir)
    this.#writing = this.#writing
      .then(() => this.lastUses())
      .then((times) => replaceFile(file, JSON.stringify(Object.fromEntries(times))))
      .catch(this.#options.onError)
    return this.#writing
  }

  async #read(): Promise<z.infer<typeof timesSchema>> {
    try {
      const text = await readIfThere(fileIn(this.#options.dataDir))
      return text === null ? {} : timesSchema.parse(JSON.parse(text))
    } catch {
      // Another version's file. Nothing in it is worth a failed start.
      return {}
    }
  }
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'connections.json')
}
