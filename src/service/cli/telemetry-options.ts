/** The options of `serve` for OpenTelemetry. Only they turn it on: a variable of the shell alone sends nothing. */
import { InvalidArgumentError } from 'commander'
import packageFile from '../../../package.json' with { type: 'json' }
import type { TelemetryOptions } from '../telemetry/telemetry.ts'
import { UsageError, type Cli } from './cli.ts'
import type { ServerOption } from './server-options.ts'

const defaultEndpoint = 'http://localhost:4318'

export const telemetryOptions: readonly ServerOption[] = [
  {
    flags: '--otlp <url|on|off>',
    variable: 'MODELPORT_OTLP',
    description:
      'OpenTelemetry collector for traces and metrics; “on” takes it from OTEL_EXPORTER_OTLP_ENDPOINT',
    read: readCollector,
  },
  {
    flags: '--otlp-sample <ratio>',
    variable: 'MODELPORT_OTLP_SAMPLE',
    description: 'share of traces to send, 0 to 1; 1 by default',
    read: readRatio,
  },
]

export interface TelemetryOptionValues {
  otlp?: URL | 'on' | 'off'
  otlpSample?: number
}

/** @returns undefined while telemetry is off. @throws UsageError for an invalid variable */
export function toTelemetry(
  { otlp = 'off', otlpSample = 1 }: TelemetryOptionValues,
  env: Cli['env'],
): TelemetryOptions | undefined {
  if (otlp === 'off') return undefined
  const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const named = env[endpoint] || defaultEndpoint
  const url = otlp === 'on' ? readUrl(named) : otlp
  if (url === null) throw new UsageError(`${endpoint}: ${expectedUrl}`)
  return {
    url,
    headers: readPairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
    resource: {
      'service.version': packageFile.version,
      'service.instance.id': crypto.randomUUID(),
      ...readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES'),
      'service.name': serviceName(env),
    },
    sampleRatio: otlpSample,
  }
}

function serviceName(env: Cli['env']): string {
  const { 'service.name': named } = readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES')
  return env['OTEL_SERVICE_NAME'] || named || 'modelport'
}

const expectedUrl = 'Expected an address such as http://localhost:4318.'

function readCollector(text: string): URL | 'on' | 'off' {
  if (text === 'on' || text === 'off') return text
  const url = readUrl(text)
  if (url === null) throw new InvalidArgumentError(`${expectedUrl} on and off are allowed, too.`)
  return url
}

function readUrl(text: string): URL | null {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  // A password in the address would be in logs and in the list of processes.
  return url.username === '' && url.password === '' && url.search === '' ? url : null
}

function readRatio(text: string): number {
  const ratio = Number(text)
  if (/^[\d.]+$/.test(text) && ratio >= 0 && ratio <= 1) return ratio
  throw new InvalidArgumentError('Expected a number from 0 to 1.')
}

/** `name=value,name=value`, with percent-encoded values, as OpenTelemetry's SDKs read it. */
function readPairs(env: Cli['env'], variable: string): Record<string, string> {
  const pairs = (env[variable] ?? '').split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? []
      try {
        if (name !== undefined && value !== undefined)
          return [name, decodeURIComponent(value.trim())]
      } catch {
        // Reported below: the value is not percent-encoded.
      }
      throw new UsageError(`${variable}: Expected name=value pairs, separated by commas.`)
    }),
  )
}
