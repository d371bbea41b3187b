/** `fetch` for downloads and webhooks, with the same proxy and the same authorities as the providers. */
import type { Agent, RequestInit } from 'undici'
import { ProxyFailed } from '../providers/outbound-proxy.ts'
import type { Outbound } from '../providers/outbound.ts'
import type { Fetch } from './library/request-file.ts'

/** @returns a fetch that rejects with ProxyFailed, with a message for the user, if the proxy failed */
export function createOutboundFetch(
  outbound: Outbound,
  { privateNetwork } = { privateNetwork: false },
): Fetch {
  let dispatcher: Agent | null = null
  return async (url, init) => {
    const undici = await import('undici')
    dispatcher ??= new undici.Agent({ connect: outbound.connector({ privateNetwork }) })
    // undici's types and the platform's describe the same objects: Node's own fetch is undici.
    const request = { ...init, dispatcher } as RequestInit
    try {
      return await undici.fetch(url, request)
    } catch (error) {
      throw error instanceof Error && error.cause instanceof ProxyFailed ? error.cause : error
    }
  }
}
