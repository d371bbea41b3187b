/** `GET /metrics`: Prometheus' text format, for keys created with `--metrics`. */
import { setTimeout as sleep } from 'node:timers/promises'
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
  compareConfiguration(): Promise<void>
  now(): number
}

/** Storage that takes longer shows in the configuration's age. */
const longestCompareMs = 1_000

export function metricsRoute(app: FastifyInstance, options: MetricsOptions): void {
  app.get('/metrics', async (request, reply) => {
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
    const compared = options.compareConfiguration().catch(() => undefined)
    await Promise.race([compared, sleep(longestCompareMs, undefined, { ref: false })])
    const isSeen = (routerId: string) => routers === 'all' || routers.includes(routerId)
    return reply
      .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(options.metrics.text(isSeen))
  })
}
