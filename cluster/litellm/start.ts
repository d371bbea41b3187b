/** LiteLLM's proxy as its documentation sets it up: virtual keys and spending in PostgreSQL, shared state in Redis. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { postgresUrl } from '../../test/engines/postgres.ts'
import { freePort, startServer, type ServerProcess } from '../../test/engines/server-process.ts'
import { prismaEnvironment, type Packages } from './packages.ts'

const database = 'litellm'
const pidFile = 'query-engine.pid'
const masterKey = 'sk-master-key-of-a-test'
/** Starting takes it 6 s on a processor of its own. */
const readyMs = 120_000

export interface LiteLlm extends ServerProcess {
  port: number
  /** A virtual key with a budget. */
  apiKey: string
  /** URL of its database. */
  url: string
  /** Process id of the engine through which it uses PostgreSQL. */
  enginePid(): number
}

interface StartOptions {
  packages: Packages
  postgresPort: number
  valkeyPort: number
  /** Base URL of a provider that speaks OpenAI's protocol. */
  providerUrl: string
  /** What clients call the model, and what the provider calls it. */
  models: { name: string; atProvider: string }
}

/** One worker, with a virtual key. It ends with the test. */
export async function startLiteLlm(options: StartOptions): Promise<LiteLlm> {
  const { packages, postgresPort } = options
  const folder = mkdtempSync(join(tmpdir(), 'modelport-litellm-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const url = createDatabase(packages, postgresPort)
  const port = await freePort()
  const address = ['--host', '127.0.0.1', '--port', String(port)]
  const server = await startServer({
    name: 'LiteLLM',
    command: packages.python,
    args: ['-m', 'litellm.proxy.proxy_cli', ...address, '--config', writeConfig(folder, options)],
    env: { ...environment(packages, folder), DATABASE_URL: url },
    isReady: () => isReady(port),
    readyMs,
  })
  onTestFinished(() => server.end('SIGKILL'))
  return {
    ...server,
    port,
    url,
    apiKey: await createKey(port, options.models.name),
    enginePid: () => Number(readFileSync(join(folder, pidFile), 'utf8')),
  }
}

/** Creates a database with LiteLLM's migrations, without the engine that runs them for it. @returns the URL */
function createDatabase({ migrationsFolder }: Packages, port: number): string {
  const run = (url: string, ...args: readonly string[]) =>
    execFileSync('psql', [url, '--quiet', '--set', 'ON_ERROR_STOP=1', ...args], { stdio: 'pipe' })
  run(postgresUrl(port), '--command', `CREATE DATABASE ${database}`)
  const url = postgresUrl(port, database)
  const folders = readdirSync(migrationsFolder, { withFileTypes: true })
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const files = names.toSorted().map((name) => join(migrationsFolder, name, 'migration.sql'))
  run(url, ...files.flatMap((file) => ['--file', file]))
  return url
}

function writeConfig(folder: string, { valkeyPort, providerUrl, models }: StartOptions): string {
  const redis = { host: '127.0.0.1', port: valkeyPort }
  const config = {
    model_list: [
      {
        model_name: models.name,
        litellm_params: {
          model: `openai/${models.atProvider}`,
          api_base: providerUrl,
          api_key: 'key-of-a-test',
          input_cost_per_token: 0.000_001,
          output_cost_per_token: 0.000_002,
        },
      },
    ],
    router_settings: { redis_host: redis.host, redis_port: redis.port },
    // Redis holds what instances share; answers are not cached.
    litellm_settings: {
      cache: true,
      cache_params: { type: 'redis', ...redis, supported_call_types: [] },
    },
    general_settings: { master_key: masterKey, database_connection_pool_limit: 10 },
  }
  const file = join(folder, 'config.yaml')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(config))
  return file
}

function environment({ prismaFolder }: Packages, folder: string): Record<string, string> {
  const engine = join(folder, 'query-engine')
  const program = fileURLToPath(new URL('query-engine.ts', import.meta.url))
  writeFileSync(
    engine,
    `#!/bin/sh\necho $$ > '${join(folder, pidFile)}'\nexec '${process.execPath}' '${program}' "$@"\n`,
  )
  chmodSync(engine, 0o755)
  return {
    ...prismaEnvironment(engine),
    PRISMA_PACKAGES: prismaFolder,
    PRISMA_BINARY_CACHE_DIR: prismaFolder,
    HOME: folder,
    DISABLE_SCHEMA_UPDATE: 'true',
    LITELLM_MODE: 'PRODUCTION',
    LITELLM_LOG: 'ERROR',
    // Otherwise it fetches a list of prices at the start.
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    LITELLM_SALT_KEY: 'sk-salt-of-a-test',
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health/readiness`)
    return (await response.text()).includes('"db":"connected"')
  } catch {
    return false
  }
}

async function createKey(port: number, model: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/key/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${masterKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ models: [model], max_budget: 1_000_000 }),
  })
  const answer = await response.text()
  const key = /"key":"(sk-[^"]+)"/.exec(answer)?.[1]
  if (key === undefined) throw new Error(`LiteLLM created no key: ${answer.slice(0, 500)}`)
  return key
}
