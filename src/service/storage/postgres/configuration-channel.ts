/**
 * Listens for configuration changes of other nodes on a separate connection. PgBouncer in transaction mode delivers no
 * messages, and a broken connection loses them, so the version must be polled as well.
 */
import { Client, type ClientConfig } from 'pg'

const reconnectMs = 1_000

export interface ConfigurationChannel {
  /** @returns removes the listener */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}

export function openConfigurationChannel(config: ClientConfig): ConfigurationChannel {
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  let client: Client | null = null
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  const lost = (broken: Client) => {
    if (client !== broken) return
    client = null
    void broken.end().catch(() => null)
    if (!isClosed) retry = setTimeout(connect, reconnectMs).unref()
  }
  const connect = () => {
    const own = new Client(config)
    client = own
    own.on('notification', notify)
    // Emitted also for a connection that could not be opened.
    own.on('error', () => lost(own))
    own.on('end', () => lost(own))
    own
      .connect()
      .then(() => own.query('LISTEN modelport_configuration'))
      .then(notify)
      .catch(() => lost(own))
  }
  connect()
  return {
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      await client?.end().catch(() => null)
    },
  }
}
