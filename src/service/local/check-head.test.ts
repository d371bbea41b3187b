import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cacheDir } from '../../../test/local/ask-local-model.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { checkHead } from './check-head.ts'
import { weightsPath } from '../../../scripts/setup/weights.ts'

const absurd = 2n ** 62n

function fileOf(...parts: readonly (number | bigint | string)[]): string {
  const bytes = parts.map((part) => {
    if (typeof part === 'string')
      return Buffer.concat([u64(BigInt(part.length)), Buffer.from(part)])
    return typeof part === 'bigint' ? u64(part) : u32(part)
  })
  const path = join(temporaryFolder(), 'model.gguf')
  writeFileSync(path, Buffer.concat([Buffer.from('GGUF'), ...bytes]))
  return path
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

const [uint8, uint32, text, array] = [0, 4, 8, 9]
const nestedArrays = [array, 1n, array, 1n, array, 1n, array, 1n, array, 1n, array, 1n]

test('the head of the built-in model passes', () => {
  expect(() => checkHead(weightsPath(cacheDir))).not.toThrow()
})

test('values, texts, arrays and tensors that are in the file pass', () => {
  const name = ['general.name', text, 'Otter'] as const
  const tokens = ['tokens', array, text, 2n, 'a', 'b'] as const
  const nested = ['nested', array, array, 1n, uint32, 1n, 7] as const
  const tensor = ['weight', 2, 8n, 8n, 0, 0n] as const

  expect(() => checkHead(fileOf(3, 1n, 3n, ...name, ...tokens, ...nested, ...tensor))).not.toThrow()
})

describe('is refused:', () => {
  test.each([
    ['an unknown version', [1, 0n, 0n]],
    ['more values than the file has', [3, 0n, absurd]],
    ['more tensors than the file has', [3, absurd, 0n]],
    ['a text that is longer than the file', [3, 0n, 1n, absurd]],
    ['more elements than the file has', [3, 0n, 1n, 'key', array, uint8, 1_000n]],
    ['more elements than any model', [3, 0n, 1n, 'key', array, uint8, absurd]],
    ['more texts than the file has', [3, 0n, 1n, 'key', array, text, 1_000n]],
    ['an unknown type', [3, 0n, 1n, 'key', 77, 0]],
    ['arrays in arrays in arrays', [3, 0n, 1n, 'key', ...nestedArrays, uint8, 0]],
    ['a tensor of a thousand dimensions', [3, 1n, 0n, 'weight', 1_000]],
  ] satisfies [string, (number | bigint | string)[]][])('%s', (_, parts) => {
    expect(() => checkHead(fileOf(...parts))).toThrow(
      expect.objectContaining({ name: 'DamagedHead' }),
    )
  })
})
