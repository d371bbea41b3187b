/**
 * AWS Bedrock's wire: `Converse` and `ConverseStream`, signed with Signature Version 4 or sent with a Bedrock API
 * key. `request.ts` and `answer.ts` translate.
 */
import { HttpProvider } from '../../../providers/http-provider.ts'
import type { ProviderRequest } from '../../../providers/provider.ts'
import type {
  KeyWish,
  RequestHeaders,
  Wire,
  WireFormat,
  WireRequest,
} from '../../../providers/wire.ts'
import { readTokenCount } from '../../token-count.ts'
import { addressIn, type BedrockAddress } from './address.ts'
import { ConverseReader, readAnswer } from './answer.ts'
import type { BlocksOptions } from './answer-blocks.ts'
import { readCredentials, sharedKeysOf } from './credentials.ts'
import { bedrockEmbeddings } from './embeddings.ts'
import { listModels } from './models.ts'
import { readRefusal } from './refusal.ts'
import { translateRequest } from './request.ts'
import { customToolNames } from '../../custom-tools.ts'
import { leftOutBy } from '../../left-out.ts'
import { traitsOf } from './traits.ts'
import { parseExact } from '../../../exact-json.ts'

const unsupported = ['n', 'logprobs', 'seed'] as const

export const bedrock: Wire = {
  lacks: (model) => (traitsOf(model).takesSchemas ? unsupported : [...unsupported, 'json']),
  create(connection) {
    const address = addressIn(connection.baseUrl, connection.options['region'])
    const shared = sharedKeysOf(connection)
    const ownKey = connection.apiKey
    const apiKey =
      shared === null
        ? ownKey
        : async (wish: KeyWish) => (await ownKey(wish)) ?? (await shared.current())
    const format = formatWith(address, connection.now)
    return new HttpProvider(
      { ...connection, baseUrl: address.runtimeUrl, apiKey },
      shared === null ? format : rereading(format, () => shared.forget()),
    )
  },
}

/** A refused key of a profile may be old: the profile is read again before the request is repeated. */
function rereading(format: WireFormat, forget: () => void): WireFormat {
  return {
    ...format,
    readRefusal(status, text, headers) {
      const refusal = format.readRefusal(status, text, headers)
      if (refusal.kind === 'auth') forget()
      return refusal
    },
  }
}

function formatWith(address: BedrockAddress, now: () => number): WireFormat {
  let frames: typeof import('./event-stream.ts') | null = null
  return {
    chatRequest(request, isStreamed) {
      const { body } = translateRequest(request)
      const operation = isStreamed ? 'converse-stream' : 'converse'
      const path = `/model/${encodeURIComponent(request.model)}/${operation}`
      return { path, body: JSON.stringify(body), isStreamed }
    },
    leftOut: (body, model) => leftOutBy(() => translateRequest({ model, body })),
    async headers(request, key) {
      frames ??= await import('./event-stream.ts')
      return headersFor(request, key, { address, now })
    },
    isStream: (headers) =>
      String(headers['content-type']).startsWith('application/vnd.amazon.eventstream'),
    newEvents() {
      if (frames === null) throw new Error('a stream arrived before its request was sent')
      return new frames.FrameReader()
    },
    newReader: (request) => new ConverseReader(blocksOptions(request)),
    readWhole: (text, request) => readAnswer(parseExact(text), blocksOptions(request)),
    embeddings: bedrockEmbeddings,
    tokenCount: {
      request(request) {
        const { messages, system, toolConfig } = translateRequest(request).body
        const path = `/model/${encodeURIComponent(request.model)}/count-tokens`
        const input = { converse: { messages, system, toolConfig } }
        return { path, body: JSON.stringify({ input }), isStreamed: false }
      },
      read: (text) => readTokenCount(text, 'inputTokens'),
    },
    readRefusal,
    listModels: (get) => listModels(get, address.controlUrl),
  }
}

function blocksOptions({ body, model }: ProviderRequest): BlocksOptions {
  return {
    customTools: customToolNames(body),
    isClaude: traitsOf(model).family === 'claude',
  }
}

async function headersFor(
  request: WireRequest,
  key: string | null,
  { address, now }: { address: BedrockAddress; now: () => number },
): Promise<RequestHeaders> {
  const credentials = readCredentials(key)
  const headers: RequestHeaders = {
    accept: request.isStreamed ? 'application/vnd.amazon.eventstream' : 'application/json',
    'user-agent': 'modelport',
    ...(request.body === null ? {} : { 'content-type': 'application/json' }),
  }
  if ('apiKey' in credentials) {
    return { ...headers, authorization: `Bearer ${credentials.apiKey}` }
  }
  const { signedHeaders } = await import('./signing.ts')
  const base = (request.baseUrl ?? address.runtimeUrl).replace(/\/$/, '')
  const url = new URL(base + request.path)
  const method = request.body === null ? 'GET' : 'POST'
  const signer = { keys: credentials.keys, region: address.region, date: new Date(now()) }
  return await signedHeaders({ method, url, headers, body: request.body }, signer)
}
