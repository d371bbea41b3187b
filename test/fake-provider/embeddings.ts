/** Vectors in OpenAI's form. The same input always has the same vector, so that a test can tell which input it is of. */
import type { FakeModel, FakeReply } from './script.ts'

/** @param body  of the request; `dimensions` and `encoding_format` apply as at OpenAI */
export function vectorReply(body: Readonly<Record<string, unknown>>, script: FakeModel): FakeReply {
  const { input, dimensions, encoding_format, model } = body
  const length = typeof dimensions === 'number' ? dimensions : (script.dimensions ?? 4)
  const inputs = inputsOf(input)
  const data = inputs.map((one, index) => {
    const vector = vectorOf(one, length)
    return {
      object: 'embedding',
      index,
      embedding: encoding_format === 'base64' ? base64Of(vector) : vector,
    }
  })
  const usage = script.usage ?? {
    prompt_tokens: 7 * inputs.length,
    total_tokens: 7 * inputs.length,
  }
  const answer = { object: 'list', data, model, ...(usage !== 'none' && { usage }) }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  }
}

function inputsOf(input: unknown): unknown[] {
  const isList = Array.isArray(input) && typeof input[0] !== 'number'
  return isList ? input : [input]
}

/** Numbers that 32 bits hold exactly. */
export function vectorOf(input: unknown, length: number): number[] {
  let hash = 7
  for (const character of JSON.stringify(input)) {
    hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  }
  return Array.from({ length }, (_, index) => Math.fround(((hash * (index + 1)) % 8_191) / 8_192))
}

export function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(4 * vector.length)
  for (const [index, number] of vector.entries()) bytes.writeFloatLE(number, 4 * index)
  return bytes.toString('base64')
}
