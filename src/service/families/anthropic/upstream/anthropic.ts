/** Anthropic's Messages wire, `POST /v1/messages`, at any base URL. `request.ts` and `answer.ts` translate. */
import { z } from 'zod'
import { HttpProvider } from '../../../providers/http-provider.ts'
import { wireOptions } from '../../../providers/options.ts'
import { ProviderError, type ProviderRequest } from '../../../providers/provider.ts'
import { EventReader } from '../../../providers/sse.ts'
import type { HttpConnection, Wire, WireFormat, WireRequest } from '../../../providers/wire.ts'
import { OriginalReader } from '../../original-reader.ts'
import type { AnsweredRequest } from './answer-blocks.ts'
import { originalWire } from '../form.ts'
import { MessageReader, readMessage } from './answer.ts'
import { fitOriginal } from './fit-original.ts'
import { joinEvents } from './join-events.ts'
import { originalBody, queryWith } from './original.ts'
import { readRefusal } from './refusal.ts'
import { translateRequest } from './request.ts'
import { tokenCount } from './token-count.ts'
import { customToolNames } from '../../custom-tools.ts'
import { leftOutBy } from '../../left-out.ts'
import { parseExact } from '../../../exact-json.ts'

export const anthropic: Wire = {
  lacks: ['n', 'logprobs', 'seed', 'audio'],
  create: (connection) =>
    new HttpProvider(
      { ...connection, baseUrl: withoutVersion(connection.baseUrl) },
      formatWith(connection.options),
    ),
}

/** Anthropic's SDKs add `/v1` to an address, but people copy addresses that have it. */
function withoutVersion(baseUrl: string): string {
  return baseUrl.replace(/\/v1\/?$/, '')
}

/**
 * A longer answer may take more than ten minutes, and the API may drop a connection that is silent for so long.
 * It is therefore streamed also for a caller that wants it whole. The number is that of Anthropic's SDKs.
 */
const longestWholeAnswer = 21_333

function formatWith(options: HttpConnection['options']): WireFormat {
  const { headers: extraHeaders, keyHeader, query } = wireOptions(options)
  return {
    originalWire,
    fitOriginal,
    passedHeaders: /^(?:anthropic-ratelimit-[a-z0-9-]+|request-id)$/,
    chatRequest(request, isStreamed) {
      const path = `/v1/messages${queryWith(query, request)}`
      if (request.original !== undefined) {
        const { headers } = request.original
        const { max_completion_tokens, max_tokens } = request.body
        const limit = max_completion_tokens ?? max_tokens ?? 0
        const stream = isStreamed || limit > longestWholeAnswer
        const body = originalBody(request, request.original, stream)
        return { path, body, isStreamed: stream, headers }
      }
      const { body } = translateRequest(request)
      const stream = isStreamed || body.max_tokens > longestWholeAnswer
      return {
        path,
        body: JSON.stringify({ ...body, stream }),
        isStreamed: stream,
      }
    },
    headers: (request, key) => ({
      ...headersOf(request),
      ...request.headers,
      ...extraHeaders,
      ...(key === null ? {} : { [keyHeader ?? 'x-api-key']: key }),
    }),
    isStream: (headers) => String(headers['content-type']).startsWith('text/event-stream'),
    newEvents: () => new EventReader(),
    newReader(request) {
      const reader = new MessageReader(answered(request))
      return request.original === undefined
        ? reader
        : new OriginalReader(reader, { keepsEnd: true })
    },
    joinEvents,
    readWhole(text, request) {
      const answer = readMessage(parseExact(text), answered(request))
      return request.original === undefined ? answer : { ...answer, events: [text] }
    },
    tokenCount: tokenCount(query),
    readRefusal,
    leftOut: (body, model) => leftOutBy(() => translateRequest({ model, body })),
    listModels: (get) => listModels(get, query),
  }
}

function answered({ model, body }: ProviderRequest): AnsweredRequest {
  return { model, customTools: customToolNames(body) }
}

function headersOf({ body, isStreamed }: WireRequest): Record<string, string> {
  return {
    accept: isStreamed ? 'text/event-stream' : 'application/json',
    'user-agent': 'modelport',
    'anthropic-version': '2023-06-01',
    ...(body === null ? {} : { 'content-type': 'application/json' }),
  }
}

const pageSchema = z.object({
  data: z.array(z.object({ id: z.string() })),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
})
/** Most pages of the list of models; a server that never ends its list is cut off. */
const mostPages = 20

async function listModels(
  get: (request: Pick<WireRequest, 'path'>) => Promise<unknown>,
  query: string,
): Promise<string[]> {
  const names: string[] = []
  let after: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const parameters = new URLSearchParams(query)
    parameters.set('limit', '100')
    if (after !== null) parameters.set('after_id', after)
    // Each page needs the last one's end.
    const parsed = pageSchema.safeParse(await get({ path: `/v1/models?${parameters.toString()}` }))
    if (!parsed.success) {
      throw new ProviderError('invalid_response', 'the list of models has an unknown form')
    }
    const { data, has_more, last_id } = parsed.data
    names.push(...data.map(({ id }) => id))
    after = last_id ?? null
    if (has_more !== true || after === null) break
  }
  return names
}
