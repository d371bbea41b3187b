/** `GET …/v1/requests/{request_id}`: the record of a request, for the key that sent it. */
import type { FastifyInstance } from 'fastify'
import type { Execution } from '../../../shared/agent.ts'
import type { RequestRecord } from '../../../shared/entities.ts'
import type { RequestDetail } from '../../../shared/request-detail.ts'
import { explainDetail } from '../../chat/explain-detail.ts'
import { ServiceError } from '../../errors.ts'
import type { ExecutionStore, Ledger } from '../../storage/storage.ts'
import type { Caller } from '../auth.ts'
import { callerOf } from '../checked-request.ts'

export interface RequestsOptions {
  ledger: Pick<Ledger, 'get'>
  executions: Pick<ExecutionStore, 'get'>
}

export function requestsRoute(app: FastifyInstance, stores: RequestsOptions): void {
  app.get<{ Params: { requestId: string } }>('/requests/:requestId', (request) =>
    findRequest(request.params.requestId, callerOf(request), stores),
  )
}

/** @throws ServiceError request_not_found, also for a request of another key or router */
async function findRequest(
  id: string,
  { apiKey, router }: Caller,
  { ledger, executions }: RequestsOptions,
): Promise<object> {
  const isTheirs = (owned: Pick<RequestRecord, 'apiKeyId' | 'routerId'>) =>
    owned.apiKeyId === apiKey.id && owned.routerId === router.id
  const found = await ledger.get(id)
  if (found && isTheirs(found.record)) return wireForm(found.record, found.detail)
  const execution = await executions.get(id)
  if (execution && isTheirs(execution)) return executionForm(execution)
  throw new ServiceError('request_not_found', 'This key has no such request on this router.')
}

/** The row of an agent's execution, with the sums over its steps. */
function executionForm(execution: Execution): object {
  const { costNanoUsd, startedAtMs, isStreamed, source: _source, ...rest } = execution
  return {
    object: 'modelport.execution',
    created: Math.floor(startedAtMs / 1000),
    stream: isStreamed,
    cost: costNanoUsd / 1e9,
    ...rest,
  }
}

/** The ledger's row with the API's field names. Streams need it, because their headers are sent before the cost is known. */
function wireForm(record: RequestRecord, detail: RequestDetail | null): object {
  const { costNanoUsd, startedAtMs, isStreamed, source: _source, ...rest } = record
  return {
    object: 'modelport.request',
    created: Math.floor(startedAtMs / 1000),
    stream: isStreamed,
    cost: costNanoUsd / 1e9,
    ...rest,
    detail: detail && explainDetail(detail),
  }
}
