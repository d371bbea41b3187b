import { expect, test } from 'vitest'
import { readValkeyUrl } from './url.ts'

const plain = { isTls: false, username: null, password: null, database: 0 }

test.each([
  ['valkey://cache', { ...plain, host: 'cache', port: 6379 }],
  ['redis://[::1]:7000/3', { ...plain, host: '::1', port: 7000, database: 3 }],
  [
    'rediss://:s%2Fw@cache.example/',
    { ...plain, host: 'cache.example', port: 6379, isTls: true, password: 's/w' },
  ],
  [
    'valkeys://me:pw@cache:1',
    { host: 'cache', port: 1, isTls: true, username: 'me', password: 'pw', database: 0 },
  ],
])('%s is the address of a server', (text, address) => {
  expect(readValkeyUrl(text)).toEqual(address)
})

test.each([
  'cache:6379',
  'http://cache',
  'valkey://',
  'valkey://cache/a',
  'valkey://cache?db=1',
  'valkey://:%zz@cache',
])('%s is refused', (text) => {
  expect(readValkeyUrl(text)).toBeNull()
})
