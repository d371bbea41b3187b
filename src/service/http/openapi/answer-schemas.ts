/** The answers of the API as schemas, for its description. test/rules/openapi.test.ts checks real answers against them. */
import { z } from 'zod'
import { agentMetaSchema } from '../../../shared/chat/chat.ts'
import { capabilityNames } from '../../../shared/models/model-abilities.ts'
import { previewSchema } from '../../../shared/routers/preview.ts'
import { explainedDetailSchema } from '../../../shared/requests/detail.ts'
import { errorCodes } from '../../errors.ts'

const decision = explainedDetailSchema
const routerMeta = z.strictObject({
  modelUsed: z.string().describe('`<provider>:<model_name>` of the model that answered'),
  cost: z.number().describe('US dollars'),
  latencyMs: z.number().describe('milliseconds'),
  carbonGrams: z.number().describe('grams of CO2e'),
  routerDecision: explainedDetailSchema.shape.strategy,
  decision: decision.optional().describe('with `x-modelport-explain: true`'),
})
const meta = z.union([
  routerMeta,
  agentMetaSchema.extend({ decision: z.looseObject({}).optional() }),
])

const usage = z.looseObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
})
const answered = {
  id: z.string(),
  created: z.int().describe('Unix seconds'),
  model: z.string().describe('`<provider>:<model_name>` or `agent:<slug>`'),
}
const message = z.looseObject({
  role: z.literal('assistant'),
  content: z.union([z.string(), z.array(z.looseObject({}))]).nullable(),
  refusal: z.string().nullable(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string(),
        type: z.string(),
        function: z.looseObject({ name: z.string(), arguments: z.string() }).optional(),
      }),
    )
    .optional(),
})

const chatCompletion = z.looseObject({
  ...answered,
  object: z.literal('chat.completion'),
  choices: z.array(
    z.looseObject({ index: z.int(), message, finish_reason: z.string(), logprobs: z.unknown() }),
  ),
  usage,
  _meta: meta,
})

const chatCompletionChunk = z.looseObject({
  ...answered,
  object: z.literal('chat.completion.chunk'),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      delta: z.looseObject({}),
      finish_reason: z.string().nullable(),
    }),
  ),
  usage: usage.nullable().optional(),
  _meta: meta.optional(),
})

const textChoice = z.strictObject({
  text: z.string(),
  index: z.int(),
  logprobs: z
    .strictObject({
      tokens: z.array(z.string()),
      token_logprobs: z.array(z.number().nullable()),
      top_logprobs: z.array(z.record(z.string(), z.number())),
      text_offset: z.array(z.int()),
    })
    .nullable(),
  finish_reason: z.string().nullable(),
})

/** Whole and as a chunk of a stream, which has the usage only when it was asked for. */
const textCompletion = z.looseObject({
  ...answered,
  object: z.literal('text_completion'),
  choices: z.array(textChoice),
  usage: usage.nullable().optional(),
  _meta: meta.optional(),
})

const anthropicMessage = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullable(),
  stop_sequence: z.string().nullable(),
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
  _meta: meta,
})

const response = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  status: z.string(),
  model: z.string(),
  output: z.array(z.looseObject({ type: z.string() })),
  usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }),
  _meta: meta,
})

const embeddings = z.strictObject({
  object: z.literal('list'),
  data: z.array(
    z.strictObject({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string().describe('base64')]),
    }),
  ),
  model: z.string(),
  usage: z.strictObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
  _meta: routerMeta,
})

const capabilities = z.array(z.enum(capabilityNames))
const tokenLimit = z.int().nullable()

const openAiModel = z.strictObject({
  id: z.string().describe('a value of `model` in requests'),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  name: z.string(),
  context_length: tokenLimit.optional(),
  top_provider: z
    .strictObject({ context_length: tokenLimit, max_completion_tokens: tokenLimit })
    .optional(),
  architecture: z
    .strictObject({ input_modalities: z.array(z.string()), output_modalities: z.array(z.string()) })
    .optional(),
  pricing: z
    .strictObject({
      prompt: z.string(),
      completion: z.string(),
      input_cache_read: z.string().optional(),
      input_cache_write: z.string().optional(),
    })
    .nullable()
    .optional()
    .describe('US dollars per token as decimal strings'),
  supported_parameters: z.array(z.string()).optional(),
  capabilities: capabilities.optional(),
  capabilities_of_all: capabilities.optional().describe('`auto` only'),
})

const anthropicModel = z.strictObject({
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: z.iso.datetime(),
  max_input_tokens: tokenLimit,
  max_tokens: tokenLimit,
  capabilities: z.looseObject({}).nullable(),
  capabilities_of_all: z.looseObject({}).optional(),
  lifecycle: z.literal('active'),
  deprecated_at: z.null(),
  retires_at: z.null(),
  line: z.null(),
})

const requestRecord = z.looseObject({
  object: z.enum(['modelport.request', 'modelport.execution']),
  id: z.string(),
  routerId: z.string(),
  created: z.int(),
  stream: z.boolean(),
  cost: z.number().describe('US dollars'),
})

const error = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.enum(errorCodes),
    resets_at: z.int().optional().describe('Unix seconds, for a daily limit at `/responses`'),
  }),
})

const anthropicError = z.strictObject({
  type: z.literal('error'),
  error: z.strictObject({ type: z.string(), message: z.string() }),
  request_id: z.string(),
})

const geminiResponse = z.looseObject({
  candidates: z.array(z.looseObject({ index: z.int(), finishReason: z.string().optional() })),
  usageMetadata: z.looseObject({ totalTokenCount: z.int() }).optional(),
  modelVersion: z.string(),
  responseId: z.string(),
  _meta: meta.optional(),
})
const googleError = z.strictObject({
  error: z.strictObject({
    code: z.int(),
    message: z.string(),
    status: z.string(),
    details: z.array(z.looseObject({ '@type': z.string() })),
  }),
})

export const answerSchemas = {
  ChatCompletion: chatCompletion,
  ChatCompletionChunk: chatCompletionChunk,
  TextCompletion: textCompletion,
  Message: anthropicMessage,
  Response: response,
  Embeddings: embeddings,
  TokenCount: z.strictObject({ input_tokens: z.int() }),
  GenerateContentResponse: geminiResponse,
  GenerateContentResponseList: z.array(geminiResponse),
  GeminiTokenCount: z.strictObject({ totalTokens: z.int() }),
  Model: openAiModel,
  ModelList: z.strictObject({ object: z.literal('list'), data: z.array(openAiModel) }),
  AnthropicModel: anthropicModel,
  AnthropicModelPage: z.strictObject({
    data: z.array(anthropicModel),
    has_more: z.boolean(),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
  }),
  Preview: previewSchema,
  RequestRecord: requestRecord,
  Decision: decision,
  RouterMeta: routerMeta,
  Error: error,
  AnthropicError: anthropicError,
  GoogleError: googleError,
}

export type AnswerName = keyof typeof answerSchemas
