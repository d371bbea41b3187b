/** What the wires without OpenAI's form need for embeddings. */
import { z } from 'zod'
import type { Adjustment } from '../../shared/models/model-abilities.ts'
import type { EmbeddingsRequest } from '../providers/embeddings.ts'
import { ProviderError } from '../providers/provider.ts'

/** The inputs, for vendors that take no tokens. @throws ProviderError request */
export function textsOf({ inputs }: EmbeddingsRequest, vendor: string): string[] {
  return inputs.map((input) => {
    if (typeof input === 'string') return input
    throw new ProviderError('request', `${vendor} takes texts and no tokens`, {
      upstreamMessage: `${vendor} takes texts and no tokens. Send texts (LangChain: check_embedding_ctx_length=False).`,
    })
  })
}

/** Leaves out the caller's fields that the vendor does not have. @param carried  those that it has */
export function leftOutFields(
  { fields }: EmbeddingsRequest,
  carried: readonly string[],
  vendor: string,
): { adjusted?: Adjustment[] } {
  const adjusted = Object.keys(fields)
    .filter((name) => !carried.includes(name) && (fields[name] ?? null) !== null)
    // It has no effect on the vectors.
    .filter((name) => name !== 'user')
    .map((parameter) => ({ parameter, change: 'left_out', reason: `${vendor} has no such field` }))
  return adjusted.length === 0 ? {} : { adjusted }
}

export function isNumberList(value: unknown): value is number[] {
  if (!Array.isArray(value) || value.length === 0) return false
  // A loop, because an answer may have millions of numbers.
  for (const number of value) if (typeof number !== 'number') return false
  return true
}

export const numberList = z.custom<number[]>(isNumberList)

/** @throws ProviderError invalid_response */
export function readAs<Value>(schema: z.ZodType<Value>, body: string): Value {
  const read = schema.safeParse(JSON.parse(body))
  if (read.success) return read.data
  throw new ProviderError('invalid_response', 'the embeddings have an unknown form')
}
