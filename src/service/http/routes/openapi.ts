/** `GET …/openapi.json`: the description of the router's API, for any key of the router. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf } from '../checks/checked-request.ts'

export function openApiRoute(app: FastifyInstance): void {
  app.get('/openapi.json', (request) => describe(request))
}

async function describe(request: FastifyRequest): Promise<object> {
  const { router } = callerOf(request)
  // Loaded for the first request, because most services never get one.
  const { openApiDocument } = await import('../openapi/document.ts')
  // Admission has checked the host.
  return openApiDocument(`${request.protocol}://${request.host}/api/router/${router.id}`)
}
