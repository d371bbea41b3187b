/** Which addresses a provider may have, as a name and as an address in the URL. */
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { describe, expect, test } from 'vitest'
import { guardedLookup, isAllowedAddress } from './address-guard.ts'

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::200e',
  '::ffff:8.8.8.8',
]

const loopbackAddresses = ['127.0.0.1', '127.0.0.2', '127.255.255.255', '::1', '::ffff:127.0.0.1']

const privateAddresses = [
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.100.100.200',
  '100.127.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  'fc00::',
  'fd12:3456:789a::1',
  'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '::ffff:192.168.1.1',
  '::ffff:c0a8:101',
]

const forbiddenAddresses = [
  '0.0.0.0',
  '0.1.2.3',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  'fe80::1',
  'febf::1',
  'ff02::1',
  'ff0e::1',
  '::ffff:0.0.0.0',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::ffff:224.0.0.1',
  '64:ff9b::169.254.169.254',
  '64:ff9b::a00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '2002:7f00:1::',
  'fd00:ec2::254',
]

test.each([...publicAddresses, ...loopbackAddresses])(
  '%s is an upstream like any other',
  (address) => {
    expect(isAllowedAddress(address, false)).toBe(true)
    expect(isAllowedAddress(address, true)).toBe(true)
  },
)

test.each(privateAddresses)('%s is refused unless private networks are allowed', (address) => {
  expect(isAllowedAddress(address, false)).toBe(false)
  expect(isAllowedAddress(address, true)).toBe(true)
})

test.each(forbiddenAddresses)('%s is never an upstream', (address) => {
  expect(isAllowedAddress(address, false)).toBe(false)
  expect(isAllowedAddress(address, true)).toBe(false)
})

/** The forms in which a base URL may write an address; the URL standard turns all of them into one. */
test.each([
  ['http://2852039166/', false],
  ['http://0xa9fea9fe/', false],
  ['http://0251.0376.0251.0376/', false],
  ['http://169.254.43518/', false],
  ['http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/', false],
  ['http://[::ffff:169.254.169.254]/', false],
  ['http://[0:0:0:0:0:ffff:a9fe:a9fe]/', false],
  ['http://167772161/', false],
  ['http://2130706433/', true],
  ['http://0x7f.1/', true],
  ['http://[::1]/', true],
  ['http://134744072/', true],
])('%s is parsed as an address: allowed %s', (url, isAllowed) => {
  const literal = new URL(url).hostname.replace(/^\[|\]$/g, '')

  expect(isIP(literal)).not.toBe(0)
  expect(isAllowedAddress(literal, false)).toBe(isAllowed)
})

describe('a name', () => {
  function lookUp(
    name: string,
    options: { all?: boolean } = {},
  ): Promise<string | LookupAddress[]> {
    return new Promise((resolve, reject) => {
      guardedLookup(false)(name, options, (error, address) => {
        if (error) reject(error)
        else resolve(address)
      })
    })
  }

  test('of this computer resolves to one address or to all of them', async () => {
    expect(await lookUp('127.0.0.1')).toBe('127.0.0.1')
    expect(await lookUp('127.0.0.1', { all: true })).toEqual([{ address: '127.0.0.1', family: 4 }])
  })

  test.each(['169.254.169.254', '10.0.0.1', '0.0.0.0'])(
    'that resolves to %s is refused before anything connects',
    async (name) => {
      await expect(lookUp(name)).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' })
      await expect(lookUp(name, { all: true })).rejects.toMatchObject({
        code: 'ADDRESS_NOT_ALLOWED',
      })
    },
  )

  test('that does not exist fails with the system’s error', async () => {
    await expect(lookUp('no-such-name.invalid')).rejects.toMatchObject({
      code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) as string,
    })
  })
})
