/** Vectors in the form and length that the caller asked for. */
import { ProviderError } from '../../providers/provider.ts'
import type { Vector } from '../../providers/embeddings.ts'
import { unitLength } from '../../providers/unit-length.ts'

const bytesPerNumber = 4

/**
 * The vector in an encoding, with the same bits; numbers that become base64 are rounded to 32 bits, as every vendor's
 * are.
 */
export function encoded(vector: Vector, encoding: 'float' | 'base64'): Vector {
  if (encoding === 'float') return typeof vector === 'string' ? toNumbers(vector) : vector
  return typeof vector === 'string' ? vector : toBase64(vector)
}

function toNumbers(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64')
  return Array.from({ length: bytes.length / bytesPerNumber }, (_, index) =>
    bytes.readFloatLE(index * bytesPerNumber),
  )
}

function toBase64(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * bytesPerNumber)
  for (const [index, number] of numbers.entries())
    bytes.writeFloatLE(number, index * bytesPerNumber)
  return bytes.toString('base64')
}

/**
 * The vector with this many dimensions. A longer one is cut and scaled to length 1, as OpenAI documents it for models
 * that are trained for it.
 * @throws ProviderError request, when the model is not known to be one of them
 */
export function withDimensions(vector: Vector, dimensions: number, isShortenable: boolean): Vector {
  const length = lengthOf(vector)
  if (length === dimensions) return vector
  if (length < dimensions || !isShortenable) {
    throw new ProviderError('request', 'the vectors have another length than requested', {
      upstreamMessage: `The model gives ${length} dimensions and not ${dimensions}. Leave "dimensions" out.`,
    })
  }
  return unitLength((typeof vector === 'string' ? toNumbers(vector) : vector).slice(0, dimensions))
}

export function lengthOf(vector: Vector): number {
  return typeof vector === 'string'
    ? Buffer.byteLength(vector, 'base64') / bytesPerNumber
    : vector.length
}
