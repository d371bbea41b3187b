/**
 * Checks the addresses that an upstream's name may resolve to. The check runs at connect time, on the address that the
 * connection then uses, so a name cannot change its answer between the check and the connection.
 */
import dns, { type LookupAddress } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { openConnection, type ConnectionUse } from '../../shared/app/open-connection.ts'

/** The message for the user. */
export const addressNotAllowed =
  'the address is in a private or reserved network; allow it for this provider if the server is yours'

/** Never an upstream: link-local (cloud metadata), unspecified, multicast, and their IPv6 forms. */
const never = new BlockList()
never.addSubnet('0.0.0.0', 8)
never.addSubnet('169.254.0.0', 16)
never.addSubnet('224.0.0.0', 3)
never.addSubnet('fe80::', 10, 'ipv6')
never.addSubnet('ff00::', 8, 'ipv6')
never.addAddress('::', 'ipv6')
// These contain an IPv4 address, where the connection ends: NAT64, 6to4.
never.addSubnet('64:ff9b::', 96, 'ipv6')
never.addSubnet('64:ff9b:1::', 48, 'ipv6')
never.addSubnet('2002::', 16, 'ipv6')
// AWS puts its metadata service among the private addresses.
never.addAddress('fd00:ec2::254', 'ipv6')

/** Allowed only when the user marks the server as part of their own network. */
const privateNetworks = new BlockList()
privateNetworks.addSubnet('10.0.0.0', 8)
privateNetworks.addSubnet('100.64.0.0', 10)
privateNetworks.addSubnet('172.16.0.0', 12)
privateNetworks.addSubnet('192.168.0.0', 16)
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

/** An address that only this computer can reach. */
export function isLoopback({ hostname }: URL): boolean {
  return isLoopbackHost(hostname.replace(/^\[|\]$/g, ''))
}

export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Whether an address is allowed. Loopback is: local model servers are upstreams like any other. */
export function isAllowedAddress(address: string, allowsPrivate: boolean): boolean {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (never.check(address, family)) return false
  return allowsPrivate || !privateNetworks.check(address, family)
}

/** A `lookup` for sockets that refuses names resolving to a forbidden address. */
export function guardedLookup(allowsPrivate: boolean, use: ConnectionUse | null): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (error: Error | null, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0)
      const allowed = addresses.filter(({ address }) => isAllowedAddress(address, allowsPrivate))
      const [first] = allowed
      if (!first || allowed.length < addresses.length) return callback(notAllowed(), '', 0)
      if (options.all) return callback(null, allowed)
      return callback(null, first.address, first.family)
    }
    // The name of this computer asks no name server.
    openConnection('dns', isLoopbackHost(hostname) ? null : use, () =>
      dns.lookup(hostname, { ...options, all: true }, answer),
    )
  }
}

/** The message for the user. */
export const ownAddress =
  'the address is Modelport’s own, which would ask itself forever; enter the address of a model server'

/** The error of a connection to the service itself. */
export function isOurOwn(): NodeJS.ErrnoException {
  return Object.assign(new Error('the address is our own'), { code: 'OWN_ADDRESS' })
}

/** The error of a connection to a forbidden address. */
export function notAllowed(): NodeJS.ErrnoException {
  return Object.assign(new Error('the address is not allowed'), { code: 'ADDRESS_NOT_ALLOWED' })
}
