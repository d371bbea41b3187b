/**
 * Gemini at Vertex AI, with a service account. The options name the project and the location.
 * @see https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference
 */
import { z } from 'zod'
import { HttpProvider } from '../../../providers/http-provider.ts'
import { ProviderError, type Provider } from '../../../providers/provider.ts'
import type { Wire, WireFormat } from '../../../providers/wire.ts'
import { AccessTokens } from './access-tokens.ts'
import { vertexEmbeddings } from './embeddings.ts'
import { encodePath, requestHeaders, sharedFormat } from './google.ts'
import { readTokenCount } from '../../token-count.ts'
import { translateRequest } from './request.ts'
import { readPages, unknownForm, type Page } from './model-list.ts'
import { readRefusal } from './refusal.ts'

/** The address of the location `global`. */
export const vertexBaseUrl = 'https://aiplatform.googleapis.com/v1'

export const googleVertex: Wire = {
  create(connection) {
    const { project, location = 'global' } = connection.options
    if (project === undefined) {
      throw new ProviderError('unavailable', 'it has no project: set its option "project"', {
        isLasting: true,
      })
    }
    const tokens = new AccessTokens(connection)
    const place = { project, location, baseUrl: addressOf(connection.baseUrl, location) }
    const provider = new HttpProvider(
      { ...connection, baseUrl: place.baseUrl },
      vertexFormat(place, tokens),
    )
    return closingWith(provider, tokens)
  },
}

interface Place {
  project: string
  location: string
  /** Base URL of this location. */
  baseUrl: string
}

/** Address of a location. Each has a host of its own; an address that the user entered stays. */
function addressOf(baseUrl: string, location: string): string {
  if (baseUrl !== vertexBaseUrl || location === 'global') return baseUrl
  const isMultiRegion = location === 'us' || location === 'eu'
  const host = isMultiRegion
    ? `aiplatform.${location}.rep.googleapis.com`
    : `${location}-aiplatform.googleapis.com`
  return `https://${host}/v1`
}

function vertexFormat({ project, location, baseUrl }: Place, tokens: AccessTokens): WireFormat {
  const parent = `/projects/${encodePath(project)}/locations/${encodePath(location)}`
  const dialect = { hasCallIds: false }
  const pathOf = (model: string) => {
    // A tuned model is an endpoint of the project.
    const isEndpoint = model.startsWith('endpoints/')
    return `${parent}/${isEndpoint ? '' : 'publishers/google/models/'}${encodePath(model)}`
  }
  return {
    ...sharedFormat(dialect, pathOf),
    embeddings: vertexEmbeddings(pathOf),
    tokenCount: {
      request({ body, model }) {
        const { contents, systemInstruction, tools } = translateRequest(body, model, dialect).body
        const counted = { contents, systemInstruction, tools }
        const path = `${pathOf(model)}:countTokens`
        return { path, body: JSON.stringify(counted), isStreamed: false }
      },
      read: (text) => readTokenCount(text, 'totalTokens'),
    },
    async headers(request, key) {
      const headers = requestHeaders(request)
      if (key !== null) headers['authorization'] = `Bearer ${await tokens.tokenFor(key)}`
      return headers
    },
    readRefusal(status, text) {
      const refusal = readRefusal(status, tokens.withoutToken(text))
      if (status === 401) tokens.forget()
      return refusal
    },
    async listModels(get) {
      // The list is not in version 1 of the API.
      const listBaseUrl = baseUrl.replace(/\/v1\/?$/, '/v1beta1')
      const path = '/publishers/google/models?pageSize=100'
      return await readPages(
        path,
        (page) => get({ path: page, baseUrl: listBaseUrl }),
        readVertexPage,
      )
    },
  }
}

/** The connections for tokens end with the others. */
function closingWith(provider: HttpProvider, tokens: AccessTokens): Provider {
  return {
    leftOut: provider.leftOut,
    embed: provider.embed,
    countTokens: provider.countTokens,
    stream: (request, signal) => provider.stream(request, signal),
    complete: (request, signal) => provider.complete(request, signal),
    listModels: (signal) => provider.listModels(signal),
    async close() {
      tokens.close()
      await provider.close()
    },
  }
}

const vertexSchema = z.object({
  publisherModels: z.array(z.object({ name: z.string() })).default([]),
  nextPageToken: z.string().optional(),
})

/**
 * Reads Vertex AI's list, which has models of every kind and does not say which ones chat.
 * @throws ProviderError invalid_response
 */
function readVertexPage(value: unknown): Page {
  const parsed = vertexSchema.safeParse(value)
  if (!parsed.success) throw unknownForm()
  const { publisherModels, nextPageToken } = parsed.data
  const names = publisherModels.map(({ name }) => name.replace(/^publishers\/[^/]+\/models\//, ''))
  const chat = names.filter((name) => name.startsWith('gemini') && !/embedding|live|tts/.test(name))
  return { names: chat, nextPage: nextPageToken || null }
}
