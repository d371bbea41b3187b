import { InvalidArgumentError, type Command } from 'commander'
import type { EndpointState } from '../../shared/app-state.ts'
import { CommandFailed, type Cli } from './cli.ts'
import { readPort } from './option-values.ts'

interface ServeOptions {
  port?: number
  httpPort?: number | null
  host?: string[]
}

export function registerServe(program: Command, cli: Cli): void {
  program
    .command('serve')
    .description('run the service until SIGTERM or Ctrl-C')
    .option('--port <number>', 'port of the HTTPS endpoint; 0 uses any free port', readPort)
    .option('--http-port <number|off>', 'plain HTTP on this computer only', readHttpPort)
    .option('--host <name...>', 'extra host names the endpoint answers to')
    .action((options: ServeOptions) => serve(options, cli))
}

function readHttpPort(text: string): number | null {
  if (text === 'off') return null
  try {
    return readPort(text)
  } catch {
    throw new InvalidArgumentError('Expected a port from 0 to 65535, or off.')
  }
}

/**
 * Prints one line when the endpoint listens, then runs until SIGTERM or SIGINT. A second signal ends
 * it at once.
 */
async function serve({ port, httpPort, host }: ServeOptions, cli: Cli): Promise<void> {
  const stopped = stopSignal()
  // Loaded here, because other commands do not need the endpoint.
  const { startService } = await import('../service.ts')
  const service = await startService({
    ...cli.workspaceOptions(),
    holder: 'serve',
    port,
    httpPort,
    hosts: host,
  })
  try {
    const { url, httpUrl, caFile } = asListening(service.endpoint())
    cli.output.json({ url, httpUrl, caFile, pid: process.pid })
    await stopped
  } finally {
    await service.close()
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

/** @throws CommandFailed with the reason and, if there is one, a free port */
function asListening(state: EndpointState): EndpointState & { status: 'listening' } {
  switch (state.status) {
    case 'listening':
      return state
    case 'starting':
      throw new CommandFailed('The endpoint did not start.')
    default: {
      const wayOut =
        state.freePort === null ? '' : ` Port ${state.freePort} is free: --port ${state.freePort}`
      throw new CommandFailed(`${state.message}${wayOut}`)
    }
  }
}
