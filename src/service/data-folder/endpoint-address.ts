/** The endpoint's address for other processes, which cannot ask the service. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { EndpointState } from '../../shared/app/app-state.ts'
import type { Settings } from '../../shared/app/settings.ts'
import { isAlive, readIfThere, replaceFile } from './durable-file.ts'

const noteSchema = z.object({
  url: z.url(),
  pid: z.int(),
  /** The operator's certificate. */
  certFile: z.string().nullable(),
})

export interface EndpointAddressOptions {
  dataDir: string
  settings(): Pick<Settings, 'port'>
  /** Called when the note could not be written. */
  onError(error: unknown): void
}

export class EndpointAddress {
  readonly #options: EndpointAddressOptions
  #state: EndpointState | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(options: EndpointAddressOptions) {
    this.#options = options
  }

  /** Called by the service with each state. @param certFile  the operator's certificate; null for none */
  update(state: EndpointState, certFile: string | null): void {
    this.#state = state
    const file = noteFile(this.#options.dataDir)
    const note =
      state.status === 'listening' ? { url: state.url, pid: process.pid, certFile } : null
    this.#writing = this.#writing
      .then(() => (note ? replaceFile(file, JSON.stringify(note)) : rm(file, { force: true })))
      .catch(this.#options.onError)
  }

  /**
   * The running service's address, or the one that it will have. The url is null when the port is chosen at each
   * start.
   */
  async current(): Promise<{ url: string | null; isRunning: boolean }> {
    if (this.#state?.status === 'listening') return { url: this.#state.url, isRunning: true }
    const note = this.#state === null ? await readNote(this.#options.dataDir) : null
    if (note !== null) return { url: note.url, isRunning: true }
    const { port } = this.#options.settings()
    return { url: port === 0 ? null : `https://localhost:${port}`, isRunning: false }
  }

  /** The operator's certificate that the running service uses; null for none. */
  async certificateFile(): Promise<string | null> {
    const note = await readNote(this.#options.dataDir)
    return note?.certFile ?? null
  }

  /** Deletes the note of this service. */
  async close(): Promise<void> {
    await this.#writing
    if (this.#state !== null) await rm(noteFile(this.#options.dataDir), { force: true })
  }
}

function noteFile(dataDir: string): string {
  return join(dataDir, 'endpoint.json')
}

async function readNote(dataDir: string): Promise<z.infer<typeof noteSchema> | null> {
  try {
    const text = await readIfThere(noteFile(dataDir))
    const note = text === null ? null : noteSchema.parse(JSON.parse(text))
    // A service that was killed leaves its note.
    return note !== null && isAlive(note.pid) ? note : null
  } catch {
    // Another version's note.
    return null
  }
}
