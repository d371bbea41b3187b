/** `POST /api/router/{router_id}/[v1/]embeddings`: the vectors of texts, in OpenAI's form. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type {
  EmbeddingsRequestBody,
  EmbeddingsResponse,
} from '../../../shared/models/embeddings.ts'
import { metaOf } from '../../chat/chat-call.ts'
import type {
  CreateEmbeddings,
  EmbeddingsCall,
  FinishedEmbeddings,
  PreviewEmbeddings,
} from '../../chat/embeddings/embeddings-call.ts'
import {
  answerHeadersOf,
  answeringHandler,
  type AnsweringExchange,
  type AnsweringOptions,
} from '../answers/answering-endpoint.ts'
import {
  setHeaders,
  setQuotaHeaders,
  taggedBy,
  tellAdjusted,
  tellFallback,
  wantsExplanation,
} from '../answers/chat-exchange.ts'
import { clientOf } from '../checks/admission.ts'
import { callerOf, noteAdmitted } from '../checks/checked-request.ts'
import { readRoutingHeaders, readTraceparent } from '../checks/routing-headers.ts'

export interface EmbeddingsOptions extends AnsweringOptions {
  embeddings: CreateEmbeddings
  previewEmbeddings: PreviewEmbeddings
}

export function embeddingsRoute(app: FastifyInstance, options: EmbeddingsOptions): void {
  const handler = answeringHandler(options, {
    form: 'embeddings',
    // Checked by its schema.
    read: ({ body }) => body as EmbeddingsRequestBody,
    preview: (request, body) => options.previewEmbeddings(callOf(request, body)),
    answer: (exchange) => answer(exchange, options),
  })
  app.post('/embeddings', handler)
}

async function answer(
  { request, reply, content, signal }: AnsweringExchange<EmbeddingsRequestBody>,
  { embeddings }: EmbeddingsOptions,
): Promise<EmbeddingsResponse> {
  const headers = answerHeadersOf(reply)
  const admitted = await embeddings.admit({
    ...callOf(request, content),
    onAdjusted: (adjusted) => tellAdjusted(headers, adjusted),
    onFallback: (fallback) => tellFallback(headers, fallback),
    onHeaders: (passed) => setHeaders(headers, passed),
  })
  noteAdmitted(request)
  setQuotaHeaders(headers, admitted.quota)
  const { apiKey } = callerOf(request)
  const isExplained = wantsExplanation(apiKey, request.headers)
  return toResponse(await admitted.complete(signal), isExplained)
}

/** @throws ServiceError invalid_parameter for an invalid header */
function callOf(request: FastifyRequest, body: EmbeddingsRequestBody): EmbeddingsCall {
  const { apiKey, router } = callerOf(request)
  const { requires, tag, hops } = taggedBy(apiKey, readRoutingHeaders(request.headers))
  return {
    requestId: request.id,
    router,
    body,
    apiKeyId: apiKey.id,
    source: 'api',
    acceptAnyModel: apiKey.acceptAnyModel,
    client: clientOf(request.headers),
    requires,
    tag,
    hops,
    traceparent: readTraceparent(request.headers),
  }
}

function toResponse(finished: FinishedEmbeddings, isExplained: boolean): EmbeddingsResponse {
  const { vectors, model, usage } = finished
  const { prompt_tokens, total_tokens } = usage
  return {
    object: 'list',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model,
    usage: { prompt_tokens, total_tokens },
    _meta: metaOf(finished, isExplained),
  }
}
