import { expect, test } from 'vitest'
import { networkOf, openTrustedProxies } from './trusted-proxies.ts'

const proxies = openTrustedProxies(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])

test.each([
  [
    'an address outside the ranges is the client, whatever it claims',
    '203.0.113.9',
    '1.2.3.4',
    '203.0.113.9',
  ],
  ['a proxy’s client is the address it added', '10.1.1.1', '198.51.100.2', '198.51.100.2'],
  [
    'addresses that the client wrote itself do not count',
    '10.1.1.1',
    '1.2.3.4, 198.51.100.2',
    '198.51.100.2',
  ],
  ['a second proxy is skipped', 'fd00::1', '198.51.100.2, 192.0.2.7', '198.51.100.2'],
  [
    'an IPv6 socket’s IPv4 address is compared as IPv4',
    '::ffff:10.1.1.1',
    '2001:db8::5',
    '2001:db8::5',
  ],
  ['a text that is no address does not count', '10.1.1.1', 'unknown', '10.1.1.1'],
  ['without the header, the proxy itself is the client', '10.1.1.1', undefined, '10.1.1.1'],
])('%s', (_name, remoteAddress, forwarded, client) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }

  expect(proxies.clientAddress(remoteAddress, headers)).toBe(client)
})

test.each([
  '10.0.0.0/33',
  '10.0.0.0/8/8',
  'proxy.example',
  '',
  'fd00::/129',
  '0.0.0.0/0',
  '::/0',
  '10.0.0.0/-1',
])('refuses %j as a range', (range) => {
  expect(() => openTrustedProxies([range])).toThrow('is no address of a proxy')
})

test.each([
  ['127.0.0.1', 'localhost'],
  ['127.8.9.10', 'localhost'],
  ['::1', 'localhost'],
  ['::ffff:127.0.0.1', 'localhost'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the address %s is in the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
