/** The body of Anthropic's `POST /v1/messages`, as far as Modelport reads it. Other fields are passed on. */
import { z } from 'zod'

const block = z.looseObject({ type: z.string() })
const content = z.union([z.string(), z.array(block)])

const tokenCountSchema = z.looseObject({
  model: z.string().nullable().optional(),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content }))
    .min(1),
  system: content.optional(),
  tools: z
    .array(z.looseObject({ type: z.string().nullable().optional(), name: z.string().optional() }))
    .optional(),
  tool_choice: z.looseObject({ type: z.enum(['auto', 'any', 'tool', 'none']) }).optional(),
  thinking: z.looseObject({ type: z.string() }).optional(),
  output_config: z.looseObject({}).nullable().optional(),
})

/** Fields that a request has beyond those of a token count. */
const messagesSchema = z.looseObject({
  ...tokenCountSchema.shape,
  max_tokens: z.int().min(1),
  stream: z.boolean().nullable().optional(),
  temperature: z.number().min(0).max(1).nullable().optional(),
  top_p: z.number().min(0).max(1).nullable().optional(),
  top_k: z.int().min(0).nullable().optional(),
  stop_sequences: z.array(z.string()).nullable().optional(),
})

export type TokenCountRequest = z.infer<typeof tokenCountSchema>
export type MessagesRequest = z.infer<typeof messagesSchema>

export const messagesJsonSchemas = {
  messages: z.toJSONSchema(messagesSchema, { target: 'draft-7', io: 'input' }),
  tokenCount: z.toJSONSchema(tokenCountSchema, { target: 'draft-7', io: 'input' }),
}
