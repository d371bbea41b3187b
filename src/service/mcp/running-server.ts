/** One server's connection: opened when it is needed, closed when it was not used for a while. */
import type { Connection, ConnectOptions } from './connection.ts'
import { limits } from './limits.ts'
import { readTools, type ToolList } from './tool-list.ts'

export interface RunningServerOptions {
  /** Opens the connection; called only here. @throws when it may not, or cannot, be opened */
  open: (
    news: Pick<ConnectOptions, 'onToolsChanged' | 'onClosed' | 'signal'>,
  ) => Promise<Connection>
  /** Called with each list of the server, before a call relies on it. */
  onListed: (list: ToolList) => Promise<void>
  onStateChanged: () => void
  idleMs?: number | undefined
}

interface Opened {
  connection: Connection
  /** Whether the server's list is not known, or has changed since it was read. */
  isStale: boolean
  /** The last reading of the list, which each use waits for. */
  listing: Promise<void>
}

export class RunningServer {
  readonly #options: RunningServerOptions
  #opened: Opened | null = null
  #opening: Promise<Opened> | null = null
  #uses = 0
  #idle: NodeJS.Timeout | undefined
  #stop = new AbortController()

  constructor(options: RunningServerOptions) {
    this.#options = options
  }

  get state(): 'stopped' | 'starting' | 'running' {
    if (this.#opened) return 'running'
    return this.#opening ? 'starting' : 'stopped'
  }

  /** Uses the connection, which stays open meanwhile. @throws as `open` */
  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    clearTimeout(this.#idle)
    this.#uses += 1
    try {
      const opened = this.#opened ?? (await (this.#opening ??= this.#open()))
      await this.#listed(opened)
      return await work(opened.connection)
    } finally {
      this.#uses -= 1
      if (this.#uses === 0) this.#stopLater()
    }
  }

  /** Reads the list again. @throws as `use` */
  async refresh(): Promise<void> {
    if (this.#opened) this.#opened.isStale = true
    await this.use(async () => {})
  }

  /** Resolves when the process and what it started have ended. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    this.#stop.abort()
    this.#stop = new AbortController()
    const opened = this.#opened ?? (await this.#opening?.catch(() => null)) ?? null
    this.#opened = null
    await opened?.connection.close()
    this.#options.onStateChanged()
  }

  async #open(): Promise<Opened> {
    const { open, onStateChanged } = this.#options
    onStateChanged()
    let opened: Opened | null = null
    try {
      const connection = await open({
        signal: this.#stop.signal,
        onToolsChanged: () => opened && (opened.isStale = true),
        onClosed: () => {
          if (this.#opened !== opened) return
          this.#opened = null
          onStateChanged()
        },
      })
      this.#opened = opened = { connection, isStale: true, listing: Promise.resolve() }
      return opened
    } finally {
      this.#opening = null
      onStateChanged()
    }
  }

  /** Resolves once no list that was asked for is missing: a call beside it would rely on the tools of before. */
  #listed(opened: Opened): Promise<void> {
    if (opened.isStale) {
      opened.isStale = false
      const before = opened.listing.catch(() => {})
      opened.listing = before.then(() => this.#list(opened))
    }
    return opened.listing
  }

  async #list(opened: Opened): Promise<void> {
    try {
      const tools = await opened.connection.listTools(this.#stop.signal)
      await this.#options.onListed(readTools(tools))
    } catch (error) {
      opened.isStale = true
      throw error
    }
  }

  #stopLater(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.close(), this.#options.idleMs ?? limits.idleMs)
    this.#idle.unref()
  }
}
