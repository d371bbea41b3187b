import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { SetupError } from './progress.mjs'

/**
 * Compares a file with the hash pinned in this repository.
 * @param {string} file
 * @param {string} pinned `sha512-BASE64` (npm's form) or `sha256-HEX`
 * @throws {SetupError} when they differ
 */
export async function checkHash(file, pinned) {
  const [algorithm = '', expected = ''] = pinned.split(/-(.*)/s)
  const hash = createHash(algorithm)
  await pipeline(createReadStream(file), hash)
  const actual = hash.digest(algorithm === 'sha256' ? 'hex' : 'base64')
  if (actual === expected) return
  throw new SetupError(
    `${file} is not the expected file: its ${algorithm} is ${actual}, not ${expected}.`,
    {
      wayOut:
        'run the command again; if it fails again, something between you and the registry changes files.',
    },
  )
}
