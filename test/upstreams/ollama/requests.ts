/**
 * The requests that Ollama accepts, from docs/openapi.yaml and, for `truncate`, `shift`, `tool_name` and the ids of
 * tool calls, from api/types.go of github.com/ollama/ollama (MIT), 2026-11-22. Fields that it does not have are
 * refused, although the real server ignores them: a field that is ignored is a mistake of ours.
 */
import { z } from 'zod'

const optionsSchema = z.strictObject({
  seed: z.int().optional(),
  temperature: z.number().optional(),
  top_k: z.int().optional(),
  top_p: z.number().optional(),
  min_p: z.number().optional(),
  stop: z.array(z.string()).optional(),
  num_ctx: z.int().optional(),
  num_predict: z.int().optional(),
  presence_penalty: z.number().optional(),
  frequency_penalty: z.number().optional(),
  repeat_penalty: z.number().optional(),
})

const toolCallSchema = z.strictObject({
  id: z.string().optional(),
  function: z.strictObject({
    name: z.string().min(1),
    arguments: z.record(z.string(), z.unknown()),
  }),
})

const messageSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  thinking: z.string().optional(),
  images: z.array(z.base64()).optional(),
  tool_calls: z.array(toolCallSchema).optional(),
  tool_name: z.string().optional(),
  tool_call_id: z.string().optional(),
})

const toolSchema = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string(),
    description: z.string().optional(),
    parameters: z.looseObject({}).optional(),
  }),
})

export const chatRequestSchema = z.strictObject({
  model: z.string().min(1),
  messages: z.array(messageSchema),
  tools: z.array(toolSchema).optional(),
  format: z.union([z.literal('json'), z.looseObject({})]).optional(),
  options: optionsSchema.optional(),
  stream: z.boolean(),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).optional(),
  keep_alive: z.union([z.string(), z.number()]).optional(),
  truncate: z.boolean().optional(),
  shift: z.boolean().optional(),
  logprobs: z.boolean().optional(),
  top_logprobs: z.int().min(0).max(20).optional(),
})
export type OllamaChatRequest = z.infer<typeof chatRequestSchema>

export const showRequestSchema = z.strictObject({ model: z.string().min(1) })

export const embedRequestSchema = z.strictObject({
  model: z.string().min(1),
  input: z.array(z.string()),
  truncate: z.boolean().optional(),
  dimensions: z.int().min(1).optional(),
  keep_alive: z.union([z.string(), z.number()]).optional(),
  options: z.record(z.string(), z.unknown()).optional(),
})
