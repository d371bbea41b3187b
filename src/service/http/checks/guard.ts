/** Whether a request is addressed to this endpoint: protection against DNS rebinding. */
import type { IncomingHttpHeaders } from 'node:http'

/**
 * The host that the client asked for.
 * @param isProxied  whether a trusted proxy sent the headers. A list in `X-Forwarded-Host` matches no name.
 */
export function hostOf(headers: IncomingHttpHeaders, isProxied: boolean): string | undefined {
  const forwarded = isProxied ? headers['x-forwarded-host'] : undefined
  return forwarded === undefined ? headers.host : String(forwarded)
}

/**
 * @param port  default ports may be omitted; null for any port
 * @param names  the endpoint's host names
 */
export function isOurHost(
  host: string | undefined,
  port: number | undefined | null,
  names: readonly string[],
): boolean {
  const lower = host?.toLowerCase()
  const asked = port === null ? lower?.replace(/:\d{1,5}$/, '') : lower
  return names.some((name) => {
    const known = name.toLowerCase()
    return asked === `${known}:${port}` || (asked === known && (port === null || isDefault(port)))
  })
}

function isDefault(port: number | undefined): boolean {
  return port === 443 || port === 80
}
