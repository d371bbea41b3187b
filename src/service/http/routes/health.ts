/** `/healthz` and `/readyz`, for supervisors and load balancers: no key, no content. */
import type { FastifyInstance } from 'fastify'
import type { ServiceError } from '../../errors.ts'

export interface HealthOptions {
  /** Why a load balancer should send no requests now; null when it may. */
  unreadiness(): ServiceError | null
}

/** Paths that are answered over plain HTTP from everywhere, because they carry no key. */
export const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

export function healthRoutes(app: FastifyInstance, { unreadiness }: HealthOptions): void {
  app.get('/healthz', async (_request, reply) => reply.code(204).send())
  app.get('/readyz', async (_request, reply) => {
    const reason = unreadiness()
    if (reason !== null) throw reason
    return reply.code(204).send()
  })
}
