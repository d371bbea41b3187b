/**
 * The Fastify application: the order of the checks (contract section 3), the routes, and all errors in one form.
 */
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
} from 'fastify'
import { greatestBodyLimitMib } from '../../shared/app/settings.ts'
import { ServiceError } from '../errors.ts'
import {
  credentialsOf,
  runChecks,
  type AdmissionOptions,
  type CheckedRequest,
} from './checks/admission.ts'
import { keyFault } from './checks/auth.ts'
import { limitBody } from './checks/body-limit.ts'
import type { ConnectionLimit } from './sockets/connection-limit.ts'
import { checkedOf } from './checks/checked-request.ts'
import { corsHeaders } from './checks/cors.ts'
import { answerParserError, sendError, toServiceError, type OnBug } from './refusals/errors.ts'
import { chatCompletionsRoute } from './routes/chat-completions.ts'
import { completionsRoute } from './routes/completions.ts'
import { noteRefusal, noteUnread, type RefusalListener } from './refusals/refusal.ts'
import { RefusalTurns } from './refusals/refusal-turns.ts'
import { messagesRoutes, type MessagesOptions } from './routes/messages.ts'
import { embeddingsRoute, type EmbeddingsOptions } from './routes/embeddings.ts'
import { geminiRoutes } from './routes/gemini.ts'
import { healthRoutes, type HealthOptions } from './routes/health.ts'
import { metricsRoute, type MetricsOptions } from './routes/metrics.ts'
import { modelsRoutes, type ModelsOptions } from './routes/models.ts'
import { openApiRoute } from './routes/openapi.ts'
import { requestsRoute, type RequestsOptions } from './routes/requests.ts'
import { responsesRoutes } from './routes/responses.ts'
import { rulesOf } from './answers/request-forms.ts'
import type { WrongKeyDelay } from './checks/wrong-key-delay.ts'

export interface AppOptions
  extends
    MessagesOptions,
    EmbeddingsOptions,
    MetricsOptions,
    ModelsOptions,
    RequestsOptions,
    HealthOptions,
    AdmissionOptions,
    RefusalListener {
  serverFactory: FastifyServerFactory
  connections: Pick<ConnectionLimit, 'isRefused' | 'countRequest'>
  /** Reads what another process has changed since the configuration was last compared. */
  compareConfiguration(): Promise<void>
  wrongKeyDelay: Pick<WrongKeyDelay, 'wrongKey'>
  newRequestId(): string
  /** Called with unexpected errors; the caller gets a 500 without their text. */
  onBug: OnBug
}

/** Creates the application, ready for connections. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = createFastify(options)
  const takenMethods = collectMethods(app)
  // JSON only: a page of another origin can send plain text without a preflight.
  app.removeContentTypeParser('text/plain')
  parseJsonBodies(app, options)
  app.decorateRequest('checked', null)
  // Synchronous hooks: a promise would cost more than their work.
  app.addHook('onRequest', (request, reply, done) => {
    welcome(request, reply, options)
    done()
  })
  const turns = new RefusalTurns()
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toServiceError(error, options.onBug, request.id)
    noteRefusal(refusal, { request: checkedOf(request), id: request.id }, options)
    if (refusal.code === 'invalid_api_key') await delayWrongKey(request, reply, options)
    if (!checkedOf(request).isAdmitted) await turns.next()
    return sendError(reply, refusal, options.now())
  })
  app.setNotFoundHandler(async ({ url }) => {
    throw new ServiceError('endpoint_not_found', notFoundMessage(url))
  })
  healthRoutes(app, options)
  metricsRoute(app, options)
  for (const prefix of ['/api/router/:routerId', '/api/router/:routerId/v1']) {
    await app.register(async (scope) => routerRoutes(scope, options), { prefix })
  }
  await app.register(
    async (scope) => {
      checkRouter(scope, options)
      geminiRoutes(scope, options)
    },
    { prefix: '/api/router/:routerId/v1beta' },
  )
  refuseOtherMethods(app, takenMethods)
  await app.ready()
  return app
}

function notFoundMessage(url: string): string {
  const [path = ''] = url.split('?')
  if (/\/responses\/[^/]/.test(path)) {
    return 'Modelport keeps no responses. Send the whole conversation to POST /api/router/{router_id}/v1/responses.'
  }
  return 'This address does not exist.'
}

/** Runs first for every request. @throws ServiceError */
function welcome(request: FastifyRequest, reply: FastifyReply, options: AppOptions): void {
  const checked = checkedOf(request)
  reply.header('x-request-id', request.id)
  const { requestIdHeader } = rulesOf(checked.form)
  if (requestIdHeader !== undefined) reply.header(requestIdHeader, request.id)
  endConnection(request, reply, options)
  if (options.connections.isRefused(request.raw.socket)) throw tooManyConnections()
  runChecks('arrival', checked, options)
  const { origin } = request.headers
  // The checks passed, so the user allowed this origin.
  if (origin !== undefined) reply.headers(corsHeaders(request, origin))
}

