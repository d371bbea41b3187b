/** Tests which addresses a provider may have, as a name and as an address in the URL. */
import dns, { type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { guardedLookup, isAllowedAddress } from './address-guard.ts'

afterEach(() => vi.restoreAllMocks())

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
const writtenAddresses: readonly [url: string, isAllowed: boolean][] = [
  ['http://2852039166/', false],
  ['http://0xa9fea9fe/', false],
  ['http://0251.0376.0251.0376/', false],
  ['http://169.254.43518/', false],
  ['http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/', false],
  ['http://１６９.２５４.１６９.２５４/', false],
  ['http://169。254。169。254/', false],
  ['http://%31%36%39.254.169.254/', false],
  ['http://0xa9.0xfe.0xa9.0xfe/', false],
  ['http://0xA9.254.0251.254/', false],
  ['http://025177524776/', false],
  ['http://169.254.169.254./', false],
  ['http://user:password@169.254.169.254/', false],
  ['http://good.example@169.254.169.254/', false],
  ['http://0/', false],
  ['http://0x0/', false],
  ['http://00000000/', false],
  ['http://0.0.0.0/', false],
  ['http://[::]/', false],
  ['http://[0000:0000::0000]/', false],
  ['http://[::ffff:0:0]/', false],
  ['http://[::FFFF:A9FE:A9FE]/', false],
  ['http://[64:ff9b::a9fe:a9fe]/', false],
  ['http://[64:ff9b::169.254.169.254]/', false],
  ['http://[64:ff9b:1::169.254.169.254]/', false],
  ['http://[2002:a9fe:a9fe::]/', false],
  ['http://[fe80::1]/', false],
  ['http://[FEBF:ffff::1]/', false],
  ['http://[ff02::fb]/', false],
  ['http://[fd00:ec2::254]/', false],
  ['http://[fd00:0ec2:0:0:0:0:0:0254]/', false],
  ['http://[fc00::1]/', false],
  ['http://[::ffff:10.1.2.3]/', false],
  ['http://[::ffff:c0a8:0001]/', false],
  ['http://10.1/', false],
  ['http://0xa.1/', false],
  ['http://012.0.0.1/', false],
  ['http://192.168.257/', false],
  ['http://3232235777/', false],
  ['http://0xc0a80101/', false],
  ['http://172.16.1/', false],
  ['http://2886729729/', false],
  ['http://100.64.1/', false],
  ['http://1681915905/', false],
  ['http://224.1/', false],
  ['http://4294967295/', false],
  ['http://0xffffffff/', false],
  ['http://[::ffff:169.254.169.254]/', false],
  ['http://[0:0:0:0:0:ffff:a9fe:a9fe]/', false],
  ['http://167772161/', false],
  ['http://2130706433/', true],
  ['http://0x7f.1/', true],
  ['http://[::1]/', true],
  ['http://134744072/', true],
]

test.each(writtenAddresses)('%s is parsed as an address: allowed %s', (url, isAllowed) => {
  const literal = new URL(url).hostname.replace(/^\[|\]$/g, '')

  expect(isIP(literal)).not.toBe(0)
  expect(isAllowedAddress(literal, false)).toBe(isAllowed)
})

test('more than 120 addresses are listed here', () => {
  const addresses = [publicAddresses, loopbackAddresses, privateAddresses, forbiddenAddresses]
  expect(addresses.flat().length + writtenAddresses.length).toBeGreaterThanOrEqual(116)
})

describe('a name', () => {
  function lookUp(
    name: string,
    options: { all?: boolean } = {},
  ): Promise<string | LookupAddress[]> {
    return new Promise((resolve, reject) => {
      guardedLookup(false, null)(name, options, (error, address) => {
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

  test('that changes its address between two look-ups never leads to the forbidden one', async () => {
    const found = ['8.8.8.8', '169.254.169.254', '127.0.0.1', '10.0.0.1', '::ffff:169.254.169.254']
    let lookUps = 0
    vi.spyOn(dns, 'lookup').mockImplementation((...args: unknown[]) => {
      const address = found[lookUps % found.length] ?? ''
      lookUps += 1
      const callback = args.at(-1) as (error: null, addresses: LookupAddress[]) => void
      callback(null, [{ address, family: isIP(address) }])
    })

    const outcomes: unknown[] = []
    for (let time = 0; time < 50; time += 1) {
      outcomes.push(await lookUp('rebinding.example').catch(() => 'refused'))
    }

    expect(new Set(outcomes)).toEqual(new Set(['8.8.8.8', '127.0.0.1', 'refused']))
    expect(lookUps).toBe(50)
  })

  test('that has a forbidden address among its addresses is refused', async () => {
    vi.spyOn(dns, 'lookup').mockImplementation((...args: unknown[]) => {
      const callback = args.at(-1) as (error: null, addresses: LookupAddress[]) => void
      callback(null, [
        { address: '8.8.8.8', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ])
    })

    const outcome: unknown = await lookUp('both.example').catch((error: unknown) => error)

    expect(outcome).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' })
  })

  test('that does not exist fails with the system’s error', async () => {
    await expect(lookUp('no-such-name.invalid')).rejects.toMatchObject({
      code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) as string,
    })
  })
})
