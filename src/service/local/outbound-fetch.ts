/** `fetch` for downloads and webhooks, with the same proxy and the same authorities as the providers. */
import type { Agent, RequestInit } from 'undici'
import type { ConnectionId } from '../../shared/app/connections.ts'
import { openConnection } from '../../shared/app/open-connection.ts'
import { ProxyFailed } from '../providers/outbound-proxy.ts'
import type { Outbound } from '../providers/outbound.ts'
import type { Fetch } from './library/request-file.ts'

/** @returns a fetch that rejects with ProxyFailed, with a message for the user, if the proxy failed */
export function createOutboundFetch(
  outbound: Outbound,
  id: ConnectionId,
  { privateNetwork } = { privateNetwork: false },
): Fetch {
  let dispatcher: Agent | null = null
  return async (url, init) => {
    const undici = await import('undici')
    dispatcher ??= new undici.Agent({ connect: outbound.connector({ id, privateNetwork }) })
    // undici's types and the platform's describe the same objects: Node's own fetch is undici.
    const request = { ...init, dispatcher } as RequestInit
    try {
      // Here as well, because an open connection may be used again.
      return await openConnection(id, outbound.use, () => undici.fetch(url, request))
    } catch (error) {
      throw error instanceof Error && error.cause instanceof ProxyFailed ? error.cause : error
    }
  }
}
