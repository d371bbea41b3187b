/** `GET …/v1/requests/{request_id}`: the record of a request, for the key that sent it. */
import type { FastifyInstance } from 'fastify'
import type { Execution } from '../../../shared/agents/agent.ts'
import type { RequestRecord } from '../../../shared/entities.ts'
import type { RequestDetail } from '../../../shared/requests/detail.ts'
import { explainDetail } from '../../chat/explain-detail.ts'
import { ServiceError, statusOf } from '../../errors.ts'
import type { RefusedRequest } from '../../../shared/requests/refusal.ts'
import type { RefusalStore } from '../../storage/refusal-store.ts'
import type { ExecutionStore } from '../../storage/execution-store.ts'
import type { Ledger } from '../../storage/storage.ts'
import type { Caller } from '../checks/auth.ts'
import { callerOf } from '../checks/checked-request.ts'

export interface RequestsOptions {
  ledger: Pick<Ledger, 'get'>
  executions: Pick<ExecutionStore, 'get'>
  refusals: Pick<RefusalStore, 'get'>
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
  { ledger, executions, refusals }: RequestsOptions,
): Promise<object> {
  const isTheirs = (owned: Pick<RequestRecord, 'apiKeyId' | 'routerId'>) =>
    owned.apiKeyId === apiKey.id && owned.routerId === router.id
  const found = await ledger.get(id)
  if (found && isTheirs(found.record)) return wireForm(found.record, found.detail)
  const execution = await executions.get(id)
  if (execution && isTheirs(execution)) return executionForm(execution)
  const refused = await refusals.get(id)
  if (refused?.apiKeyId === apiKey.id) return refusedForm(refused)
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

/** The form of a request refused before a model was tried. Its key finds it under any router that it may use. */
function refusedForm({ atMs, code, ...rest }: RefusedRequest): object {
  return {
    object: 'modelport.refusal',
    created: Math.floor(atMs / 1000),
    ...rest,
    status: statusOf(code),
    errorCode: code,
  }
}

/** The ledger's row with the API's field names. Streams need it, because their headers are sent before the cost is known. */
function wireForm(record: RequestRecord, detail: RequestDetail): object {
  const { costNanoUsd, startedAtMs, isStreamed, source: _source, ...rest } = record
  return {
    object: 'modelport.request',
    created: Math.floor(startedAtMs / 1000),
    stream: isStreamed,
    cost: costNanoUsd / 1e9,
    ...rest,
    detail: explainDetail(detail),
  }
}
