/** Reads a service's `/metrics`, with a key that may read them. */
import { readExposition, type Exposition } from './read-exposition.ts'
import type { TestService } from '../test-service.ts'

interface Metrics {
  ask(init?: Parameters<TestService['get']>[1]): Promise<Response>
  read(): Promise<Exposition>
}

export async function openMetrics({
  service,
  get,
}: Pick<TestService, 'service' | 'get'>): Promise<Metrics> {
  const { key } = await service.dashboard.createApiKey({
    name: 'prometheus',
    routers: 'all',
    metrics: true,
  })
  const ask: Metrics['ask'] = (init = {}) =>
    get('/metrics', { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } })
  return { ask, read: async () => readExposition(await (await ask()).text()) }
}
