/**
 * The wire types of a chat completion: the request, and the answer, whole and streamed. The schema is written
 * once here; HTTP validation (as JSON Schema) and the types derive from it. Field names and ranges: the
 * specification, sections 2.3 to 2.6, and the OpenAI chat-completions format.
 */
import { z } from 'zod'
import type { StrategyName } from '../routers/strategy-names.ts'

/** Marks the end of a prefix that the provider should cache. */
const cacheControl = z.looseObject({ type: z.string() }).nullable().optional()

/** `text`, `image_url`, `input_audio`, `file` and `refusal`; others go to providers of OpenAI's form only. */
const contentPart = z.looseObject({
  type: z.string(),
  cache_control: cacheControl,
})

/** The type of a tool call decides whether it needs `function` or `custom`; `http/checks/validation.ts` checks it. */
const toolCall = z.looseObject({
  id: z.string(),
  type: z.enum(['function', 'custom']),
  function: z.looseObject({ name: z.string(), arguments: z.string() }).optional(),
  custom: z.looseObject({ name: z.string(), input: z.string() }).optional(),
})

/**
 * One message of the conversation so far. `http/checks/validation.ts` checks which roles need `content`. Roles other than
 * `system`, `developer`, `user`, `assistant`, `tool` and `function` go to providers of OpenAI's form only.
 */
export const chatMessageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.null(), z.array(contentPart)]).optional(),
  name: z.string().optional(),
  tool_calls: z.array(toolCall).optional(),
  tool_call_id: z.string().optional(),
  cache_control: cacheControl,
  /** The tool failed, and its message says why. */
  is_error: z.boolean().nullable().optional(),
  reasoning: z.string().nullable().optional(),
  reasoning_content: z.string().nullable().optional(),
  /** The model's own reasoning as it sent it; docs/decisions/2026-11-22-wires.md lists the forms of items. */
  reasoning_details: z
    .array(z.looseObject({ type: z.string() }))
    .nullable()
    .optional(),
})

const toolDefinition = z.looseObject({ type: z.string(), cache_control: cacheControl })

/**
 * The body of `POST …/chat/completions`. Unknown fields are passed on to providers that speak OpenAI's wire
 * format. Null is accepted where OpenAI's own schema accepts it.
 */
export const chatRequestSchema = z.looseObject({
  messages: z.array(chatMessageSchema).min(1),
  model: z.string().nullable().optional(),
  stream: z.boolean().nullable().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullable().optional(),
  temperature: z.number().min(0).max(2).nullable().optional(),
  top_p: z.number().min(0).max(1).nullable().optional(),
  max_tokens: z.int().min(1).nullable().optional(),
  max_completion_tokens: z.int().min(1).nullable().optional(),
  n: z.int().min(1).max(128).nullable().optional(),
  stop: z
    .union([z.string(), z.array(z.string()).max(4)])
    .nullable()
    .optional(),
  seed: z.int().nullable().optional(),
  presence_penalty: z.number().min(-2).max(2).nullable().optional(),
  frequency_penalty: z.number().min(-2).max(2).nullable().optional(),
  tools: z.array(toolDefinition).nullable().optional(),
  tool_choice: z.union([z.string(), z.looseObject({})]).optional(),
  parallel_tool_calls: z.boolean().nullable().optional(),
  response_format: z
    .looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) })
    .nullable()
    .optional(),
  reasoning_effort: z.string().nullable().optional(),
  /** An exact budget of reasoning; it wins over `reasoning_effort`. */
  reasoning: z
    .looseObject({ max_tokens: z.int().min(1).nullable().optional() })
    .nullable()
    .optional(),
  logprobs: z.boolean().nullable().optional(),
  top_logprobs: z.int().min(0).max(20).nullable().optional(),
  metadata: z.record(z.string(), z.unknown()).nullable().optional(),
  user: z.string().nullable().optional(),
  prompt_cache_key: z.string().nullable().optional(),
})

export type ChatMessage = z.infer<typeof chatMessageSchema>
export type ChatRequest = z.infer<typeof chatRequestSchema>

/** The strategy that chose the model; `pinned` when the request named the model. */
export type RouterDecision = StrategyName | 'pinned'

/** `_meta` of a router's answer: always exactly these five fields, each always of its type. */
export interface RouterMeta {
  /** `<provider>:<model_name>` of the model that answered. */
  modelUsed: string
  /** US dollars. */
  cost: number
  latencyMs: number
  /** Grams of CO2e, the middle estimate. */
  carbonGrams: number
  routerDecision: RouterDecision
}

