/** The one function that opens connections. `test/rules/connections.test.ts` searches the source for others. */
import { connections, type ConnectionId } from './connections.ts'
import { t } from '../strings/strings.ts'

/** What one process knows about its connections. */
export interface ConnectionUse {
  isOff(id: ConnectionId): boolean
  /** Called just before each opening. */
  opens(id: ConnectionId): void
}

export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused'
  /** As the errors of sockets have one. */
  readonly code = 'CONNECTION_OFF'
}

/**
 * Opens a connection of the table.
 * @param use  null where no data folder is open, such as in `modelport doctor`
 * @throws ConnectionRefused when the user switched it off, or when it is not in the table
 */
export function openConnection<Opened>(
  id: ConnectionId,
  use: ConnectionUse | null,
  open: () => Opened,
): Opened {
  if (!Object.hasOwn(connections, id)) {
    throw new ConnectionRefused(`The connection “${id}” is not in the list of Settings, Privacy.`)
  }
  if (use?.isOff(id)) throw new ConnectionRefused(connectionOff(id))
  use?.opens(id)
  return open()
}

/** The message for the user. */
export function connectionOff(id: ConnectionId): string {
  const { title } = connections[id]
  return t('“{title}” is switched off in Settings, Privacy.', { title })
}
