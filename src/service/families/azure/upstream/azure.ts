/**
 * Azure OpenAI: OpenAI's chat form under Azure's addresses, keys and errors. A model's name is the name of a
 * deployment. The key is sent as `api-key`, and an Entra ID token as `Authorization: Bearer`.
 */
import { z } from 'zod'
import { HttpProvider } from '../../../providers/http-provider.ts'
import { ProviderError } from '../../../providers/provider.ts'
import type { HttpConnection, Wire, WireFormat, WireRequest } from '../../../providers/wire.ts'
import { embeddingsFormat } from '../../openai-chat/embeddings.ts'
import { openAiFormat } from '../../openai-chat/openai-chat.ts'
import { azureAddress, type AzureAddress } from './address.ts'
import { readRefusal } from './refusal.ts'

export const azure: Wire = {
  create(connection) {
    const address = azureAddress(connection.baseUrl, connection.options['api-version'])
    const { baseUrl } = address
    return new HttpProvider({ ...connection, baseUrl }, formatWith(connection, address))
  },
}

/** A JSON Web Token; Azure's keys have another form. */
const tokenPattern = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/

function formatWith(connection: HttpConnection, address: AzureAddress): WireFormat {
  const { apiVersion, hasDeploymentInPath } = address
  const embeddings = { mostInputs: 2048, encodesBase64: true } as const
  const withoutVersion = { ...connection, options: {}, embeddings }
  const withToken = openAiFormat(withoutVersion)
  const withKey = openAiFormat({ ...withoutVersion, options: { 'key-header': 'api-key' } })
  const query = apiVersion === null ? '' : `?api-version=${encodeURIComponent(apiVersion)}`
  const atDeployment = (sent: WireRequest, model: string): WireRequest => {
    const deployment = hasDeploymentInPath ? `/deployments/${encodeURIComponent(model)}` : ''
    return { ...sent, path: `${deployment}${sent.path}${query}` }
  }
  const sentEmbeddings = embeddingsFormat(embeddings, '')
  return {
    ...withKey,
    chatRequest: (request, isStreamed) =>
      atDeployment(withKey.chatRequest(request, isStreamed), request.model),
    embeddings: {
      ...sentEmbeddings,
      request: (request) => atDeployment(sentEmbeddings.request(request), request.model),
    },
    headers: (request, key) =>
      (key !== null && tokenPattern.test(key) ? withToken : withKey).headers(request, key),
    readRefusal,
    listModels: (get) => listDeployments(get, { address, query }),
  }
}

const deploymentsSchema = z.object({
  data: z.array(z.object({ id: z.string(), status: z.string().nullish() })),
})

/**
 * The deployments of the resource. Only this version has them next to the models; newer ones moved the list to
 * Azure's management API, which takes no resource key.
 */
const deploymentsPath = '/openai/deployments?api-version=2023-03-15-preview'

/** @returns no names from a resource that does not list deployments; its list of base models then tests the key */
async function listDeployments(
  get: Parameters<WireFormat['listModels']>[0],
  { address, query }: { address: AzureAddress; query: string },
): Promise<string[]> {
  try {
    const list = await get({ baseUrl: address.resource, path: deploymentsPath })
    const parsed = deploymentsSchema.safeParse(list)
    if (!parsed.success) throw unknownForm()
    return parsed.data.data
      .filter(({ status }) => (status ?? 'succeeded') === 'succeeded')
      .map(({ id }) => id)
  } catch (error) {
    if (!(error instanceof ProviderError) || !isMissing(error)) throw error
    await get({ path: `/models${query}` })
    return []
  }
}

function isMissing({ status }: ProviderError): boolean {
  return status === 400 || status === 404 || status === 405 || status === 410
}

function unknownForm(): ProviderError {
  return new ProviderError('invalid_response', 'the list of deployments has an unknown form')
}
