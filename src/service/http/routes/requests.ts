/** `GET …/v1/requests/{request_id}`: what became of a request, for the key that sent it. */
import type { FastifyInstance } from 'fastify'
import type { RequestDetail, RequestRecord } from '../../../shared/entities.ts'
import { ServiceError } from '../../errors.ts'
import type { Ledger } from '../../storage/storage.ts'
import { callerOf } from '../caller.ts'

export interface RequestsOptions {
  ledger: Pick<Ledger, 'get'>
}

/** The ledger's row under the wire's names. A stream's headers leave before its cost is known: here it is. */
function wireForm(record: RequestRecord, detail: RequestDetail | null): object {
  const { costNanoUsd, startedAtMs, isStreamed, source: _source, ...rest } = record
  return {
    object: 'modelport.request',
    created: Math.floor(startedAtMs / 1000),
    stream: isStreamed,
    cost: costNanoUsd / 1e9,
    ...rest,
    detail,
  }
}

export function requestsRoute(app: FastifyInstance, { ledger }: RequestsOptions): void {
  app.get<{ Params: { requestId: string } }>('/requests/:requestId', async (request) => {
    const { apiKey, router } = callerOf(request)
    const found = await ledger.get(request.params.requestId)
    // Another key's or router's request is not told apart from none.
    if (found?.record.apiKeyId !== apiKey.id || found.record.routerId !== router.id) {
      throw new ServiceError('request_not_found', 'This key has no such request on this router.')
    }
    return wireForm(found.record, found.detail)
  })
}
