/** What models can and cannot do, by the names that the catalogue, the user and the ledger share. */
import { z } from 'zod'

/**
 * The capabilities of models. `json` means both forms of `response_format`; `json_object` means the form
 * without a schema, for models that support no other. `n` means several answers at once, `files` means parts of
 * the type `file`, and `seed` means that the provider promises the same answer for the same seed as far as it
 * can. `embeddings` means a model that makes vectors of texts and cannot chat.
 */
export const capabilityNames = [
  'tools',
  'vision',
  'audio',
  'json',
  'json_object',
  'files',
  'n',
  'logprobs',
  'seed',
  'embeddings',
] as const
export type Capability = (typeof capabilityNames)[number]

/** Whether it makes vectors of texts. Such a model never chats, and any other model never makes vectors. */
export function makesEmbeddings({
  capabilities,
}: {
  capabilities: readonly Capability[]
}): boolean {
  return capabilities.includes('embeddings')
}

/** Parameters that a model may refuse; all others are passed on to every model. */
export const refusableParameters = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'seed',
  'max_tokens',
  'max_completion_tokens',
] as const
export type RefusableParameter = (typeof refusableParameters)[number]

/** How the parameters of a request are adapted to a model. */
export interface ParameterRules {
  /**
   * Removed from the request. Of `max_tokens` and `max_completion_tokens`, the one that the model accepts is
   * sent.
   */
  refuses: readonly RefusableParameter[]
  /** True if the model still accepts `temperature` and `top_p` with `reasoning_effort` "none". */
  samplesWithoutReasoning: boolean
  /** The default temperature is not known to be 1, so an absent one is sent as 1. */
  sendsTemperature: boolean
}

/** A parameter that was changed or removed before the request went to the model. */
export const adjustmentSchema = z.strictObject({
  parameter: z.string(),
  /** `left_out`, or `sent_as_…` with the name or value that was sent. */
  change: z.string(),
  reason: z.string(),
})
export type Adjustment = z.infer<typeof adjustmentSchema>
