/**
 * Embeddings at Bedrock over `InvokeModel`, because Converse has none: Amazon Titan and Cohere Embed.
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html
 */
import { z } from 'zod'
import type { EmbeddingsRequest, ProviderEmbeddings } from '../../../providers/embeddings.ts'
import type { ResponseHeaders } from '../../../providers/http/response-reader.ts'
import { ProviderError } from '../../../providers/provider.ts'
import type { EmbeddingsFormat } from '../../../providers/wire.ts'
import { leftOutFields, numberList, readAs, textsOf } from '../../vectors.ts'

interface Family {
  mostInputs: number
  body(request: EmbeddingsRequest): object
  read(body: string, request: EmbeddingsRequest, headers: ResponseHeaders): ProviderEmbeddings
}

export const bedrockEmbeddings: EmbeddingsFormat = {
  mostInputs: (model) => familyOf(model).mostInputs,
  request: (request) => ({
    path: `/model/${encodeURIComponent(request.model)}/invoke`,
    body: JSON.stringify(familyOf(request.model).body(request)),
    isStreamed: false,
  }),
  read: (body, request, headers) => familyOf(request.model).read(body, request, headers),
}

const titanSchema = z.object({ embedding: numberList, inputTextTokenCount: z.int().min(1) })

const titan: Family = {
  mostInputs: 1,
  body(request) {
    const [inputText] = textsOf(request, 'Titan')
    const { dimensions } = request
    return { inputText, ...(dimensions !== null && { dimensions }) }
  },
  read(body, request) {
    const { embedding, inputTextTokenCount: promptTokens } = readAs(titanSchema, body)
    return { vectors: [embedding], promptTokens, ...leftOutFields(request, [], 'Titan') }
  },
}

const cohereSchema = z.object({ embeddings: z.object({ float: z.array(numberList) }) })
/** Cohere requires a type, and OpenAI's form has none. */
const usualType = 'search_document'

const cohere: Family = {
  mostInputs: 96,
  body(request) {
    const { dimensions, model, fields } = request
    const isSized = dimensions !== null && !/embed-(english|multilingual)-v3/.test(model)
    return {
      texts: textsOf(request, 'Cohere'),
      input_type: fields['input_type'] ?? usualType,
      embedding_types: ['float'],
      truncate: fields['truncate'] ?? 'NONE',
      ...(isSized && { output_dimension: dimensions }),
    }
  },
  read(body, request, headers) {
    const leftOut = leftOutFields(request, ['input_type', 'truncate'], 'Cohere')
    const { float: vectors } = readAs(cohereSchema, body).embeddings
    return { vectors, promptTokens: tokensIn(headers), ...leftOut }
  },
}

/** Tokens in the headers, where Bedrock reports those of every model. */
function tokensIn(headers: ResponseHeaders): number | null {
  return Number(headers['x-amzn-bedrock-input-token-count']) || null
}

function familyOf(model: string): Family {
  if (/(^|\.)amazon\.titan-embed-text/.test(model)) return titan
  if (/(^|\.)cohere\.embed-/.test(model)) return cohere
  throw new ProviderError('request', 'Bedrock has no such model for embeddings', {
    upstreamMessage:
      'At Bedrock, Modelport supports amazon.titan-embed-text and cohere.embed models for embeddings.',
  })
}
