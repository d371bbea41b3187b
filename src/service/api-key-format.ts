/**
 * The form of an API key: `mp_`, 30 base62 characters of randomness (178 bits) and 6 of their CRC-32,
 * so that a mistyped key is refused without a look-up and a leaked one can be found by a scanner.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyPattern = /^mp_[0-9A-Za-z]{36}$/

/** Random base62 characters, each equally likely. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the greatest multiple of 62 in a byte; larger values would favour some characters.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}

export function newApiKey(): string {
  const random = randomBase62(30)
  return `mp_${random}${checksum(random)}`
}

/** Whether the text has the form of a key; the key need not exist. */
export function isWellFormedApiKey(key: string): boolean {
  return keyPattern.test(key) && checksum(key.slice(3, 33)) === key.slice(33)
}

/** The hash by which a key is stored and found, in hex. */
export function sha256OfKey(key: string): string {
  return hash('sha256', key)
}

/** The short form by which people recognise a key. */
export function hintOfKey(key: string): string {
  return `mp_…${key.slice(-4)}`
}

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let place = 0; place < 6; place += 1) {
    text = `${alphabet[rest % 62]}${text}`
    rest = Math.floor(rest / 62)
  }
  return text
}