/** `_meta` of an agent's answer: exactly these six fields (the specification, section 2.6). */
export const agentMetaSchema = z.strictObject({
  execution_id: z.string(),
  agent_name: z.string(),
  /** Steps of the workflow that ran, those without a model too. */
  steps_executed: z.number(),
  /** US dollars, the sum of all steps. */
  total_cost: z.number(),
  /** Milliseconds, from the request to its last token. */
  total_latency: z.number(),
  /** `<provider>:<model_name>`, each once. */
  models_used: z.array(z.string()),
})
export type AgentMeta = z.infer<typeof agentMetaSchema>

/** Unknown fields, passed on unchanged: fields newer than this program, or a vendor's own. */
export type WireFields = Readonly<Record<string, unknown>>

/** Token counts as on the wire; the details are present when the provider reported them. */
export interface ChatUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details?:
    | {
        [field: string]: unknown
        cached_tokens?: number | undefined
        cache_write_tokens?: number | undefined
        /** The part of `cache_write_tokens` that stays in the cache for an hour. */
        cache_write_1h_tokens?: number | undefined
      }
    | undefined
  completion_tokens_details?:
    | { [field: string]: unknown; reasoning_tokens?: number | undefined }
    | undefined
  [field: string]: unknown
}

/**
 * `stop`, `length`, `tool_calls`, `content_filter`, `function_call`, or a provider's own value without an
 * equivalent in OpenAI's API, such as `error`. Mapping that to `stop` would claim success.
 */
export type FinishReason = string

/** An answer's text, or a list of parts, such as text beside a model's thinking. */
export type AnswerContent = string | readonly WireFields[]

/** The text of an answer's content; for a list of parts, the text of its text parts. */
export function contentText(content: AnswerContent | null | undefined): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => textOfPart(part) ?? '').join('')
}

/** What to show of a message: the model's refusal if it refused, else its text. */
export function shownText(message: Partial<CompletionMessage> | undefined): string {
  return message?.refusal ?? contentText(message?.content)
}

/** @returns null for a part of another type */
export function textOfPart({ type, text }: WireFields): string | null {
  return type === 'text' && typeof text === 'string' ? text : null
}

export interface CalledFunctionDelta {
  name?: string
  arguments?: string
  [field: string]: unknown
}

export interface CalledCustomToolDelta {
  name?: string
  input?: string
  [field: string]: unknown
}

export interface ToolCallDelta {
  index: number
  id?: string
  /** `function`, `custom`, or a vendor's own. */
  type?: string
  function?: CalledFunctionDelta
  custom?: CalledCustomToolDelta
  [field: string]: unknown
}

/** The addition of a chunk to one choice. Reasoning text keeps the provider's field name. */
export interface ChatDelta {
  role?: 'assistant'
  content?: AnswerContent | null
  refusal?: string | null
  reasoning?: string | null
  reasoning_content?: string | null
  tool_calls?: ToolCallDelta[]
  [field: string]: unknown
}

export interface ChunkChoice {
  index: number
  delta: ChatDelta
  finish_reason: FinishReason | null
  logprobs?: unknown
  [field: string]: unknown
}

/** One `data:` event of a streamed answer. */
export interface ChatCompletionChunk {
  id: string
  object: 'chat.completion.chunk'
  created: number
  model: string
  choices: ChunkChoice[]
  usage?: ChatUsage | null
  _meta?: RouterMeta | AgentMeta
}

export interface CompletionToolCall {
  id: string
  type: string
  function?: CalledFunctionDelta & { name: string; arguments: string }
  custom?: CalledCustomToolDelta & { name: string; input: string }
  [field: string]: unknown
}

export interface CompletionMessage {
  role: 'assistant'
  content: AnswerContent | null
  /** OpenAI's schema requires it even when it is null. */
  refusal: string | null
  reasoning?: string | null
  reasoning_content?: string | null
  tool_calls?: CompletionToolCall[]
  [field: string]: unknown
}

export interface CompletionChoice {
  index: number
  message: CompletionMessage
  finish_reason: FinishReason
  /** OpenAI's schema requires it even when it is null. */
  logprobs: unknown
  [field: string]: unknown
}

/** The whole body of an answer that is not streamed. */
export interface ChatCompletion {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  choices: CompletionChoice[]
  usage: ChatUsage
  _meta: RouterMeta | AgentMeta
}
