import { expect, test } from 'vitest'
import {
  hintOfKey,
  isWellFormedApiKey,
  newApiKey,
  randomBase62,
  sha256OfKey,
} from './api-key-format.ts'

test('a new key has its form, and no two are alike', () => {
  const keys = Array.from({ length: 1_000 }, newApiKey)

  expect(keys.filter((key) => !/^mp_[0-9A-Za-z]{36}$/.test(key))).toEqual([])
  expect(keys.filter((key) => !isWellFormedApiKey(key))).toEqual([])
  expect(new Set(keys).size).toBe(1_000)
})

test('any one character changed makes it malformed', () => {
  const key = newApiKey()
  const changed = Array.from(key, (character, index) => {
    const other = character === 'a' ? 'b' : 'a'
    return `${key.slice(0, index)}${other}${key.slice(index + 1)}`
  })

  expect(changed.filter(isWellFormedApiKey)).toEqual([])
})

test.each([
  '',
  'mp_',
  'mp_short',
  'sk_000000000000000000000000000000000000',
  ` ${newApiKey()}`,
  `${newApiKey()}\n`,
])('%j is no key', (text) => {
  expect(isWellFormedApiKey(text)).toBe(false)
})

test('the checksum is the CRC-32 of the random part, in base62', () => {
  // The CRC-32 of thirty zeros, calculated independently.
  expect(isWellFormedApiKey('mp_0000000000000000000000000000002C8GjS')).toBe(true)
})

test('every character of the alphabet is equally likely', () => {
  const counts = new Map<string, number>()
  for (const character of randomBase62(62_000))
    counts.set(character, (counts.get(character) ?? 0) + 1)

  expect(counts.size).toBe(62)
  // A thousand each on average; seven standard deviations either way.
  expect(Math.min(...counts.values())).toBeGreaterThan(780)
  expect(Math.max(...counts.values())).toBeLessThan(1_220)
})

test('a key is stored as its SHA-256 and identified by its ends', () => {
  const key = 'mp_0000000000000000000000000000002C8GjS'

  expect(sha256OfKey(key)).toMatch(/^[0-9a-f]{64}$/)
  expect(sha256OfKey('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  expect(hintOfKey(key)).toBe('mp_…8GjS')
})
