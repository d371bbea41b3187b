/** The figures of a finished request that telemetry sends: no prompt, answer or key, and no label of the caller. */
import type { RequestRecord } from '../../shared/entities.ts'
import type { AttemptRecord, RequestDetail } from '../../shared/requests/detail.ts'

export interface FinishedRequest {
  record: RequestRecord
  detail: RequestDetail
  /** The W3C header of the caller; null without a valid one. */
  traceparent: string | null
}

/** Telemetry's names of the provider types that the GenAI conventions know. */
const conventionalNames: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
}

export type ProviderTypeOf = (providerId: string) => string | null

export type Attributes = Record<string, string | number | null>

/** Attributes of an attempt in spans and histograms. */
export function attemptAttributes(
  { detail, attempt }: { detail: RequestDetail; attempt: AttemptRecord },
  typeOf: ProviderTypeOf,
): Attributes {
  const { provider, name } = modelNames(attempt.model, typeOf)
  return {
    'gen_ai.operation.name': operationOf(detail),
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': name,
    'error.type': attemptError(attempt),
  }
}

/** Attributes of a request in spans and histograms; null for a model that did not answer. */
export function answerAttributes(
  { record, detail }: Pick<FinishedRequest, 'record' | 'detail'>,
  typeOf: ProviderTypeOf,
): Attributes {
  const answered = record.modelUsed === null ? null : modelNames(record.modelUsed, typeOf)
  return {
    'gen_ai.operation.name': operationOf(detail),
    'gen_ai.provider.name': answered?.provider ?? null,
    'gen_ai.response.model': answered?.name ?? null,
  }
}

/** `gen_ai.provider.name` and `gen_ai.request.model` of `<provider>:<model name>`. */
export function modelNames(
  model: string,
  typeOf: ProviderTypeOf,
): { provider: string; name: string } {
  const colon = model.indexOf(':')
  const id = model.slice(0, colon)
  const type = typeOf(id) ?? id
  return { provider: conventionalNames[type] ?? type, name: model.slice(colon + 1) }
}

export function operationOf({ decision }: RequestDetail): 'chat' | 'embeddings' {
  return decision.needs.includes('embeddings') ? 'embeddings' : 'chat'
}

/** @returns null for a request that was answered */
export function requestError({ status, errorCode }: RequestRecord): string | null {
  return status < 400 ? null : (errorCode ?? String(status))
}

const goodOutcomes: ReadonlySet<string> = new Set(['answered', 'accepted', 'not_accepted', 'lost'])

/** @returns null for an attempt that was answered, or cut off because another one answered first */
export function attemptError({ outcome }: AttemptRecord): string | null {
  return goodOutcomes.has(outcome) ? null : outcome
}

/** Tokens of all paid answers of the request. */
export function tokenTotals({ tokens }: RequestDetail): { input: number; output: number } {
  return {
    input: tokens.input + (tokens.cacheRead ?? 0) + (tokens.cacheWrite ?? 0),
    output: tokens.output + (tokens.reasoning ?? 0),
  }
}
