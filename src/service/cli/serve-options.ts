/** The options of `serve`: where it listens, what it trusts, and how it stops. */
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import type { ServiceOptions } from '../service.ts'
import { UsageError } from './cli.ts'
import { none, readPort } from './option-values.ts'
import type { ServerOption } from './server-options.ts'

export const serveOptions: readonly ServerOption[] = [
  {
    flags: '--port <number>',
    variable: 'MODELPORT_PORT',
    description: 'port of the HTTPS endpoint; 0 uses any free port',
    read: readPort,
  },
  {
    flags: '--http-port <number|off>',
    variable: 'MODELPORT_HTTP_PORT',
    description: 'port of plain HTTP, on this computer only unless --http-bind is set',
    read: readHttpPort,
  },
  {
    flags: '--host <name...>',
    variable: 'MODELPORT_HOSTS',
    description: 'further names by which clients reach the service, besides localhost',
    read: readNames,
  },
  {
    flags: '--bind <address>',
    variable: 'MODELPORT_BIND',
    description: 'address of this computer that serves HTTPS to the network; needs --tls-cert',
    read: readAddress,
  },
  {
    flags: '--tls-cert <file>',
    variable: 'MODELPORT_TLS_CERT',
    description: 'certificate with its chain (PEM), read again when it changes',
  },
  {
    flags: '--tls-key <file>',
    variable: 'MODELPORT_TLS_KEY',
    description: 'private key of the certificate (PEM)',
  },
  {
    flags: '--http-bind <address>',
    variable: 'MODELPORT_HTTP_BIND',
    description:
      'address of this computer that serves plain HTTP to proxies; needs --trusted-proxy',
    read: readAddress,
  },
  {
    flags: '--trusted-proxy <range...>',
    variable: 'MODELPORT_TRUSTED_PROXIES',
    description: 'addresses of proxies that may set X-Forwarded headers, such as 10.0.0.0/8',
    read: readNames,
  },
  {
    flags: '--drain-delay <duration>',
    variable: 'MODELPORT_DRAIN_DELAY',
    description:
      'time from SIGTERM, when /readyz fails, until the service refuses new requests; 0s by default',
    read: readDuration,
  },
  {
    flags: '--drain-limit <duration>',
    variable: 'MODELPORT_DRAIN_LIMIT',
    description: 'time after the delay for requests in progress to end; 10s by default',
    read: readDuration,
  },
]

export interface ServeOptions {
  port?: number
  httpPort?: number | typeof none
  host?: string[]
  bind?: string
  tlsCert?: string
  tlsKey?: string
  httpBind?: string
  trustedProxy?: string[]
  drainDelay?: number
  drainLimit?: number
}

/** @throws UsageError for options that need others */
export async function toServiceOptions(
  options: ServeOptions,
): Promise<Pick<ServiceOptions, 'port' | 'httpPort' | 'hosts' | 'network' | 'stop'>> {
  await refuseOpenNetwork(options)
  const { port, host: hosts, bind, httpBind, trustedProxy: trustedProxies } = options
  const { tlsCert: certFile, tlsKey: keyFile, drainDelay, drainLimit } = options
  const certificateFiles =
    certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined
  return {
    port,
    httpPort: options.httpPort === none ? null : options.httpPort,
    hosts,
    network: { bind, httpBind, trustedProxies, certificateFiles },
    stop: {
      ...(drainDelay !== undefined && { delay: () => sleep(drainDelay) }),
      ...(drainLimit !== undefined && { limitMs: drainLimit }),
    },
  }
}

async function refuseOpenNetwork(options: ServeOptions): Promise<void> {
  // Loaded here, because the help needs none of it.
  const { isLoopback, openTrustedProxies } = await import('../http/sockets/trusted-proxies.ts')
  const { bind, httpBind, httpPort, tlsCert, tlsKey, trustedProxy } = options
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new UsageError('Give both --tls-cert and --tls-key.')
  }
  if (bind !== undefined && !isLoopback(bind) && tlsCert === undefined) {
    throw new UsageError(
      'For --bind, give a certificate that clients trust: --tls-cert and --tls-key. Behind a proxy that ends TLS, use --http-bind with --trusted-proxy.',
    )
  }
  try {
    openTrustedProxies(trustedProxy ?? [])
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
  if (httpBind === undefined) return
  if (!isLoopback(httpBind) && trustedProxy === undefined) {
    throw new UsageError(
      'For --http-bind, name the proxies that may send plain HTTP: --trusted-proxy. Keys of other clients would travel unencrypted.',
    )
  }
  if (httpPort === undefined || httpPort === none) {
    throw new UsageError('For --http-bind, give the port: --http-port.')
  }
}

function readHttpPort(text: string): number | typeof none {
  if (text === 'off') return none
  try {
    return readPort(text)
  } catch {
    throw new InvalidArgumentError('Expected a port from 0 to 65535, or off.')
  }
}

function readAddress(text: string): string {
  if (isIP(text) !== 0) return text
  throw new InvalidArgumentError('Expected an address such as 0.0.0.0 or 10.0.0.5.')
}

/** Several values of one option, or of one variable with commas. */
function readNames(text: string, before?: unknown): string[] {
  const names = text.split(',').map((part) => part.trim())
  return [...(Array.isArray(before) ? before.map(String) : []), ...names].filter(Boolean)
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

/** @returns milliseconds of `500ms`, `5s` or `2m` */
function readDuration(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? []
  const factor = unitMs[unit]
  if (amount !== undefined && factor !== undefined) return Number(amount) * factor
  throw new InvalidArgumentError('Expected a duration such as 500ms, 5s or 2m.')
}
