/** Ollama's `/api/embed`. Compared with docs/openapi.yaml of github.com/ollama/ollama on 2026-11-22. */
import { z } from 'zod'
import type { EmbeddingsRequest, ProviderEmbeddings } from '../../../providers/embeddings.ts'
import type { EmbeddingsFormat } from '../../../providers/wire.ts'
import { leftOutFields, numberList, readAs, textsOf } from '../../vectors.ts'
import { isObject } from './request.ts'

const carried = ['keep_alive', 'options']

/** @param contextTokens  the context that the user set for this server; null leaves it to the server */
export function embeddingsFormat(contextTokens: number | null): EmbeddingsFormat {
  return {
    mostInputs: () => Infinity,
    request: (request) => ({
      path: '/api/embed',
      body: JSON.stringify(embedBody(request, contextTokens)),
      isStreamed: false,
    }),
    read(body, request): ProviderEmbeddings {
      const { embeddings, prompt_eval_count: promptTokens } = readAs(answerSchema, body)
      const leftOut = leftOutFields(request, carried, 'Ollama')
      return { vectors: embeddings, promptTokens: promptTokens ?? null, ...leftOut }
    },
  }
}

function embedBody(request: EmbeddingsRequest, contextTokens: number | null): object {
  const { model, dimensions, fields } = request
  const { keep_alive, options: given } = fields
  const options = isObject(given) ? { ...given } : {}
  if (contextTokens !== null) options['num_ctx'] ??= contextTokens
  return {
    model,
    input: textsOf(request, 'Ollama'),
    // Otherwise Ollama cuts a text that does not fit, and says nothing.
    truncate: false,
    ...(dimensions !== null && { dimensions }),
    ...(keep_alive !== undefined && { keep_alive }),
    ...(Object.keys(options).length > 0 && { options }),
  }
}

const answerSchema = z.object({
  embeddings: z.array(numberList),
  prompt_eval_count: z.int().min(1).nullish(),
})
