/** `GET …/v1/models`: the accepted values of `model`, in OpenAI's list form. */
import type { FastifyInstance } from 'fastify'
import type { Model, Router } from '../../../shared/entities.ts'
import { ServiceError } from '../../errors.ts'
import type { ConfigurationIndex } from '../../storage/live-configuration.ts'
import type { StoredAgent } from '../../storage/storage.ts'
import { callerOf } from '../checked-request.ts'

/** A model in the list: OpenAI's four fields, and facts that tools otherwise need as settings. */
interface ListedModel {
  id: string
  object: 'model'
  created: number
  owned_by: string
  context_length?: number | null
  pricing?: { prompt: string; completion: string } | null
  capabilities?: string[]
}

export interface ModelsOptions {
  modelsOf(router: Router): Model[]
  configuration(): ConfigurationIndex
}

export function modelsRoutes(
  app: FastifyInstance,
  { modelsOf, configuration }: ModelsOptions,
): void {
  const list = (router: Router): ListedModel[] => {
    const created = Math.floor(router.createdAtMs / 1000)
    const models = modelsOf(router).map((model) => listedModel(model, created))
    const agents = [...configuration().agents.values()].map(listedAgent)
    return [{ id: 'auto', object: 'model', created, owned_by: 'modelport' }, ...models, ...agents]
  }

  app.get('/models', (request) => ({ object: 'list', data: list(callerOf(request).router) }))

  // A wildcard, because model names contain slashes, raw or as %2F.
  app.get<{ Params: { '*': string } }>('/models/*', (request) => {
    const id = request.params['*'].replace(/\/$/, '')
    const model = list(callerOf(request).router).find((listed) => listed.id === id)
    if (model) return model
    throw new ServiceError('model_not_found', `This router does not have the model "${id}".`, {
      param: 'model',
    })
  })
}

/** Every agent, because each router can run all of them. */
function listedAgent({ slug, createdAtMs }: StoredAgent): ListedModel {
  const created = Math.floor(createdAtMs / 1000)
  return { id: `agent:${slug}`, object: 'model', created, owned_by: 'modelport' }
}

function listedModel(model: Model, created: number): ListedModel {
  const { inputUsdPerMtok, outputUsdPerMtok } = model
  const isPriced = inputUsdPerMtok !== null && outputUsdPerMtok !== null
  return {
    id: model.id,
    object: 'model',
    created,
    owned_by: model.providerId,
    context_length: model.contextTokens,
    pricing: isPriced
      ? { prompt: usdPerToken(inputUsdPerMtok), completion: usdPerToken(outputUsdPerMtok) }
      : null,
    capabilities: model.capabilities,
  }
}

/** US dollars per token as a decimal string, as in OpenRouter's model list. */
function usdPerToken(usdPerMtok: number): string {
  return (usdPerMtok / 1e6).toFixed(12).replace(/\.?0+$/, '')
}
