/**
 * OpenAI's chat-completions wire, which most vendors speak, at any base URL. The request is sent as given,
 * except for the model's name, the request for usage and what the vendor refuses. `answer.ts` reads the answer.
 */
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../shared/models/model-abilities.ts'
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
import { nearestEffort } from './efforts.ts'
import { embeddingsFormat } from './embeddings.ts'
import { adjustmentOf, refusedExtensions, withoutExtensions } from './upstream/extensions.ts'
import {
  answerAdded,
  lackAnswers,
  withAnswers,
  withStrictIds,
} from './upstream/strict-tool-turns.ts'
import { readRefusal } from './refusal.ts'
import { parseExact } from '../../exact-json.ts'

export const openAiChat: Wire = {
  create: (connection) => new HttpProvider(connection, openAiFormat(connection)),
}

export function openAiFormat({
  options,
  modelList,
  extensions,
  strictToolTurns,
  takesEveryEffort = false,
  embeddings = {},
}: HttpConnection): WireFormat {
  const limits = { extensions, strictToolTurns }
  const { headers: extraHeaders, keyHeader, query } = wireOptions(options)
  return {
    chatRequest(request, isStreamed) {
      const body = JSON.stringify(upstreamBody(request, { ...limits, isStreamed }))
      return { path: `/chat/completions${query}`, body, isStreamed }
    },
    takesChatForm: true,
    nearestEffort: takesEveryEffort ? undefined : nearestEffort,
    // Not `x-ratelimit-…`, which state the limits of the router.
    passedHeaders: /^openai-processing-ms$/,
    leftOut: extensions || strictToolTurns ? (body) => changesOf(body, limits) : undefined,
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

/** What the upstream takes of the inner form. */
type Limits = Pick<HttpConnection, 'extensions' | 'strictToolTurns'>

function changesOf(body: ChatRequest, { extensions, strictToolTurns }: Limits): Adjustment[] {
  const refused = extensions === undefined ? [] : refusedExtensions(body, extensions)
  const isAnswerAdded = strictToolTurns === true && lackAnswers(body.messages)
  return [...refused.map(adjustmentOf), ...(isAnswerAdded ? [answerAdded] : [])]
}

/** Requests usage for every stream, because it is the only source of the cost. */
function upstreamBody(
  { body, model, isTranslated = false }: ProviderRequest,
  { isStreamed, ...limits }: Limits & { isStreamed: boolean },
): ChatRequest {
  const { stream_options } = body
  return {
    ...bodyWithin(limits, body, isTranslated),
    model,
    stream: isStreamed,
    stream_options: isStreamed ? { ...stream_options, include_usage: true } : undefined,
  }
}

/** @returns the same object where the upstream takes all of it */
function bodyWithin(
  { extensions, strictToolTurns }: Limits,
  body: ChatRequest,
  isTranslated: boolean,
): ChatRequest {
  // First, because the files of results move into messages that name the calls; the added answers come before those.
  const named = strictToolTurns ? { ...body, messages: withStrictIds(body.messages) } : body
  const refused = extensions === undefined ? [] : refusedExtensions(named, extensions)
  const taken = refused.length === 0 ? named : withoutExtensions(named, { refused, isTranslated })
  return strictToolTurns ? { ...taken, messages: withAnswers(taken.messages) } : taken
}