/** Announces the end of a connection with its last answer. @throws ServiceError for what was sent after that request */
function endConnection(request: FastifyRequest, reply: FastifyReply, options: AppOptions): void {
  const { connections, activeRequests } = options
  const count = connections.countRequest(request.raw.socket, activeRequests.isStopping)
  if (count === 'more') return
  reply.header('connection', 'close')
  if (count === 'last') return
  const message = 'This connection ends with the answer before. Open a new one.'
  throw new ServiceError('overloaded', message, { headers: { 'retry-after': '1' } })
}

function tooManyConnections(): ServiceError {
  const message = 'Too many connections to Modelport are open. Try again shortly.'
  return new ServiceError('overloaded', message, {
    headers: { 'retry-after': '2', connection: 'close' },
  })
}

async function delayWrongKey(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  { wrongKeyDelay, proxies }: AppOptions,
): Promise<void> {
  const address = proxies.clientAddress(raw.socket.remoteAddress ?? '', raw.headers)
  const { closes } = await wrongKeyDelay.wrongKey(address)
  if (closes) reply.header('connection', 'close')
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
    clientErrorHandler(error, socket) {
      const id = options.newRequestId()
      const code = answerParserError(error, socket, id)
      if (code !== null) noteUnread(code, id, options)
    },
    // Fastify rejected the address before any hook ran.
    frameworkErrors: (error, request, reply) => {
      let refusal: unknown = error
      try {
        welcome(request, reply, options)
      } catch (earlier) {
        refusal = earlier
      }
      const answer = toServiceError(refusal, options.onBug, request.id)
      noteRefusal(answer, { request: checkedOf(request), id: request.id }, options)
      sendError(reply, answer, options.now())
    },
    // Use our own error while the service is stopping.
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

/** Routes below a router's address check the key first. */
function checkRouter(app: FastifyInstance, options: AppOptions): void {
  app.addHook<{ Params: { routerId: string } }>('onRequest', async (request) => {
    const checked = checkedOf(request)
    checked.routerId = request.params.routerId
    try {
      runChecks('router', checked, options)
    } catch (refusal) {
      if (!mayBeNew(refusal, checked, options)) throw refusal
      await checkAgain(checked, options)
    }
  })
  app.addHook('preParsing', (request, _reply, ...[payload, done]) =>
    done(null, limitBody(request, payload, options.bodyLimitBytes())),
  )
}

function routerRoutes(app: FastifyInstance, options: AppOptions): void {
  checkRouter(app, options)
  chatCompletionsRoute(app, options)
  completionsRoute(app, options)
  messagesRoutes(app, options)
  responsesRoutes(app, options)
  embeddingsRoute(app, options)
  modelsRoutes(app, options)
  geminiRoutes(app, options)
  requestsRoute(app, options)
  openApiRoute(app)
}

/** Whether the refusal is of a key or router that another process, such as the command line, may just have created. */
function mayBeNew(refusal: unknown, checked: CheckedRequest, options: AppOptions): boolean {
  if (!(refusal instanceof ServiceError)) return false
  if (refusal.code === 'router_not_found' || refusal.code === 'router_access_denied') return true
  if (refusal.code !== 'invalid_api_key') return false
  return keyFault(credentialsOf(checked), options.configuration()) === 'unknown'
}

/** @throws ServiceError */
async function checkAgain(checked: CheckedRequest, options: AppOptions): Promise<void> {
  // A storage that cannot be read is reported elsewhere; the request is then checked by what is known.
  await options.compareConfiguration().catch(() => undefined)
  runChecks('router', checked, options)
}

type Methods = Map<string, Set<string>>

/** The methods of each address, collected as routes are added. */
function collectMethods(app: FastifyInstance): Methods {
  const methods: Methods = new Map()
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set()
    for (const name of [method].flat()) known.add(name)
    methods.set(url, known)
  })
  return methods
}

/** A known address with another method gets a 405 that lists its methods, before the key is checked. */
function refuseOtherMethods(app: FastifyInstance, taken: Methods): void {
  // Skip the routes that this function adds.
  for (const [url, methods] of Array.from(taken)) {
    const allowed = [...methods].toSorted().join(', ')
    app.route({
      url,
      method: app.supportedMethods.filter((method) => !methods.has(method)),
      // Before the body is read, because the method is wrong for any body.
      onRequest: async (request, reply) => {
        // The checks passed, so the user allowed this origin.
        const isPreflight = request.method === 'OPTIONS' && request.headers.origin !== undefined
        if (isPreflight) return reply.code(204).send()
        refuseWebSocket(request)
        throw new ServiceError('method_not_allowed', `This address accepts only ${allowed}.`, {
          headers: { allow: allowed },
        })
      },
      handler: (_request, reply) => reply,
    })
  }
}

/** Refuses a WebSocket with the only status after which Codex goes on without. @throws ServiceError */
function refuseWebSocket({ headers }: FastifyRequest): void {
  if (!/\bwebsocket\b/i.test(headers.upgrade ?? '')) return
  throw new ServiceError(
    'websocket_unsupported',
    'Modelport has no WebSockets. Send the request as POST; with "stream": true the answer arrives as server-sent events.',
    { headers: { upgrade: 'HTTP/1.1' } },
  )
}
