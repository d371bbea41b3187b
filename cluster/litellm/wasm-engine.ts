/** The WebAssembly build of Prisma's query engine, on PostgreSQL. npm has it for each version of Prisma's client. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { FieldNode } from './translate-query.ts'

/** Bodies and answers are JSON texts. */
export interface QueryEngine {
  query(body: string, trace: string, transactionId?: string): Promise<string>
  startTransaction(body: string, trace: string): Promise<string>
  commitTransaction(id: string, trace: string): Promise<string>
  rollbackTransaction(id: string, trace: string): Promise<string>
}

interface OpenOptions {
  /** A folder with Prisma's packages. */
  packages: string
  databaseUrl: string
  /** Text of a Prisma schema. */
  datamodel: string
}

// The packages are only in the cache, so their types are unknown here; these name what is used of them.

interface EngineModule {
  __wbg_set_wasm: (exports: object) => void
  QueryEngine: new (
    options: object,
    log: (line: string) => void,
    adapter: unknown,
  ) => QueryEngine & { connect(trace: string): Promise<void> }
}

interface Adapter {
  performIO(query: unknown): Promise<{ ok: boolean; value: { fields: { dataTypeID: number }[] } }>
}

interface PgModule {
  Pool: new (options: object) => object
  types: { setTypeParser(id: number, parser: unknown): void; getTypeParser(id: number): unknown }
}

interface WebAssemblyApi {
  instantiate(code: Buffer, imports: object): Promise<{ instance: { exports: object } }>
}

const mostConnections = 10
/** PostgreSQL's types of catalog names, which the driver does not know, and their equals for text. */
const textTypes = new Map([
  [19, 25],
  [1003, 1009],
])

export async function openEngine(options: OpenOptions): Promise<QueryEngine> {
  const { packages, databaseUrl, datamodel } = options
  const load = loaderOf(packages)
  const engineModule = await loadEngine(load)
  const { bindAdapter } = load('@prisma/driver-adapter-utils') as {
    bindAdapter(adapter: Adapter): unknown
  }
  const engine = new engineModule.QueryEngine(
    {
      datamodel,
      logLevel: 'error',
      logQueries: false,
      configDir: '.',
      ignoreEnvVarErrors: true,
      datasourceOverrides: {},
      env: { DATABASE_URL: databaseUrl },
      engineProtocol: 'json',
    },
    (line) => console.error(line),
    bindAdapter(openAdapter(load, databaseUrl)),
  )
  await engine.connect('{}')
  return engine
}

/** @returns a function that reads a GraphQL operation and returns its only field */
export function graphQlReader(packages: string): (operation: string) => FieldNode {
  const { parse } = loaderOf(packages)('graphql') as {
    parse(text: string): { definitions: [{ selectionSet: { selections: [FieldNode] } }] }
  }
  return (operation) => parse(operation).definitions[0].selectionSet.selections[0]
}

function loaderOf(packages: string): NodeJS.Require {
  return createRequire(join(packages, 'package.json'))
}

async function loadEngine(load: NodeJS.Require): Promise<EngineModule> {
  const path = '@prisma/client/runtime/query_engine_bg.postgresql'
  const engineModule = load(`${path}.js`) as EngineModule
  // The types of this project have no WebAssembly.
  const { WebAssembly: api } = globalThis as unknown as { WebAssembly: WebAssemblyApi }
  const code = readFileSync(load.resolve(`${path}.wasm`))
  const { instance } = await api.instantiate(code, { './query_engine_bg.js': engineModule })
  engineModule['__wbg_set_wasm'](instance.exports)
  return engineModule
}

function openAdapter(load: NodeJS.Require, databaseUrl: string): Adapter {
  const { Pool, types } = load('pg') as PgModule
  const { PrismaPg } = load('@prisma/adapter-pg') as { PrismaPg: new (pool: object) => Adapter }
  for (const [id, textId] of textTypes) types.setTypeParser(id, types.getTypeParser(textId))
  const url = new URL(databaseUrl)
  // Its parameters are Prisma's own.
  url.search = ''
  const adapter = new PrismaPg(new Pool({ connectionString: url.href, max: mostConnections }))
  const performIO = adapter.performIO.bind(adapter)
  adapter.performIO = async (query) => {
    const result = await performIO(query)
    for (const field of result.ok ? result.value.fields : [])
      field.dataTypeID = textTypes.get(field.dataTypeID) ?? field.dataTypeID
    return result
  }
  return adapter
}
