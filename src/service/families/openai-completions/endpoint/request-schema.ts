/** The body of OpenAI's legacy `POST /v1/completions`. Other fields are passed on as at chat completions. */
import { z } from 'zod'
import { chatRequestSchema } from '../../../../shared/chat/chat.ts'

const {
  messages: _messages,
  tools: _tools,
  tool_choice: _toolChoice,
  parallel_tool_calls: _parallelToolCalls,
  top_logprobs: _topLogprobs,
  ...common
} = chatRequestSchema.shape

const tokens = z.array(z.int())

const completionsSchema = z.looseObject({
  ...common,
  prompt: z.union([z.string(), z.array(z.string()), tokens, z.array(tokens)]),
  suffix: z.string().nullable().optional(),
  echo: z.boolean().nullable().optional(),
  best_of: z.int().min(0).max(20).nullable().optional(),
  /** The number of likely alternatives for each token, beside the token itself. */
  logprobs: z.int().min(0).max(5).nullable().optional(),
})
export type CompletionsRequest = z.infer<typeof completionsSchema>

export const completionsJsonSchema = z.toJSONSchema(completionsSchema, {
  target: 'draft-7',
  io: 'input',
})
