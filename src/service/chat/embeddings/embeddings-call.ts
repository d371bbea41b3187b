/** One request for embeddings as a caller makes it, and its answer. */
import type { EmbeddingsRequestBody } from '../../../shared/models/embeddings.ts'
import type { Preview } from '../../../shared/routers/preview.ts'
import type { Vector } from '../../providers/embeddings.ts'
import type { QuotaState } from '../admission/quota.ts'
import type { AnswerFigures, ChatCall } from '../chat-call.ts'

export interface EmbeddingsCall extends Pick<
  ChatCall,
  | 'requestId'
  | 'router'
  | 'apiKeyId'
  | 'source'
  | 'acceptAnyModel'
  | 'client'
  | 'requires'
  | 'tag'
  | 'hops'
  | 'traceparent'
  | 'onAdjusted'
  | 'onFallback'
  | 'onHeaders'
> {
  body: EmbeddingsRequestBody
}

export interface FinishedEmbeddings extends AnswerFigures {
  /** Vectors in the order of the inputs and in the encoding that the caller asked for. */
  vectors: readonly Vector[]
}

export interface AdmittedEmbeddings {
  /** Null when the router has no limit. */
  quota: QuotaState | null
  /** Call it once. The signal aborts when the caller disconnects. */
  complete(signal: AbortSignal): Promise<FinishedEmbeddings>
}

export interface CreateEmbeddings {
  /** @throws ServiceError as `CompleteChat.admit` does */
  admit(call: EmbeddingsCall): Promise<AdmittedEmbeddings>
}

/** The decision alone. @throws ServiceError as `CreateEmbeddings.admit` does before the limits */
export type PreviewEmbeddings = (call: EmbeddingsCall) => Preview
