/**
 * OpenAI's chat-completions wire, which most vendors speak, at any base URL. The request is sent as given,
 * except for the model's name, the request for usage and the extensions that the vendor refuses. `answer.ts` reads the answer.
 */
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import { HttpProvider } from '../../providers/http-provider.ts'
import { wireOptions } from '../../providers/options.ts'
import type { ProviderRequest } from '../../providers/provider.ts'
import { EventReader } from '../../providers/sse.ts'
import type {
  HttpConnection,
  RequestHeaders,
  Wire,
  WireFormat,
  WireRequest,
} from '../../providers/wire.ts'
import { readChunk, readModelNames } from './upstream/answer.ts'
import { ChunkReader } from './upstream/chunk-reader.ts'
import { embeddingsFormat } from './embeddings.ts'
import { adjustmentOf, refusedExtensions, withoutExtensions } from './upstream/extensions.ts'
import { readRefusal } from './refusal.ts'
import { parseExact } from '../../exact-json.ts'

export const openAiChat: Wire = {
  create: (connection) => new HttpProvider(connection, openAiFormat(connection)),
}

export function openAiFormat({
  options,
  modelList,
  extensions,
  embeddings = {},
}: HttpConnection): WireFormat {
  const { headers: extraHeaders, keyHeader, query } = wireOptions(options)
  return {
    chatRequest(request, isStreamed) {
      const body = JSON.stringify(upstreamBody(request, { isStreamed, extensions }))
      return { path: `/chat/completions${query}`, body, isStreamed }
    },
    takesChatForm: true,
    // Not `x-ratelimit-…`, which state the limits of the router.
    passedHeaders: /^openai-processing-ms$/,
    leftOut: extensions && ((body) => refusedExtensions(body, extensions).map(adjustmentOf)),
    headers(request, key) {
      const headers = openAiHeaders(request)
      if (request.headers !== undefined) Object.assign(headers, request.headers)
      if (extraHeaders !== null) Object.assign(headers, extraHeaders)
      if (key !== null && keyHeader === null) headers['authorization'] = `Bearer ${key}`
      else if (key !== null && keyHeader !== null) headers[keyHeader] = key
      if (request.body !== null) headers['content-type'] = 'application/json'
      return headers
    },
    isStream: (headers) => String(headers['content-type']).startsWith('text/event-stream'),
    newEvents: () => new EventReader(),
    newReader: () => new ChunkReader(),
    readWhole: (body) => readChunk(parseExact(body)),
    embeddings: embeddingsFormat(embeddings, query),
    readRefusal,
    async listModels(get) {
      const { path = '/models', prefix = '', ...place } = modelList ?? {}
      const names = readModelNames(await get({ ...place, path: path + query }))
      return names
        .filter((name) => name.startsWith(prefix))
        .map((name) => name.slice(prefix.length))
    },
  }
}

function openAiHeaders({ isStreamed }: WireRequest): RequestHeaders {
  return {
    accept: isStreamed ? 'text/event-stream' : 'application/json',
    'user-agent': 'modelport',
  }
}

interface BodyOptions extends Pick<HttpConnection, 'extensions'> {
  isStreamed: boolean
}

/** Requests usage for every stream, because it is the only source of the cost. */
function upstreamBody(
  { body, model, isTranslated = false }: ProviderRequest,
  { isStreamed, extensions }: BodyOptions,
): ChatRequest {
  const refused = extensions === undefined ? [] : refusedExtensions(body, extensions)
  const { stream_options } = body
  return {
    ...(refused.length === 0 ? body : withoutExtensions(body, { refused, isTranslated })),
    model,
    stream: isStreamed,
    stream_options: isStreamed ? { ...stream_options, include_usage: true } : undefined,
  }
}
