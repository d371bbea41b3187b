/**
 * Google's Gemini API with an API key, and the same API at Vertex AI with a service account.
 * @see https://ai.google.dev/api/generate-content
 */
import { HttpProvider } from '../../../providers/http-provider.ts'
import { EventReader } from '../../../providers/sse.ts'
import type { RequestHeaders, Wire, WireFormat, WireRequest } from '../../../providers/wire.ts'
import { OriginalReader } from '../../original-reader.ts'
import { AnswerReader } from './answer.ts'
import { originalBody } from './original.ts'
import { geminiEmbeddings } from './embeddings.ts'
import { readTokenCount } from '../../token-count.ts'
import { readGeminiPage, readPages } from './model-list.ts'
import { readRefusal } from './refusal.ts'
import { translateRequest } from './request.ts'
import { customToolNames } from '../../custom-tools.ts'
import { leftOutBy } from '../../left-out.ts'
import { originalWire } from '../form.ts'
import type { Dialect } from './traits.ts'
import { parseExact } from '../../../exact-json.ts'

export const google: Wire = {
  create: (connection) => new HttpProvider(connection, geminiFormat),
}

const geminiDialect = { hasCallIds: true }
const geminiPath = (model: string) => `/models/${encodePath(model)}`

const geminiChats = sharedFormat(geminiDialect, geminiPath)

const geminiFormat: WireFormat = {
  ...geminiChats,
  originalWire,
  chatRequest(request, isStreamed) {
    const sent = geminiChats.chatRequest(request, isStreamed)
    const { original } = request
    return original === undefined
      ? sent
      : { ...sent, body: originalBody(request, original, geminiDialect) }
  },
  newReader(request) {
    const reader = geminiChats.newReader(request)
    return request.original === undefined ? reader : new OriginalReader(reader)
  },
  readWhole(text, request) {
    const answer = geminiChats.readWhole(text, request)
    return request.original === undefined ? answer : { ...answer, events: [text] }
  },
  embeddings: geminiEmbeddings(geminiPath),
  headers(request, key) {
    const headers = requestHeaders(request)
    if (key !== null) headers['x-goog-api-key'] = key
    return headers
  },
  tokenCount: {
    request({ body, model }) {
      const path = geminiPath(model)
      const generateContentRequest = {
        model: path.slice(1),
        ...translateRequest(body, model, geminiDialect).body,
      }
      return {
        path: `${path}:countTokens`,
        body: JSON.stringify({ generateContentRequest }),
        isStreamed: false,
      }
    },
    read: (text) => readTokenCount(text, 'totalTokens'),
  },
  readRefusal,
  async listModels(get) {
    return await readPages('/models?pageSize=1000', (path) => get({ path }), readGeminiPage)
  },
}

/** The parts that the Gemini API and Vertex AI have in common. @param pathOf  of a model, before the method's name */
export function sharedFormat(
  dialect: Dialect,
  pathOf: (model: string) => string,
): Omit<WireFormat, 'headers' | 'readRefusal' | 'listModels'> {
  return {
    chatRequest({ body, model }, isStreamed) {
      const translated = translateRequest(body, model, dialect)
      const method = isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'
      return {
        path: `${pathOf(model)}:${method}`,
        body: JSON.stringify(translated.body),
        isStreamed,
      }
    },
    leftOut: (body, model) => leftOutBy(() => translateRequest(body, model, dialect)),
    isStream: (headers) => String(headers['content-type']).startsWith('text/event-stream'),
    newEvents: () => new EventReader(),
    newReader: ({ body }) => new AnswerReader(customToolNames(body)),
    readWhole: (text, { body }) => new AnswerReader(customToolNames(body)).read(parseExact(text)),
  }
}

export function requestHeaders({ isStreamed, body }: WireRequest): RequestHeaders {
  return {
    accept: isStreamed ? 'text/event-stream' : 'application/json',
    'user-agent': 'modelport',
    ...(body === null ? {} : { 'content-type': 'application/json' }),
  }
}

/** Names such as `tunedModels/mine` have a slash. */
export function encodePath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/')
}
