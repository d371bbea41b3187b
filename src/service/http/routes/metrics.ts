/** `GET /metrics`: Prometheus' text format, for keys created with `--metrics`. */
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { ConfigurationIndex } from '../../storage/live-configuration.ts'
import { authenticate } from '../checks/auth.ts'

export interface MetricsOptions {
  metrics: {
    /** @param isSeen  whether the caller may see a router */
    text(isSeen: (routerId: string) => boolean): string
  }
  configuration(): ConfigurationIndex
  now(): number
}

export function metricsRoute(app: FastifyInstance, options: MetricsOptions): void {
  app.get('/metrics', (request, reply) => {
    const { routers, metrics } = authenticate(request.headers.authorization, {
      configuration: options.configuration(),
      nowMs: options.now(),
    })
    if (!metrics) {
      throw new ServiceError(
        'router_access_denied',
        'This API key may not read the metrics. Create one with the metrics right.',
      )
    }
    const isSeen = (routerId: string) => routers === 'all' || routers.includes(routerId)
    return reply
      .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(options.metrics.text(isSeen))
  })
}
