/** Whether a connection works: the first and the last request with its key, and what was refused. */
import type { ConnectionStatus, SeenRequest } from '../../shared/app/connect.ts'
import type { ApiKey } from '../../shared/entities.ts'
import { recogniseClient } from '../connect/recognise-client.ts'
import type { DetailedRequest } from '../storage/storage.ts'
import { DashboardError, type DashboardOptions } from './dashboard.ts'

type StatusOptions = Pick<
  DashboardOptions,
  'configuration' | 'store' | 'connect' | 'ledger' | 'now'
>

/** How long a copied key may wait for its first use; an older one without a use is not searched for in the ledger. */
export const unusedAfterMs = 3_600_000

/** @param prepared  a connection of this process whose key may not work yet */
export async function statusOf(
  id: string,
  options: StatusOptions,
  prepared: { openedAtMs: number } | undefined,
): Promise<ConnectionStatus> {
  const key = options.configuration.current().apiKeys.get(id)
  if (!key && prepared) {
    const problems = await options.connect.problems.list()
    const since = problems.filter(({ lastAtMs }) => lastAtMs >= prepared.openedAtMs)
    return { first: null, last: null, problems: since }
  }
  if (!key) throw new DashboardError('not_found', `There is no key "${id}".`, 'id')
  const stored = (await options.store.read()).apiKeys.find((each) => each.id === id) ?? key
  const ends = await endsOf(stored, options)
  const problems = await options.connect.problems.list()
  return {
    first: ends && seen(ends.first),
    last: ends && seen(ends.last),
    problems: problems.filter(({ lastAtMs }) => lastAtMs >= key.createdAtMs),
  }
}

/** The key's requests; the time of its last use is stored some seconds later than they are. */
export async function endsOf(
  key: ApiKey,
  { ledger, now }: Pick<DashboardOptions, 'ledger' | 'now'>,
): Promise<{ first: DetailedRequest; last: DetailedRequest } | null> {
  const isOld = key.createdAtMs < now() - unusedAfterMs
  if (key.lastUsedAtMs === null && isOld) return null
  return ledger.endsOfKey({ apiKeyId: key.id, sinceMs: key.createdAtMs })
}

function seen({ record, detail }: DetailedRequest): SeenRequest {
  const { id, startedAtMs, status, errorCode, modelUsed, latencyMs } = record
  const { client } = detail
  const costUsd = record.costNanoUsd / 1e9
  const request = { id, startedAtMs, status, errorCode, modelUsed, costUsd, latencyMs }
  return { ...request, client, tool: recogniseClient(client) }
}
