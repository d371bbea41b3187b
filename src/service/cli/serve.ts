import type { Command } from 'commander'
import packageFile from '../../../package.json' with { type: 'json' }
import type { EndpointState } from '../../shared/app/app-state.ts'
import { CommandFailed, type Cli } from './cli.ts'
import { serveOptions, toServiceOptions, type ServeOptions } from './serve-options.ts'
import { addServerOptions } from './server-options.ts'
import { sharedOptions, toSharedState, type SharedOptionValues } from './shared-options.ts'
import { telemetryOptions, toTelemetry, type TelemetryOptionValues } from './telemetry-options.ts'

type Options = ServeOptions & SharedOptionValues & TelemetryOptionValues

export function registerServe(program: Command, cli: Cli): void {
  const command = program.command('serve').description('run the service until SIGTERM or Ctrl-C')
  addServerOptions(command, [...serveOptions, ...sharedOptions, ...telemetryOptions], cli.env)
    .addHelpText(
      'after',
      '\n"modelport --help" lists the options for provider keys and the database.',
    )
    .action((options: Options) => serve(options, cli))
}

/**
 * Prints one line when the endpoint listens, then runs until SIGTERM or SIGINT. A second signal ends
 * it at once.
 */
async function serve(options: Options, cli: Cli): Promise<void> {
  const served = await toServiceOptions(options)
  const shared = await toSharedState(options)
  if (shared?.sealingKey === null) cli.output.note(noSharedKey)
  const telemetry = toTelemetry(options, cli.env)
  const stopped = stopSignal()
  // Loaded here, because other commands do not need the endpoint.
  const { startService } = await import('../service.ts')
  const service = await startService({
    ...cli.workspaceOptions(),
    ...served,
    shared,
    telemetry,
    holder: 'serve',
    version: packageFile.version,
  })
  try {
    const { url, httpUrl, caFile } = asListening(service.endpoint())
    cli.output.json({ url, httpUrl, caFile, pid: process.pid })
    await stopped
  } finally {
    await service.close()
  }
}

const noSharedKey =
  'Without --shared-key-file, nodes share no cached answers, and a request that is repeated with its Idempotency-Key at another node gets a 503.'

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
      const { message, freePort, problem } = state
      const option = problem === 'http_port_taken' ? '--http-port' : '--port'
      const wayOut = freePort === null ? '' : ` Port ${freePort} is free: ${option} ${freePort}`
      throw new CommandFailed(`${message}${wayOut}`)
    }
  }
}
