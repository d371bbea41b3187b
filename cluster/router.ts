/** Routers and requests of the checks. */
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { onTestFinished } from 'vitest'
import type { Cluster } from './bed.ts'

/** What the functions below need of a cluster. */
type Changed = Pick<Cluster, 'command' | 'nodes'>

export interface ClusterRouter {
  id: string
  apiKey: string
  apiKeyId: string
}

const figures = ['--input-usd-per-mtok', '1', '--output-usd-per-mtok', '2', '--context', '100000']

/** Saves the models and creates a router of them, in this order, with a key. @param options  of `router create` */
export async function createRouter(
  cluster: Changed,
  models: readonly string[],
  options: readonly string[] = [],
): Promise<ClusterRouter> {
  for (const model of models) await cluster.command('model', 'add', model, ...figures)
  return createRouterOf(cluster, models, options)
}

/** Creates a router of models that are saved. */
export async function createRouterOf(
  { command, nodes }: Changed,
  models: readonly string[],
  options: readonly string[],
): Promise<ClusterRouter> {
  const named = ['--name', 'Cluster', '--strategy', 'priority', '--models', models.join(',')]
  const [router] = await command('router', 'create', ...named, '--tier', 'enterprise', ...options)
  const [key] = await command('key', 'create', '--name', 'Cluster', '--routers', 'all')
  const created = {
    id: String(router?.['id']),
    apiKey: String(key?.['key']),
    apiKeyId: String(key?.['id']),
  }
  await Promise.all(nodes.map(({ port }) => isKnownAt(port, created)))
  return created
}

/** Nodes read a changed configuration within half a second. */
async function isKnownAt(port: number, { id, apiKey }: ClusterRouter): Promise<void> {
  const url = `http://127.0.0.1:${port}/api/router/${id}/v1/models`
  const headers = { authorization: `Bearer ${apiKey}` }
  for (let isKnown = false; !isKnown;) {
    const response = await fetch(url, { headers })
    await response.text()
    isKnown = response.ok
    if (!isKnown) await pause(20)
  }
}

export interface Answer {
  status: number
  /** Empty for a connection that ended without an answer. */
  requestId: string
  /** Whether the answer arrived to its end. */
  isWhole: boolean
  text: string
}

export interface AskOptions {
  port: number
  router: ClusterRouter
  body: object
  signal?: AbortSignal
}

/** Connections that a test closes at its end. */
export function newClient(): (options: AskOptions) => Promise<Answer> {
  const dispatcher = new Agent({ connections: 512, pipelining: 1, bodyTimeout: 60_000 })
  onTestFinished(() => dispatcher.destroy())
  return async ({ port, router, body, signal }) => {
    const answer: Answer = { status: 0, requestId: '', isWhole: false, text: '' }
    try {
      const response = await fetch(
        `http://127.0.0.1:${port}/api/router/${router.id}/chat/completions`,
        {
          method: 'POST',
          dispatcher,
          headers: {
            authorization: `Bearer ${router.apiKey}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify(body),
          ...(signal && { signal }),
        },
      )
      answer.status = response.status
      answer.requestId = response.headers.get('x-request-id') ?? ''
      for await (const chunk of response.body ?? []) answer.text += Buffer.from(chunk).toString()
      const end = 'stream' in body ? 'data: [DONE]\n\n' : '}'
      answer.isWhole = answer.text.endsWith(end)
    } catch {
      // The connection ended: `isWhole` stays false.
    }
    return answer
  }
}
