/** Connects finished requests to an OpenTelemetry collector, when the operator named one. */
import type { FinishedRequest } from '../telemetry/request-figures.ts'
import type { TelemetryOptions } from '../telemetry/telemetry.ts'
import type { Workspace } from './workspace.ts'

export interface RequestTelemetry {
  add(request: FinishedRequest): void
  /** Requests whose spans were dropped; null while telemetry is off. */
  dropped(): number | null
  close(): Promise<void>
}

const off: RequestTelemetry = {
  add() {},
  dropped: () => null,
  close: () => Promise.resolve(),
}

export async function startTelemetry(
  { configuration, connectionLog: use, log, now }: Workspace,
  options: TelemetryOptions | undefined,
): Promise<RequestTelemetry> {
  if (options === undefined) return off
  // Loaded here, because only servers need it.
  const { Telemetry } = await import('../telemetry/telemetry.ts')
  const collector = options.url.host
  const telemetry = new Telemetry(options, {
    typeOf: (id) => configuration.current().providers.get(id)?.type ?? null,
    use,
    now,
    onStatus(reason) {
      if (reason === null) log.noted('the collector accepts telemetry again', { collector })
      else log.noted('the collector does not accept telemetry', { collector, reason })
    },
  })
  return {
    add: (request) => telemetry.add(request),
    dropped: () => telemetry.dropped,
    close: () => telemetry.close(),
  }
}
