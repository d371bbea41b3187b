/**
 * Chooses the proxy, if any, of an outbound connection: the setting, otherwise the environment variables that curl and
 * others read (https://curl.se/docs/manpage.html#ENVIRONMENT): `https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`,
 * lower case first. Connections to this computer never use a proxy.
 */
import { BlockList, isIP, isIPv6 } from 'node:net'

export interface Target {
  protocol: string
  /** Host name, without the brackets of an IPv6 address. */
  hostname: string
  port: number
}

export interface Proxy {
  url: URL
  /** Host and port for the user, never the credentials. */
  name: string
  /** The variable or setting that names it: `HTTPS_PROXY`, `the setting outboundProxy`. */
  source: string
}

export interface ProxyChoice {
  /** The URL of a proxy, `direct` for none, or null to use the environment. */
  setting: string | null
  env: Readonly<Record<string, string | undefined>>
}

/** A proxy that cannot be used or did not connect; `message` tells the user what to do. */
export class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed'
}

/** @throws ProxyFailed when the value is not a proxy that Modelport can use */
export function proxyFor(target: Target, { setting, env }: ProxyChoice): Proxy | null {
  if (setting === 'direct' || isThisComputer(target.hostname)) return null
  const named = setting === null ? proxyOfEnv(target, env) : { text: setting, source: ofSetting }
  if (named === null || isExempt(target, read(env, 'no_proxy')?.text ?? '')) return null
  return parseProxy(named)
}

/** Whether some connections to other computers go through a proxy. */
export function hasProxy({ setting, env }: ProxyChoice): boolean {
  if (setting !== null) return setting !== 'direct'
  return ['https_proxy', 'http_proxy', 'all_proxy'].some((name) => read(env, name) !== null)
}

const ofSetting = 'the setting outboundProxy'

interface Named {
  text: string
  source: string
}

function proxyOfEnv({ protocol }: Target, env: ProxyChoice['env']): Named | null {
  const own = protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  return read(env, own) ?? read(env, 'all_proxy')
}

/** An empty variable counts as unset. */
function read(env: ProxyChoice['env'], lowerCase: string): Named | null {
  for (const source of [lowerCase, lowerCase.toUpperCase()]) {
    const text = env[source]?.trim()
    if (text) return { text, source }
  }
  return null
}

/** Many people write `proxy.corp:3128` without a scheme. */
function parseProxy({ text, source }: Named): Proxy {
  const url = parseUrl(text.includes('://') ? text : `http://${text}`)
  if (url === null || url.hostname === '') {
    // Without the value, which may contain a password.
    throw new ProxyFailed(`${source} is not the address of a proxy, such as http://proxy:3128`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const kind = url.protocol.slice(0, -1)
    throw new ProxyFailed(
      `${source} names a ${kind} proxy, but only http and https proxies are supported; set outboundProxy in the settings to one, or to "direct"`,
    )
  }
  return { url, name: url.host, source }
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

function isThisComputer(hostname: string): boolean {
  const host = hostname.toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  return isIP(host) !== 0 && loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
}

/**
 * Whether a target is exempt. Entries are separated by commas or blanks. An entry is `*`, a name that matches itself
 * and its subdomains (a leading dot or `*.` changes nothing), an address or an address range, each with or without a
 * port.
 */
function isExempt(target: Target, noProxy: string): boolean {
  const entries = noProxy.toLowerCase().split(/[\s,]+/)
  return entries.some((entry) => entry !== '' && covers(entry, target))
}

function covers(entry: string, { hostname, port }: Target): boolean {
  if (entry === '*') return true
  const { name, port: ofPort } = splitPort(entry)
  if (ofPort !== null && ofPort !== port) return false
  const host = hostname.toLowerCase()
  if (isIP(host) !== 0) return name === host || isInRange(host, name)
  const suffix = name.replace(/^\*?\./, '')
  return host === suffix || host.endsWith(`.${suffix}`)
}

/** `[::1]:80`, `[::1]`, `::1`, `10.0.0.0/8`, `example.com:8443`. */
function splitPort(entry: string): { name: string; port: number | null } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? []
  return { name: bracketed ?? plain ?? entry, port: port === undefined ? null : Number(port) }
}

function isInRange(address: string, range: string): boolean {
  const [network = '', length = ''] = range.split('/')
  const bits = Number(length)
  const isV6 = isIPv6(network)
  if (isIP(network) === 0 || length === '' || isV6 !== isIPv6(address)) return false
  if (!Number.isInteger(bits) || bits > (isV6 ? 128 : 32)) return false
  const list = new BlockList()
  list.addSubnet(network, bits, isV6 ? 'ipv6' : 'ipv4')
  return list.check(address, isV6 ? 'ipv6' : 'ipv4')
}
