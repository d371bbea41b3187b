/** Steady, which serves a vendor's OpenAPI document and refuses requests that do not fit it. */
import { spawn } from 'node:child_process'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { fetch } from 'undici'
import { stop } from '../bench/servers/start.ts'
import { freePort } from '../test/engines/server-process.ts'
import { installClient } from './install.ts'
import { eventually } from './test-bed.ts'

const steady = {
  id: 'steady',
  packages: { from: 'npm', versions: { '@stdy/cli': '0.22.2' } },
} as const

export interface SentRequest {
  method: string
  /** Path with the query, as the document has it. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Steady {
  /** Resolves to what Steady says about a request; empty when it accepts it. */
  refusals(request: SentRequest): Promise<readonly string[]>
  close(): Promise<void>
}

const startLimitMs = 30_000

/** @throws Error when it cannot be installed, or does not start in time */
export async function startSteady(document: string, cacheDir: string): Promise<Steady> {
  const installed = await installClient(steady, cacheDir)
  // Its start file does not pass signals on to the program.
  const program = join(installed, 'node_modules', `@stdy/cli-${process.platform}-${process.arch}`)
  const port = await freePort()
  const args = ['--host', '127.0.0.1', '-p', String(port), '--quiet', document]
  const child = spawn(join(program, 'bin', 'steady'), args, { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(`${origin}/_x-steady/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  if (!(await eventually(isUp, startLimitMs))) {
    child.kill()
    throw new Error(`Steady did not start with ${document}`)
  }
  return { refusals: (request) => refusalsOf(request, origin), close: () => stop(child) }
}

async function refusalsOf(
  { method, path, headers, body }: SentRequest,
  origin: string,
): Promise<readonly string[]> {
  const { host: _host, connection: _connection, 'content-length': _length, ...sent } = headers
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: Object.entries(sent).map(([name, value]) => [name, String(value)]),
    ...(body.length > 0 && { body }),
  })
  await answer.body?.cancel()
  if (answer.headers.get('x-steady-request-valid') === 'true') return []
  const count = Number(answer.headers.get('x-steady-error-count'))
  const found = Array.from({ length: count }, (_, index) =>
    ['path', 'message']
      .map((part) => answer.headers.get(`x-steady-error-${index + 1}-${part}`) ?? '')
      .join(': '),
  )
  return found.length > 0 ? found : [`status ${answer.status}`]
}
