/**
 * A cluster on this computer: three nodes as they are shipped, PostgreSQL behind PgBouncer, Valkey, and HAProxy in front.
 * Each part is a process that a check can kill and start again.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { ensureBuild } from '../scripts/setup/build.mjs'
import { startHaProxy, startPgBouncer, startValkey } from '../test/engines/beside-postgres.ts'
import { postgresUrl, startPostgres, type Engine } from '../test/engines/postgres.ts'
import {
  freePort,
  isListening,
  startServer,
  type ServerProcess,
} from '../test/engines/server-process.ts'

export const builtProgram = fileURLToPath(new URL('../out/main/headless.js', import.meta.url))
const nodeCount = 3

export interface ClusterNode extends ServerProcess {
  /** Port of its plain HTTP. */
  port: number
}

export interface Cluster {
  nodes: readonly ClusterNode[]
  postgres: Engine
  pgBouncer: Engine
  valkey: Engine
  haProxy: Engine
  /** Runs a command of the program against the shared database. @returns the objects that it prints */
  command(...args: string[]): Promise<Record<string, unknown>[]>
  /** Asks PostgreSQL directly. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
}

interface ClusterOptions {
  /** Plain HTTP: the base URL of each provider, by its id. */
  providers: Readonly<Record<string, string>>
  /** Further options of `serve`. */
  serveOptions?: readonly string[]
  /** What the nodes run, instead of the built program. */
  program?: string
}

/** Started for one test, and ended with it. */
export async function startCluster({
  providers,
  serveOptions = [],
  program = builtProgram,
}: ClusterOptions) {
  await ensureBuild()
  const postgres = await startPostgres({ durable: true })
  onTestFinished(() => postgres.remove())
  const pgBouncer = await startPgBouncer(postgres.port)
  onTestFinished(() => pgBouncer.remove())
  const valkey = await startValkey()
  onTestFinished(() => valkey.remove())
  const env = {
    ...keysOf(providers),
    MODELPORT_DATABASE_URL: postgresUrl(pgBouncer.port),
    MODELPORT_SHARED_URL: `valkey://127.0.0.1:${valkey.port}`,
    MODELPORT_VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  const command = commandIn(newFolder(), env)
  await addProviders(command, providers)
  const nodes: ClusterNode[] = []
  for (let number = 0; number < nodeCount; number += 1) {
    const dataDir = newFolder()
    nodes.push(await startNode({ name: `node ${number + 1}`, dataDir, env, serveOptions, program }))
  }
  const haProxy = await startHaProxy(nodes.map(({ port }) => port))
  onTestFinished(() => haProxy.remove())
  const query = await openQuery(postgres.port)
  const cluster: Cluster = { nodes, postgres, pgBouncer, valkey, haProxy, command, query }
  return cluster
}

/** One node on SQLite and nothing beside it, with which a cluster can be compared. */
export async function startSingleNode({
  name,
  providers,
}: Pick<ClusterOptions, 'providers'> & { name: string }): Promise<
  Pick<Cluster, 'nodes' | 'command'>
> {
  await ensureBuild()
  const dataDir = newFolder()
  const env = keysOf(providers)
  const command = commandIn(dataDir, env)
  await addProviders(command, providers)
  return { command, nodes: [await startNode({ name, dataDir, env })] }
}

function keysOf(providers: ClusterOptions['providers']): Record<string, string> {
  return Object.fromEntries(
    Object.keys(providers).map((id) => [`MODELPORT_KEY_${id.toUpperCase()}`, 'key-of-a-test']),
  )
}

async function addProviders(
  command: Cluster['command'],
  providers: ClusterOptions['providers'],
): Promise<void> {
  for (const [id, url] of Object.entries(providers))
    await command('provider', 'add', id, '--type', 'openai-compatible', '--base-url', url)
}

interface NodeOptions {
  name: string
  dataDir: string
  env: Readonly<Record<string, string>>
  serveOptions?: readonly string[]
  program?: string
}

export async function startNode(options: NodeOptions): Promise<ClusterNode> {
  const { name, dataDir, env, serveOptions = [], program = builtProgram } = options
  const port = await freePort()
  const ports = ['--port', String(await freePort()), '--http-port', String(port)]
  const node = await startServer({
    name,
    command: process.execPath,
    args: [program, 'serve', ...ports, '--data-dir', dataDir, ...serveOptions],
    env: { ...env, HOME: dataDir, XDG_CACHE_HOME: join(dataDir, '.cache') },
    isReady: () => isReady(port),
  })
  onTestFinished(() => node.end('SIGKILL'))
  return { ...node, port }
}

async function isReady(port: number): Promise<boolean> {
  if (!(await isListening(port))) return false
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
  } catch {
    return false
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'modelport-node-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

function commandIn(dataDir: string, env: Readonly<Record<string, string>>): Cluster['command'] {
  return async (...args) => {
    const child = spawn(
      process.execPath,
      [builtProgram, ...args, '--json', '--data-dir', dataDir],
      {
        env: { ...env, PATH: process.env['PATH'], HOME: dataDir },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text
      })
    await once(child, 'close')
    if (child.exitCode !== 0) throw new Error(`${args.join(' ')}: ${output.stderr}`)
    const lines = output.stdout.split('\n').filter((line) => line !== '')
    // Test boundary: with --json, a command prints an object per line.
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  }
}

async function openQuery(port: number): Promise<Cluster['query']> {
  let client: Client | null = null
  onTestFinished(async () => void (await client?.end().catch(() => null)))
  return async <Row extends object>(text: string, values: unknown[] = []) => {
    // PostgreSQL may have been killed since the last query.
    client ??= await connect(port, () => (client = null))
    const { rows } = await client.query<Row>(text, values)
    return rows
  }
}

async function connect(port: number, onEnd: () => void): Promise<Client> {
  const client = new Client(postgresUrl(port))
  client.on('error', onEnd)
  client.once('end', onEnd)
  await client.connect()
  return client
}
