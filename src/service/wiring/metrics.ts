/** Connects the figures of `GET /metrics` to what they count. */
import type { ApiKey } from '../../shared/entities.ts'
import type { Quota } from '../chat/admission/quota.ts'
import type { ActiveRequests } from '../http/answers/active-requests.ts'
import { Metrics } from '../http/metrics/metrics.ts'
import type { SharedState } from '../shared-state/shared-state.ts'
import type { Refusals } from './refusals.ts'
import type { RequestTelemetry } from './telemetry.ts'
import type { Workspace } from './workspace.ts'

export function createMetrics(
  { storage, configuration, deployments, now }: Workspace,
  parts: {
    quota: Quota
    activeRequests: ActiveRequests
    refusals: Refusals
    certificateEndMs(): number
    shared: SharedState
    telemetry: RequestTelemetry
  },
): Metrics {
  const { quota, activeRequests, refusals, shared, telemetry } = parts
  const mayAsk = ({ metrics, revokedAtMs }: ApiKey) => metrics && revokedAtMs === null
  const metrics = new Metrics({
    routers: () => configuration.current().routers.values(),
    isWanted: () => [...configuration.current().apiKeys.values()].some(mayAsk),
    remainingRequests: () => quota.remaining(),
    deployments: () => deployments.standings(),
    openRequests: () => activeRequests.count,
    refusals: () => refusals.totals(),
    certificateEndMs: parts.certificateEndMs,
    leasedMoney: () => storage.budgets.leased,
    sharedState: () => shared.status(),
    storage: () => storage.figures(),
    hasStorageOutage: () => storage.health.outage() !== null,
    configuration: () => ({
      version: configuration.current().version,
      ageMs: configuration.ageMs(),
    }),
    isStopping: () => activeRequests.isStopping,
    droppedSpans: () => telemetry.dropped(),
    now,
  })
  configuration.onChange(() => metrics.keysChanged())
  return metrics
}
