/** The body of OpenAI's `POST /v1/responses`, as far as Modelport reads it. Other fields are passed on. */
import { z } from 'zod'

const item = z.looseObject({
  type: z.string().nullable().optional(),
  role: z.string().nullable().optional(),
})
const named = z.looseObject({ type: z.string(), name: z.string().optional() })

const responsesSchema = z.looseObject({
  model: z.string().nullable().optional(),
  input: z.union([z.string(), z.array(item)]).optional(),
  instructions: z.string().nullable().optional(),
  stream: z.boolean().nullable().optional(),
  store: z.boolean().nullable().optional(),
  background: z.boolean().nullable().optional(),
  previous_response_id: z.string().nullable().optional(),
  conversation: z
    .union([z.string(), z.looseObject({})])
    .nullable()
    .optional(),
  prompt: z.looseObject({ id: z.string() }).nullable().optional(),
  tools: z.array(named).nullable().optional(),
  tool_choice: z
    .union([z.string(), z.looseObject({ type: z.string() })])
    .nullable()
    .optional(),
  parallel_tool_calls: z.boolean().nullable().optional(),
  reasoning: z.looseObject({ effort: z.string().nullable().optional() }).nullable().optional(),
  text: z
    .looseObject({
      format: z
        .looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) })
        .nullable()
        .optional(),
    })
    .nullable()
    .optional(),
  max_output_tokens: z.int().min(1).nullable().optional(),
  temperature: z.number().min(0).max(2).nullable().optional(),
  top_p: z.number().min(0).max(1).nullable().optional(),
  top_logprobs: z.int().min(0).max(20).nullable().optional(),
  include: z.array(z.string()).nullable().optional(),
  metadata: z.record(z.string(), z.unknown()).nullable().optional(),
  prompt_cache_key: z.string().nullable().optional(),
})

export type ResponsesRequest = z.infer<typeof responsesSchema>
export type InputItem = z.infer<typeof item>

export const responsesJsonSchema = z.toJSONSchema(responsesSchema, {
  target: 'draft-7',
  io: 'input',
})
