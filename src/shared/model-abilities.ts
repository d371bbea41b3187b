/** What models can and cannot do: the names by which the catalogue, the user and the ledger say it. */
import { z } from 'zod'

/**
 * What a model can be known to do. `json` is both forms of `response_format`; `json_object` the one
 * without a schema, for models that know no other. `n` is several answers at once, `files` parts of the
 * type `file`, `seed` that the provider promises the same answer for the same seed as far as it can.
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
] as const
export type Capability = (typeof capabilityNames)[number]

/** Parameters a model may be known to refuse; all others are passed on to whoever answers. */
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

/** How a request's parameters are made to fit a model. */
export interface ParameterRules {
  /** Left out; of `max_tokens` and `max_completion_tokens` the one that is taken is sent. */
  refuses: readonly RefusableParameter[]
  /** With `reasoning_effort` "none" it takes `temperature` and `top_p` all the same. */
  samplesWithoutReasoning: boolean
  /** Its own default temperature is not 1: an absent one is sent as 1. */
  sendsTemperature: boolean
}

/** A parameter that did not go to the model as the caller wrote it. */
export const adjustmentSchema = z.strictObject({
  parameter: z.string(),
  /** `left_out`, or `sent_as_…` and the name or the value it went out with. */
  change: z.string(),
  reason: z.string(),
})
export type Adjustment = z.infer<typeof adjustmentSchema>
