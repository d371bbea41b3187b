/**
 * The wire types of `POST …/embeddings`: the request and the answer, in OpenAI's form. The schema is written once
 * here; HTTP validation (as JSON Schema) and the types derive from it.
 */
import { z } from 'zod'
import type { RouterMeta } from '../chat/chat.ts'

const text = z.string().min(1)
const tokens = z.array(z.int().min(0)).min(1)
/** Most inputs, as at OpenAI. Some vendors take one text per request, so each input can be a request of its own. */
export const mostInputs = 2_048

/** Unknown fields are passed on to providers that speak OpenAI's form. */
export const embeddingsRequestSchema = z.looseObject({
  input: z.union([
    text,
    tokens,
    z.array(text).min(1).max(mostInputs),
    z.array(tokens).min(1).max(mostInputs),
  ]),
  model: z.string().nullable().optional(),
  dimensions: z.int().min(1).nullable().optional(),
  encoding_format: z.enum(['float', 'base64']).nullable().optional(),
  user: z.string().nullable().optional(),
})
export type EmbeddingsRequestBody = z.infer<typeof embeddingsRequestSchema>

export interface EmbeddingsResponse {
  object: 'list'
  data: { object: 'embedding'; index: number; embedding: readonly number[] | string }[]
  /** `<provider>:<model_name>` */
  model: string
  usage: { prompt_tokens: number; total_tokens: number }
  _meta: RouterMeta
}
