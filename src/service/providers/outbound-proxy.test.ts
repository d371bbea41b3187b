/** Tests which proxy a connection uses, by the setting and by the environment variables. */
import { expect, test } from 'vitest'
import { proxyFor, type Target } from './outbound-proxy.ts'

function target(address: string): Target {
  const { protocol, hostname, port } = new URL(address)
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) }
}

function nameFor(address: string, env: Record<string, string>, setting: string | null = null) {
  return proxyFor(target(address), { setting, env })?.name ?? null
}

const api = 'https://api.example.com'

test.each([
  ['HTTPS_PROXY', { HTTPS_PROXY: 'http://upper:1' }, 'upper:1'],
  ['the lower case first', { HTTPS_PROXY: 'http://upper:1', https_proxy: 'http://l:2' }, 'l:2'],
  ['an address without a scheme', { HTTPS_PROXY: 'proxy.corp:3128' }, 'proxy.corp:3128'],
  ['ALL_PROXY when no other variable is set', { ALL_PROXY: 'http://all:1' }, 'all:1'],
  ['not HTTP_PROXY, which is for http', { HTTP_PROXY: 'http://plain:1' }, null],
  ['none when the variable is empty', { HTTPS_PROXY: '', ALL_PROXY: ' ' }, null],
])('uses %s', (_, env, expected) => {
  expect(nameFor(api, env)).toBe(expected)
})

test.each([
  ['*', api],
  ['example.com', api],
  ['.example.com', api],
  ['*.example.com', api],
  ['other.org, API.EXAMPLE.COM', api],
  ['other.org example.com:443', api],
  ['93.184.216.34', 'https://93.184.216.34'],
  ['93.184.0.0/16', 'https://93.184.216.34'],
  ['[2606:4700::1]', 'https://[2606:4700::1]'],
  ['2606:4700::/32', 'https://[2606:4700::1]'],
])('NO_PROXY=%s exempts %s', (noProxy, address) => {
  expect(nameFor(address, { HTTPS_PROXY: 'http://proxy:1', NO_PROXY: noProxy })).toBeNull()
  expect(nameFor(address, { NO_PROXY: noProxy }, 'http://proxy:1')).toBeNull()
})

test.each([
  ['example.com:8443', api],
  ['ample.com', api],
  ['api.example.com.evil.org', api],
  ['93.184.0.0/99', 'https://93.184.216.34'],
  ['10.0.0.0/8', 'https://93.184.216.34'],
  ['10.0.0.0/8', api],
])('NO_PROXY=%s does not exempt %s', (noProxy, address) => {
  expect(nameFor(address, { HTTPS_PROXY: 'http://proxy:1', NO_PROXY: noProxy })).toBe('proxy:1')
})

test.each(['localhost', 'api.localhost', '127.0.0.1', '127.8.8.8', '[::1]'])(
  '%s is never reached through a proxy',
  (host) => {
    expect(nameFor(`https://${host}:8080`, { ALL_PROXY: 'http://p:1' }, 'http://p:1')).toBeNull()
  },
)

test('the setting overrides the environment, and "direct" overrides both', () => {
  const env = { HTTPS_PROXY: 'http://env:1' }

  expect(nameFor(api, env, 'http://setting:1')).toBe('setting:1')
  expect(nameFor(api, env, 'direct')).toBeNull()
})

test.each([
  ['socks5://user:secret@proxy:1080', /HTTPS_PROXY names a socks5 proxy/],
  ['http://user:secret@', /HTTPS_PROXY is not the address of a proxy/],
])('%s is refused, and the error does not contain the password', (address, words) => {
  const choose = () => nameFor(api, { HTTPS_PROXY: address })

  expect(choose).toThrow(words)
  expect(choose).not.toThrow(/secret/)
})
