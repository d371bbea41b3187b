/** Embeddings in OpenAI's form, `/embeddings`, which most vendors share. */
import { z } from 'zod'
import type { EmbeddingsRequest, ProviderEmbeddings, Vector } from '../../providers/embeddings.ts'
import { ProviderError } from '../../providers/provider.ts'
import type { EmbeddingsForm, EmbeddingsFormat } from '../../providers/wire.ts'
import { isNumberList, readAs } from '../vectors.ts'

/** @param query  of every address of the provider */
export function embeddingsFormat(form: EmbeddingsForm, query: string): EmbeddingsFormat {
  const { mostInputs = Infinity } = form
  return {
    mostInputs: () => mostInputs,
    request: (request) => ({
      path: `/embeddings${query}`,
      body: JSON.stringify(upstreamBody(request, form)),
      isStreamed: false,
    }),
    read: readEmbeddings,
  }
}

/** `encoding_format` is left out for numbers, because they are every vendor's default and some refuse the field. */
function upstreamBody(
  { model, inputs, dimensions, encoding, fields }: EmbeddingsRequest,
  { dimensionsField = 'dimensions', encodesBase64 }: EmbeddingsForm,
): object {
  return {
    ...fields,
    model,
    input: inputs,
    ...(dimensions !== null && dimensionsField !== null && { [dimensionsField]: dimensions }),
    ...(encoding === 'base64' && encodesBase64 === true && { encoding_format: 'base64' }),
  }
}

const answerSchema = z.object({
  data: z.array(
    z.object({ index: z.int().min(0).optional(), embedding: z.custom<Vector>(isVector) }),
  ),
  usage: z
    .object({ prompt_tokens: z.int().min(0), total_tokens: z.int().min(0) })
    .partial()
    .nullish(),
})

/** @throws ProviderError invalid_response */
function readEmbeddings(body: string): ProviderEmbeddings {
  const { data, usage } = readAs(answerSchema, body)
  const vectors: Vector[] = []
  for (const [position, { index = position, embedding }] of data.entries()) {
    if (index >= data.length || vectors[index] !== undefined) {
      throw new ProviderError('invalid_response', 'the embeddings have wrong numbers')
    }
    vectors[index] = embedding
  }
  // LM Studio reports 0, which no text has.
  return { vectors, promptTokens: usage?.prompt_tokens || usage?.total_tokens || null }
}

function isVector(value: unknown): value is Vector {
  if (typeof value !== 'string') return isNumberList(value)
  return value.length > 0 && Buffer.byteLength(value, 'base64') % 4 === 0
}
