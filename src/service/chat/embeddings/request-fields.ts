import type { EmbeddingsRequestBody } from '../../../shared/models/embeddings.ts'
import type { Adjustment } from '../../../shared/models/model-abilities.ts'
import type { EmbeddingsRequest } from '../../providers/embeddings.ts'
import { leaveOutPrivileges } from '../attempts/adjust.ts'

type SentFields = Pick<EmbeddingsRequest, 'dimensions' | 'encoding' | 'fields'>

/** What a provider gets of the caller's body besides model and input. */
export function readFields(body: EmbeddingsRequestBody): SentFields & { adjusted: Adjustment[] } {
  const { input: _input, model: _model, dimensions, encoding_format, ...others } = body
  const fields: Record<string, unknown> = { ...others }
  const adjusted = leaveOutPrivileges(fields)
  return { dimensions: dimensions ?? null, encoding: encoding_format ?? 'float', fields, adjusted }
}
