/**
 * Proxies that the operator named. Only from them are `X-Forwarded-For`, `-Proto` and `-Host` read; from any other
 * address a client could write what it likes into these headers.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'
import { thisComputer } from '../../../shared/requests/unexpected-call.ts'
import { ServiceError } from '../../errors.ts'

export interface TrustedProxies {
  includes(address: string): boolean
  /**
   * The address of the client: the last one in `X-Forwarded-For` that is no trusted proxy, because each proxy adds
   * the address that it saw. The socket's own address without a trusted proxy.
   */
  clientAddress(remoteAddress: string, headers: IncomingHttpHeaders): string
}

/** Addresses with a remembered answer, which takes a microsecond to find and is needed for each request. */
const mostKnown = 1_000

/**
 * @param ranges  addresses such as `10.0.0.5`, and ranges such as `10.0.0.0/8` and `fd00::/8`
 * @throws ServiceError invalid_parameter for any other text
 */
export function openTrustedProxies(ranges: readonly string[]): TrustedProxies {
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  const known = new Map<string, boolean>()

  function includes(address: string): boolean {
    if (ranges.length === 0) return false
    const before = known.get(address)
    if (before !== undefined) return before
    const plain = plainAddress(address)
    const isOurs = isIP(plain) !== 0 && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
    if (known.size >= mostKnown) known.clear()
    known.set(address, isOurs)
    return isOurs
  }

  return {
    includes,
    clientAddress(remoteAddress, headers) {
      if (!includes(remoteAddress)) return plainAddress(remoteAddress)
      const added = String(headers['x-forwarded-for'] ?? '')
        .split(',')
        .map((part) => plainAddress(part.trim()))
      const client = added.findLast((address) => !includes(address))
      return client !== undefined && isIP(client) !== 0 ? client : plainAddress(remoteAddress)
    },
  }
}

function addRange(list: BlockList, range: string): void {
  const [address = '', length, ...rest] = range.split('/')
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const bits = length === undefined ? (family === 'ipv4' ? 32 : 128) : Number(length)
  const isRange = isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(length ?? '0')
  // A range of length 0 is every computer.
  if (!isRange || bits === 0 || bits > (family === 'ipv4' ? 32 : 128)) {
    throw new ServiceError(
      'invalid_parameter',
      `"${range}" is no address of a proxy. Expected an address such as 10.0.0.5, or a range such as 10.0.0.0/8.`,
      { param: 'trustedProxies' },
    )
  }
  list.addSubnet(address, bits, family)
}

/** An IPv4 address as such, also when an IPv6 socket received its connection. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address
}

export function isLoopback(address: string): boolean {
  const plain = plainAddress(address)
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}

/**
 * The client's address as one that stays the same: IPv6 by its network of 64 bits, because computers change the rest by
 * themselves, and all addresses of this computer as one.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address.replace(/%.*$/, ''))
  if (isLoopback(plain)) return thisComputer
  if (isIP(plain) !== 6) return plain
  const [left = '', right] = plain.split('::')
  const first = left === '' ? [] : left.split(':')
  const last = right === undefined || right === '' ? [] : right.split(':')
  const between = right === undefined ? 0 : 8 - first.length - last.length
  const groups = [...first, ...Array.from({ length: between }, () => '0'), ...last]
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
