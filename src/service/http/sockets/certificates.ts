/**
 * The names of the endpoint's certificates, and which certificates are for them. Certificates are created in
 * make-certificates.ts. This file does not access the disk.
 */
import { X509Certificate } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import { ServiceError } from '../../errors.ts'

/** A certificate and its private key (PKCS #8), both as PEM. */
export interface Identity {
  cert: string
  key: string
}

/** Names that every leaf has. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '::1']

/** How the name of each authority begins. */
export const subjectPrefix = 'Modelport local CA'

/**
 * The leaf's names: those of the loopback interface and the given ones, in lower case, without duplicates.
 * @param hosts  DNS names or IP addresses, without a port
 * @throws ServiceError invalid_parameter when one is neither
 */
export function leafNames(hosts: readonly string[]): string[] {
  const names = new Set(loopbackNames)
  for (const host of hosts) {
    const name = host.toLowerCase()
    if (isIP(name) === 0 && !isDnsName(name)) {
      throw new ServiceError(
        'invalid_parameter',
        `"${host}" is neither a host name nor an address`,
        {
          param: 'hosts',
        },
      )
    }
    names.add(name)
  }
  return [...names]
}

/** Whether the authority's constraints permit every one of `names`; it may permit more. */
export function permitsNames(authorityCert: string, names: readonly string[]): boolean {
  // A subtree is a complete DER value, so the certificate contains it exactly if it contains its bytes.
  const { raw } = new X509Certificate(authorityCert)
  return permittedSubtrees(names).every((subtree) => raw.includes(subtree))
}

/** Whether the leaf is for exactly `names`, in this order. */
export function hasNames(leafCert: string, names: readonly string[]): boolean {
  return new X509Certificate(leafCert).raw.includes(subjectAltName(names))
}

/** The names of a leaf as its extension has them: GeneralNames in DER (RFC 5280, 4.2.1.6). */
export function subjectAltName(names: readonly string[]): Buffer {
  return der(0x30, ...names.map(generalName))
}

function generalName(name: string): Buffer {
  return isIP(name) === 0 ? der(0x82, Buffer.from(name, 'latin1')) : der(0x87, addressBytes(name))
}

/**
 * Whether a certificate names an authority created by Modelport, in this or another installation. It only searches
 * for the name's bytes, because system roots contain certificates that strict parsers refuse.
 */
export function isOurAuthority(pem: string): boolean {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64').includes(subjectPrefix)
}

function isDnsName(name: string): boolean {
  const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
  return name.length <= 253 && name.split('.').every((part) => label.test(part))
}

/** The names that an authority's constraints permit, each in DER (RFC 5280, 4.2.1.10). */
export function permittedSubtrees(names: readonly string[]): Buffer[] {
  const added = names.filter(
    (name) => !loopbackNames.includes(name) && !(isIPv4(name) && name.startsWith('127.')),
  )
  return [
    hostSubtree('localhost'),
    ipSubtree(Buffer.from([127, 0, 0, 0]), Buffer.from([255, 0, 0, 0])),
    hostSubtree('::1'),
    ...added.map(hostSubtree),
  ]
}

function hostSubtree(name: string): Buffer {
  if (isIP(name) === 0) return der(0x30, generalName(name))
  const address = addressBytes(name)
  return ipSubtree(address, Buffer.alloc(address.length, 0xff))
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  // As URLs write it: groups of hexadecimal digits, with one gap for zeros. No certificate has a zone (`%eth0`).
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...zeros, ...after]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function ipSubtree(address: Buffer, mask: Buffer): Buffer {
  return der(0x30, der(0x87, address, mask))
}

/** A value in DER. */
export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  // Strict parsers, such as Go's, refuse a length with more bytes than it needs.
  const size = length < 0x80 ? [] : length < 0x100 ? [0x81] : [0x82, length >> 8]
  const header = [tag, ...size, length & 0xff]
  return Buffer.concat([Buffer.from(header), content])
}
