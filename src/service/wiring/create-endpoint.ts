/** Connects the endpoint to the parts that answer its requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { EndpointState } from '../../shared/app/app-state.ts'
import type { CertificateEnds } from '../../shared/app/certificate-ends.ts'
import type { Settings } from '../../shared/app/settings.ts'
import { withPriceOfToday } from '../catalog/price-schedule.ts'
import type { Quota } from '../chat/admission/quota.ts'
import type { ActiveRequests } from '../http/answers/active-requests.ts'
import { ServiceError } from '../errors.ts'
import type { Log } from '../data-folder/log.ts'
import type { CertificateFiles } from '../http/sockets/certificate-files.ts'
import { defaultConnectionLimit } from '../http/sockets/connection-limit.ts'
import { Endpoint, type EndpointOptions } from '../http/sockets/endpoint.ts'
import type { Metrics } from '../http/metrics/metrics.ts'
import { defaultStallMs } from '../http/sockets/stalled-reader.ts'
import { openTrustedProxies } from '../http/sockets/trusted-proxies.ts'
import { WrongKeyDelay } from '../http/checks/wrong-key-delay.ts'
import { createIds } from '../ids.ts'
import { isEligible } from '../routing/constraints.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import type { StorageOutage } from '../storage/maintenance.ts'
import type { AnswerMemory } from './answer-memory.ts'
import type { Refusals } from './refusals.ts'
import type { RefusedOrigins } from './refused-origins.ts'
import type { RequestPath } from './request-path.ts'
import type { UnexpectedCalls } from './unexpected-calls.ts'
import type { Workspace } from './workspace.ts'

export interface EndpointLimits {
  /** How the endpoint is reached over the network; the default is not at all. */
  network?: NetworkOptions | undefined
  /** Extra host names, besides those in the settings. */
  hosts?: readonly string[] | undefined
  /** How long a stream's reader may read nothing while data is waiting; 60 s by default. */
  stallMs?: number | undefined
  /** Connections that may be open at once; 12,000 by default. */
  connectionLimit?: number | undefined
  /** How long answers to wrong keys wait when an address sends many; 250 ms by default. */
  wrongKeyDelayMs?: number | undefined
}

export interface NetworkOptions {
  /** An address of this computer for HTTPS, such as 0.0.0.0. */
  bind?: string | undefined
  /** The same for plain HTTP, which only trusted proxies may use. */
  httpBind?: string | undefined
  /** Addresses and ranges of proxies whose `X-Forwarded-…` headers are read. */
  trustedProxies?: readonly string[] | undefined
  /** The operator's certificate for all names except `localhost`. */
  certificateFiles?: CertificateFiles | undefined
  /** How often these files are read again; 5 s by default. */
  certificateCheckMs?: number | undefined
}

interface EndpointParts {
  workspace: Workspace
  requestPath: RequestPath
  activeRequests: ActiveRequests
  memory: AnswerMemory
  metrics: Metrics
  quota: Quota
  refusedOrigins: RefusedOrigins
  refusals: Refusals
  unexpectedCalls: Pick<UnexpectedCalls, 'noteKeyUse'>
}

