/**
 * The Fastify application: the order of the checks (contract section 3), the routes, and every error
 * in the one form callers know.
 */
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
} from 'fastify'
import { greatestBodyLimitMib } from '../../shared/settings.ts'
import { ServiceError } from '../errors.ts'
import { runChecks, type AdmissionOptions } from './admission.ts'
import { limitBody } from './body-limit.ts'
import { checkedOf } from './checked-request.ts'
import { bringsKey, corsHeaders } from './cors.ts'
import { answerParserError, sendError, toServiceError } from './errors.ts'
import { chatCompletionsRoute, type ChatCompletionsOptions } from './routes/chat-completions.ts'
import { metricsRoute, type MetricsOptions } from './routes/metrics.ts'
import { modelsRoutes, type ModelsOptions } from './routes/models.ts'
import { requestsRoute, type RequestsOptions } from './routes/requests.ts'

export interface AppOptions
  extends ChatCompletionsOptions, MetricsOptions, ModelsOptions, RequestsOptions, AdmissionOptions {
  serverFactory: FastifyServerFactory
  newRequestId(): string
  /** Called when a page with a key was refused for its origin. */
  onRefusedOrigin(origin: string): void
  /** Called when a key was missing, malformed, unknown, revoked or expired. */
  onRefusedKey(): void
  /** Called with unexpected errors; the caller gets a 500 without their text. */
  onBug(error: unknown): void
}

/** Ready to be handed connections. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = createFastify(options)
  const takenMethods = collectMethods(app)
  // JSON only: a page of another origin may send text without asking.
  app.removeContentTypeParser('text/plain')
  parseJsonBodies(app, options)
  app.decorateRequest('checked', null)
  // Hooks that need not wait are not asynchronous: a promise each costs more than what they do.
  app.addHook('onRequest', (request, reply, done) => {
    welcome(request, reply, options)
    done()
  })
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toServiceError(error, options.onBug)
    reportRefusal(refusal, request, options)
    return sendError(reply, refusal)
  })
  app.setNotFoundHandler(async ({ url }) => {
    throw new ServiceError('endpoint_not_found', notFoundMessage(url))
  })
  app.get('/healthz', async (_request, reply) => reply.code(204).send())
  metricsRoute(app, options)
  for (const prefix of ['/api/router/:routerId', '/api/router/:routerId/v1']) {
    await app.register(async (scope) => routerRoutes(scope, options), { prefix })
  }
  refuseOtherMethods(app, takenMethods)
  await app.ready()
  return app
}

/** Tools of other APIs often only need another setting: name what is here. */
function notFoundMessage(url: string): string {
  const [path = ''] = url.split('?')
  const other = /(?<!\/chat)\/(responses|messages|completions|embeddings)(\/|$)/.exec(path)?.[1]
  if (other === undefined) return 'There is nothing at this address.'
  return (
    `There is no /${other} here. Set the tool to chat completions: ` +
    'POST /api/router/{router_id}/v1/chat/completions; GET …/v1/models lists the models.'
  )
}

/** Before everything else, for each request. @throws ServiceError */
function welcome(request: FastifyRequest, reply: FastifyReply, options: AppOptions): void {
  reply.header('x-request-id', request.id)
  runChecks('arrival', checkedOf(request), options)
  const { origin } = request.headers
  // The check let it pass: the user allowed this origin.
  if (origin !== undefined) reply.headers(corsHeaders(request, origin))
}

/** Refusals that leave a trace for the user. */
function reportRefusal({ code }: ServiceError, request: FastifyRequest, options: AppOptions): void {
  const { origin } = request.headers
  if (code === 'invalid_api_key') options.onRefusedKey()
  if (code === 'origin_not_allowed' && origin !== undefined && bringsKey(request)) {
    options.onRefusedOrigin(origin)
  }
}

function createFastify(options: AppOptions): FastifyInstance {
  return Fastify({
    serverFactory: options.serverFactory,
    bodyLimit: greatestBodyLimitMib * 1024 * 1024,
    logger: false,
    genReqId: options.newRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    clientErrorHandler: (error, socket) => answerParserError(error, socket, options.newRequestId()),
    // The router gave up on the address; no hook has seen the request.
    frameworkErrors: (error, request, reply) => {
      let refusal: unknown = error
      try {
        welcome(request, reply, options)
      } catch (earlier) {
        refusal = earlier
      }
      const answer = toServiceError(refusal, options.onBug)
      reportRefusal(answer, request, options)
      sendError(reply, answer)
    },
    // A stopping service turns requests away in our own words.
    return503OnClosing: false,
  })
}

/** Fastify's own JSON parser, after the checks of the body's text. */
function parseJsonBodies(app: FastifyInstance, options: AppOptions): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      const checked = checkedOf(request)
      checked.bodyText = body
      runChecks('bodyText', checked, options)
      return parseJson(request, body, done)
    },
  )
}

/** Everything below a router's address: the key first, then the route's own work. */
function routerRoutes(app: FastifyInstance, options: AppOptions): void {
  app.addHook<{ Params: { routerId: string } }>('onRequest', (request, _reply, done) => {
    const checked = checkedOf(request)
    checked.routerId = request.params.routerId
    runChecks('router', checked, options)
    done()
  })
  app.addHook('preParsing', (request, _reply, ...[payload, done]) =>
    done(null, limitBody(request, payload, options.bodyLimitBytes())),
  )
  chatCompletionsRoute(app, options)
  modelsRoutes(app, options)
  requestsRoute(app, options)
}

type Methods = Map<string, Set<string>>

/** Fills, as routes are added, with the methods each address takes. */
function collectMethods(app: FastifyInstance): Methods {
  const methods: Methods = new Map()
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set()
    for (const name of [method].flat()) known.add(name)
    methods.set(url, known)
  })
  return methods
}

/** A known address with another method is a 405 that says which it takes, before any key is looked at. */
function refuseOtherMethods(app: FastifyInstance, taken: Methods): void {
  // The routes added here are not to be visited again.
  for (const [url, methods] of Array.from(taken)) {
    const allowed = [...methods].toSorted().join(', ')
    app.route({
      url,
      method: app.supportedMethods.filter((method) => !methods.has(method)),
      // Before the body is read: whatever it is, the method is the fault.
      onRequest: async (request, reply) => {
        // The guard has let this origin pass: the user allowed it.
        const isPreflight = request.method === 'OPTIONS' && request.headers.origin !== undefined
        if (isPreflight) return reply.code(204).send()
        throw new ServiceError('method_not_allowed', `This address takes ${allowed} only.`, {
          headers: { allow: allowed },
        })
      },
      handler: (_request, reply) => reply,
    })
  }
}
