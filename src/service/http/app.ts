/**
 * The Fastify application: the order of the checks (contract section 3), the routes, and every error
 * in the one form callers know.
 */
import Fastify, { type FastifyError, type FastifyInstance, type FastifyServerFactory } from 'fastify'
import type { Socket } from 'node:net'
import { ServiceError } from '../errors.ts'
import type { ConfigurationIndex } from '../storage/live-configuration.ts'
import { authorize } from './auth.ts'
import { checkHostAndOrigin, type GuardOptions } from './guard.ts'
import { rawResponse } from './listener.ts'
import { chatCompletionsRoute, type ChatCompletionsOptions } from './routes/chat-completions.ts'
import { modelsRoutes, type ModelsOptions } from './routes/models.ts'
import { validationError } from './validation.ts'

export interface AppOptions extends ChatCompletionsOptions, ModelsOptions, GuardOptions {
  serverFactory: FastifyServerFactory
  configuration(): ConfigurationIndex
  newRequestId(): string
  bodyLimitBytes: number
  /** Told of what is a bug of ours; the caller gets a 500 without its text. */
  onBug(error: unknown): void
}

const otherMethods = ['DELETE', 'PATCH', 'PUT', 'HEAD'] as const

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    serverFactory: options.serverFactory,
    bodyLimit: options.bodyLimitBytes,
    logger: false,
    genReqId: options.newRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    schemaErrorFormatter: validationError,
    clientErrorHandler: (error, socket) => answerParserError(error, socket, options),
  })
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    checkHostAndOrigin(request, reply, options)
  })
  app.setErrorHandler(async (error, _request, reply) => sendError(reply, error, options))
  app.setNotFoundHandler(async () => {
    throw new ServiceError('endpoint_not_found', 'There is nothing at this address.')
  })
  app.get('/healthz', async (_request, reply) => reply.code(204).send())
  refuseOtherMethods(app, ['/healthz'], ['GET'])
  app.options('*', async (request, reply) => {
    if (request.headers.origin === undefined) throw methodNotAllowed(['GET', 'POST'])
    return reply.code(204).send()
  })
  for (const prefix of ['/api/router/:routerId', '/api/router/:routerId/v1']) {
    await app.register(async (scope) => routerRoutes(scope, options), { prefix })
  }
  await app.ready()
  return app
}

/** Everything below a router's address: the key first, then the route's own work. */
function routerRoutes(app: FastifyInstance, options: AppOptions): void {
  app.addHook<{ Params: { routerId: string } }>('onRequest', async (request) => {
    request.caller = authorize(request.headers.authorization, request.params.routerId, {
      configuration: options.configuration(),
      nowMs: options.now(),
    })
  })
  chatCompletionsRoute(app, options)
  modelsRoutes(app, options)
}

/** A known address with another method is a 405 that says which it takes. */
function refuseOtherMethods(
  app: FastifyInstance,
  urls: readonly string[],
  allowed: readonly ('GET' | 'POST')[],
): void {
  const method = [...otherMethods, ...(allowed.includes('GET') ? ['POST'] : ['GET'])]
  for (const url of urls) {
    app.route({
      method,
      url,
      handler: async () => {
        throw methodNotAllowed(allowed)
      },
    })
  }
}

function methodNotAllowed(allowed: readonly string[]): ServiceError {
  const list = allowed.join(', ')
  return new ServiceError('method_not_allowed', `This address takes ${list} only.`, {
    headers: { allow: list },
  })
}