/** Creates the endpoint; it does not listen yet. */
export async function createEndpoint(
  options: EndpointLimits & { dataDir: string },
  parts: EndpointParts,
): Promise<Endpoint> {
  const { workspace, requestPath, activeRequests, memory, metrics, quota } = parts
  const { answerChat, previewChat, countTokens, embeddings, previewEmbeddings } = requestPath
  const { refusedOrigins, refusals, unexpectedCalls } = parts
  const { configuration, events, problems, log, now } = workspace
  const { network = {} } = options
  await problems.start()
  const endpoint = await Endpoint.create({
    dataDir: options.dataDir,
    answerChat,
    previewChat,
    countTokens,
    embeddings,
    previewEmbeddings,
    activeRequests,
    idempotency: memory.idempotency,
    recordings: memory.recordings,
    quotaState: (router) => quota.state(router),
    metrics,
    now,
    ...configured(configuration, options.hosts),
    onRefused: (request) => refusals.note(request),
    onKeyUse: (use) => unexpectedCalls.noteKeyUse(use),
    onRefusal(refusal) {
      const { kind, detail } = refusal
      if (kind === 'origin_refused' && detail !== null) refusedOrigins.add(detail)
      problems.add(refusal)
    },
    ...networkOf(network, log),
    unreadiness: () =>
      activeRequests.unreadiness() ?? storageUnreadiness(workspace.storage.health.outage()),
    ledger: workspace.storage.ledger,
    executions: workspace.storage.executions,
    refusals: workspace.storage.refusals,
    modelsOf: (router) => workspace.modelsOf(router).map((model) => withPriceOfToday(model, now())),
    eligibleModelsOf: (router) =>
      workspace.candidatesOf(router).filter((one) => isEligible(one, router.routing)),
    stallMs: options.stallMs ?? defaultStallMs,
    connectionLimit: options.connectionLimit ?? defaultConnectionLimit,
    wrongKeyDelay: new WrongKeyDelay({ wait: () => delay(options.wrongKeyDelayMs), now }),
    newRequestId: createIds(now),
    onBug: (error, requestId) => log.failed('http', error, requestId),
    onState(state) {
      if (state.status === 'failed') {
        log.noted('the endpoint does not listen', { message: state.message })
      }
      workspace.endpoint.update(state, network.certificateFiles?.certFile ?? null)
      events.emit('endpoint', state)
    },
  })
  workspace.outbound.refuseOwnPorts(() => portsOf(endpoint.state()))
  configuration.onChange((before, { settings: { allowedHosts } }) => {
    if (before.settings.allowedHosts.join() !== allowedHosts.join()) endpoint.hostsChanged()
  })
  return endpoint
}

function configured(
  configuration: LiveConfiguration,
  hosts: readonly string[] = [],
): Pick<
  EndpointOptions,
  | 'configuration'
  | 'compareConfiguration'
  | 'extraHosts'
  | 'allowedOrigins'
  | 'isFastLaneOn'
  | 'bodyLimitBytes'
> {
  const settings = () => configuration.current().settings
  return {
    configuration: () => configuration.current(),
    compareConfiguration: () => configuration.compare(),
    extraHosts: () => [...settings().allowedHosts, ...hosts],
    allowedOrigins: () => settings().allowedOrigins,
    isFastLaneOn: () => settings().fastLane,
    bodyLimitBytes: () => settings().bodyLimitMib * 1024 * 1024,
  }
}

function networkOf(
  network: NetworkOptions,
  log: Log,
): Pick<
  EndpointOptions,
  | 'bind'
  | 'httpBind'
  | 'proxies'
  | 'certificateFiles'
  | 'certificateCheckMs'
  | 'onCertificateProblem'
> {
  return {
    bind: network.bind ?? null,
    httpBind: network.httpBind ?? null,
    proxies: openTrustedProxies(network.trustedProxies ?? []),
    certificateFiles: network.certificateFiles ?? null,
    certificateCheckMs: network.certificateCheckMs ?? 5_000,
    onCertificateProblem: (message) =>
      log.noted('the new certificate is not used; the endpoint keeps the one before', { message }),
  }
}

/** Error of `/readyz` during an outage: new requests would be refused, because their rows could not be stored. */
function storageUnreadiness(outage: StorageOutage | null): ServiceError | null {
  if (outage === null) return null
  const headers = { 'retry-after': '5' }
  return new ServiceError('storage_unavailable', 'The database cannot be written.', { headers })
}

/** Resolves after a delay that does not keep the process alive. */
function delay(delayMs = 250): Promise<void> {
  return sleep(delayMs, undefined, { ref: false })
}

function portsOf(state: EndpointState): number[] {
  if (state.status !== 'listening') return []
  return [state.url, state.httpUrl].flatMap((url) =>
    url === null ? [] : Number(new URL(url).port),
  )
}

/** What the service says of its endpoint and its settings. */
export function stateOf(
  endpoint: Endpoint,
  configuration: Workspace['configuration'],
): {
  endpoint: () => EndpointState
  settings: () => Settings
  certificateEnds: () => CertificateEnds
} {
  return {
    endpoint: () => endpoint.state(),
    settings: () => configuration.current().settings,
    certificateEnds: () => endpoint.certificateEnds(),
  }
}
