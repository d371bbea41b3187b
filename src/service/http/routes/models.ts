/** `GET …/v1/models`: the accepted values of `model`, in OpenAI's form or, to its clients, in Anthropic's. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Model, Router } from '../../../shared/entities.ts'
import { factsOfAuto, type EligibleModel, type ListedModel } from '../../families/listed-model.ts'
import { pageOf } from '../../families/anthropic/endpoint/model-page.ts'
import { writeAnthropicModel } from '../../families/anthropic/endpoint/write-model.ts'
import { writeOpenAiModel } from '../../families/openai-chat/endpoint/write-model.ts'
import { ServiceError } from '../../errors.ts'
import type { ConfigurationIndex } from '../../storage/live-configuration.ts'
import type { StoredAgent } from '../../storage/storage.ts'
import { callerOf, checkedOf } from '../checks/checked-request.ts'

export interface ModelsOptions {
  modelsOf(router: Router): Model[]
  /** Models that the router may choose now. */
  eligibleModelsOf(router: Router): readonly EligibleModel[]
  configuration(): ConfigurationIndex
}

export function modelsRoutes(app: FastifyInstance, options: ModelsOptions): void {
  app.get<{ Querystring: Record<string, unknown> }>('/models', (request) => {
    const models = listModels(callerOf(request).router, options)
    if (!isAnthropic(request)) return { object: 'list', data: models.map(writeOpenAiModel) }
    const { data, ...page } = pageOf(models, request.query)
    return { data: data.map(writeAnthropicModel), ...page }
  })

  // A wildcard, because model names contain slashes, raw or as %2F.
  app.get<{ Params: { '*': string } }>('/models/*', (request) => {
    const id = request.params['*'].replace(/\/$/, '')
    const model = listModels(callerOf(request).router, options).find((listed) => listed.id === id)
    if (model) return isAnthropic(request) ? writeAnthropicModel(model) : writeOpenAiModel(model)
    throw new ServiceError('model_not_found', `This router does not have the model "${id}".`, {
      param: 'model',
    })
  })
}

function isAnthropic(request: FastifyRequest): boolean {
  return checkedOf(request).form === 'messages'
}

/** `auto` first, then the router's models, then every agent, because each router can run all of them. */
function listModels(router: Router, options: ModelsOptions): ListedModel[] {
  const { createdAtMs } = router
  const auto = {
    id: 'auto',
    name: `Auto (${router.name})`,
    createdAtMs,
    ownedBy: 'modelport',
    facts: factsOfAuto(options.eligibleModelsOf(router)),
  }
  const models = options.modelsOf(router).map((model) => listedModel(model, createdAtMs))
  const agents = [...options.configuration().agents.values()].map(listedAgent)
  return [auto, ...models, ...agents]
}

function listedAgent({ slug, createdAtMs }: StoredAgent): ListedModel {
  return {
    id: `agent:${slug}`,
    name: `agent:${slug}`,
    createdAtMs,
    ownedBy: 'modelport',
    facts: null,
  }
}

function listedModel(model: Model, createdAtMs: number): ListedModel {
  const { id, providerId, contextTokens, maxOutputTokens, capabilities } = model
  const { inputUsdPerMtok, outputUsdPerMtok, cacheReadUsdPerMtok, cacheWriteUsdPerMtok } = model
  const isPriced = inputUsdPerMtok !== null && outputUsdPerMtok !== null
  const caches = { cacheReadUsdPerMtok, cacheWriteUsdPerMtok }
  const price = isPriced ? { inputUsdPerMtok, outputUsdPerMtok, ...caches } : null
  const facts = { contextTokens, maxOutputTokens, price, capabilities }
  return { id, name: id, createdAtMs, ownedBy: providerId, facts }
}
