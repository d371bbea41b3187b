/**
 * Prisma's query engine over HTTP, as Prisma's client for Python starts it: `query-engine -p PORT`. The native engine is
 * in no package registry, so this program serves the WebAssembly build of the same version.
 *
 * Environment: DATABASE_URL, PRISMA_DML_PATH (the schema) and PRISMA_PACKAGES (a folder with node_modules).
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { fieldTypesOf, translateQuery, withoutTypeTags, type JsonQuery } from './translate-query.ts'
import { graphQlReader, openEngine } from './wasm-engine.ts'

interface Answer {
  data?: Record<string, unknown>
  errors?: unknown[]
  batchResult?: Answer[]
}

interface ClientRequest {
  query?: string
  batch?: { query: string }[]
  transaction?: boolean
}

const noTrace = '{}'

if (process.argv.includes('--version')) {
  process.stdout.write('query-engine\n')
  process.exit(0)
}

const env = process.env
const packages = env['PRISMA_PACKAGES'] ?? ''
const datamodel = readFileSync(env['PRISMA_DML_PATH'] ?? '', 'utf8')
const types = fieldTypesOf(datamodel)
const readGraphQl = graphQlReader(packages)
const engine = await openEngine({ packages, databaseUrl: env['DATABASE_URL'] ?? '', datamodel })

const server = createServer((request, response) => {
  void answer(request).then((body) => {
    response.setHeader('content-type', 'application/json')
    return response.end(body)
  })
})
server.listen(Number(process.argv[process.argv.indexOf('-p') + 1]), '127.0.0.1')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))

async function answer(request: IncomingMessage): Promise<string> {
  try {
    return await answerTo(request.url ?? '', await text(request), transactionOf(request))
  } catch (error) {
    const message = String(error)
    return JSON.stringify({
      errors: [{ error: message, user_facing_error: { is_panic: false, message } }],
    })
  }
}

function transactionOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['x-transaction-id']
  return Array.isArray(id) ? id[0] : id
}

async function answerTo(url: string, body: string, transactionId?: string): Promise<string> {
  if (url.startsWith('/status')) return '{"status":"ok"}'
  if (url.startsWith('/metrics')) return '{"counters":[],"gauges":[],"histograms":[]}'
  if (url === '/transaction/start') return engine.startTransaction(body, noTrace)
  const end = /^\/transaction\/(?<id>[^/]+)\/(?<how>commit|rollback)/.exec(url)?.groups
  if (end?.['how'] === 'commit') return engine.commitTransaction(end['id'] ?? '', noTrace)
  if (end) return engine.rollbackTransaction(end['id'] ?? '', noTrace)
  // Prisma's client and its engine define both forms.
  const query = JSON.stringify(translate(JSON.parse(body) as ClientRequest))
  const result = JSON.parse(await engine.query(query, noTrace, transactionId)) as Answer
  const { batchResult } = result
  return JSON.stringify(
    batchResult ? { batchResult: batchResult.map(asGraphQl) } : asGraphQl(result),
  )
}

function translate({ query = '', batch, transaction = false }: ClientRequest): object {
  if (!batch) return translated(query)
  return {
    batch: batch.map((item) => translated(item.query)),
    ...(transaction && { transaction: {} }),
  }
}

function translated(query: string): JsonQuery {
  return translateQuery(readGraphQl(query), types)
}

/** The client names every result `result`. */
function asGraphQl(result: Answer): Answer {
  if (!result.data) return result
  return { data: { result: withoutTypeTags(Object.values(result.data)[0]) } }
}
