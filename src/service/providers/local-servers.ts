/**
 * Finds model servers on this computer. Each usual port gets one GET request, at the address that its server
 * documents, and only when a person asks for the search. What answers is recognised by its answer and not by its
 * port; only a recognised server gets further requests, for its version and the state of its models.
 */
import type { FoundModel } from '../../shared/models/model-servers.ts'
import { ConnectionPool } from './http/connection-pool.ts'
import {
  describeEach,
  readAnswer,
  type GetJson,
  type RecognisedServer,
} from './local-server-answers.ts'
import type { Connector } from './outbound.ts'
import { UpstreamAnswer } from './upstream-answer.ts'

/** Time limit of a request; a server on this computer answers within milliseconds. */
const probeMs = 500
const maxAnswerBytes = 4 * 1024 * 1024

/** Usual port of a model server, and the path that it answers in a form of its own. */
export interface ServerPlace {
  port: number
  path: string
}

const openAiList = '/v1/models'
export const usualPlaces: readonly ServerPlace[] = [
  { port: 11_434, path: '/api/tags' },
  { port: 1234, path: '/api/v1/models' },
  // llama.cpp; its port was 8080 until the autumn of 2026.
  { port: 9931, path: openAiList },
  { port: 8080, path: openAiList },
  { port: 8000, path: openAiList },
]

export interface SearchOptions {
  /** Opens connections to this computer. */
  connect: Connector
  places?: readonly ServerPlace[] | undefined
  /** Modelport's own, which are left out. */
  ownPorts: readonly (number | null)[]
}

/** Finds model servers. Never rejects: a server that does not answer in a known form is left out. */
export async function findLocalServers({
  connect,
  places = usualPlaces,
  ownPorts,
}: SearchOptions): Promise<RecognisedServer[]> {
  const others = places.filter(({ port }) => !ownPorts.includes(port))
  const found = await Promise.all(others.map((place) => probe(place, connect)))
  return found.filter((server) => server !== null)
}

/** The models of a server that was found, with what only a request for each of them shows. */
export function describeModels(
  server: RecognisedServer,
  { connect }: Pick<SearchOptions, 'connect'>,
): Promise<readonly FoundModel[]> {
  return withPool(server.origin, connect, (get) => describeEach(server, get))
}

async function probe(
  { port, path }: ServerPlace,
  connect: Connector,
): Promise<RecognisedServer | null> {
  const origin = `http://127.0.0.1:${port}`
  return await withPool(origin, connect, async (get) =>
    readAnswer(await get(path), { origin, get }),
  )
}

async function withPool<Value>(
  origin: string,
  connect: Connector,
  use: (get: GetJson) => Promise<Value>,
): Promise<Value> {
  const pool = new ConnectionPool({ origin, connect, maxConnections: 4 })
  try {
    return await use((path, body) => getJson(pool, path, body))
  } finally {
    pool.destroy()
  }
}

/** @returns null for anything but a JSON document with status 200 within the limit */
async function getJson(pool: ConnectionPool, path: string, body?: object): Promise<unknown> {
  const headers = { accept: 'application/json', 'user-agent': 'modelport' }
  const request =
    body === undefined
      ? ({ path, method: 'GET', headers, body: null } as const)
      : ({
          path,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        } as const)
  try {
    const answer = await UpstreamAnswer.ask(pool, request, AbortSignal.timeout(probeMs))
    try {
      if (answer.status !== 200) return null
      return JSON.parse((await answer.readWhole(maxAnswerBytes)).toString())
    } finally {
      answer.abort()
    }
  } catch {
    // Nothing listens there, it speaks something else, or it is too slow: no model server.
    return null
  }
}
