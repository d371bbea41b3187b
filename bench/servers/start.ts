/** The processes of a bench: each server runs in its own, as in production. */
import { fork, spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ensureBuild } from '../../scripts/setup/build.mjs'

type ServerFile = 'upstream.ts' | 'pass-through.ts' | 'portkey.mjs'

/** @param node  the executable that runs it @returns the port it listens on */
export async function startServer(
  name: ServerFile,
  env: Readonly<Record<string, string>> = {},
  node: string = process.execPath,
): Promise<{ port: number; child: ChildProcess }> {
  const file = fileURLToPath(new URL(name, import.meta.url))
  // Their output is for a terminal; Portkey prints a greeting.
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit', 'ipc']
  const child = fork(file, { env: { ...process.env, ...env }, execPath: node, stdio })
  const message: unknown = (await once(child, 'message'))[0]
  return { port: readPort(message), child }
}

function readPort(message: unknown): number {
  if (typeof message === 'object' && message !== null && 'port' in message) {
    if (typeof message.port === 'number') return message.port
  }
  throw new Error('the server told no port')
}

export interface Serve {
  url: string
  caFile: string
  child: ChildProcess
  /** The address of Node's debugger, if it was started with one. */
  debuggerUrl: string | null
}

/**
 * `modelport serve` as it is shipped: built, on any free port. Running from source would cost 60 MiB for stripping
 * types, and processor time for the many small modules. @param nodeArgs  options of Node itself
 */
export async function startServe(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
): Promise<Serve> {
  await ensureBuild()
  const entry = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))
  const args = [...nodeArgs, entry, 'serve', '--port', '0', '--data-dir', dataDir]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let debuggerUrl: string | null = null
  createInterface(child.stderr).on('line', (line) => {
    const listens = /^Debugger listening on (ws:.+)$/.exec(line)
    debuggerUrl ??= listens?.[1] ?? null
    if (!/^(Debugger|For help)/.test(line)) process.stderr.write(`${line}\n`)
  })
  const line: unknown = (await once(createInterface(child.stdout), 'line'))[0]
  // The output of our own command, in the form of the contract.
  const { url, caFile } = JSON.parse(String(line)) as { url: string; caFile: string }
  return { url, caFile, child, debuggerUrl }
}

/** Asks it to stop, and waits until it has. */
export async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
