/** A chat request in the form of OpenAI's Responses API. Types: the package `openai`. */
import type {
  FunctionTool,
  CustomTool,
  ResponseCreateParamsBase,
  ResponseFormatTextConfig,
  ResponseIncludable,
  Tool,
} from 'openai/resources/responses/responses'
import type { ChatRequest, WireFields } from '../../../../shared/chat/chat.ts'
import type { ProviderRequest } from '../../../providers/provider.ts'
import { fieldsOf, listOf, textOrNull } from '../../../json-fields.ts'
import { inputItems } from './input-items.ts'
import { hasReasoning } from './served-models.ts'

/** Fields with the same name and meaning in both forms. */
export const sameFields = [
  'temperature',
  'top_p',
  'metadata',
  'user',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'parallel_tool_calls',
  'moderation',
] as const

/** @throws ProviderError `request` for a message that the form cannot carry */
export function toRequestBody(
  { body, model }: ProviderRequest,
  isStreamed: boolean,
): ResponseCreateParamsBase {
  const limit = body.max_completion_tokens ?? body.max_tokens ?? null
  const effort = reasoningOf(body)
  const text = textOf(body)
  const choice = toolChoiceOf(body.tool_choice)
  return {
    ...given(body),
    model,
    input: inputItems(body.messages),
    // Modelport keeps no state at the provider, so the reasoning comes back encrypted.
    store: false,
    include: includes(body, model),
    ...(limit !== null && { max_output_tokens: Math.max(limit, leastOutputTokens) }),
    ...(effort !== null && { reasoning: effort }),
    ...(text !== null && { text }),
    ...(body.tools && body.tools.length > 0 && { tools: body.tools.map(toTool) }),
    ...(choice !== null && { tool_choice: choice }),
    ...(body.logprobs === true && { top_logprobs: body.top_logprobs ?? 0 }),
    ...(isStreamed && { stream: true, stream_options: { include_obfuscation: false } }),
  }
}

/** The API refuses smaller limits. */
export const leastOutputTokens = 16

function given(body: ChatRequest): WireFields {
  const fields: Record<string, unknown> = {}
  for (const name of sameFields) if ((body[name] ?? null) !== null) fields[name] = body[name]
  return fields
}

function includes(body: ChatRequest, model: string): ResponseIncludable[] {
  return [
    ...(hasReasoning(model) ? (['reasoning.encrypted_content'] as const) : []),
    ...(body.logprobs === true ? (['message.output_text.logprobs'] as const) : []),
  ]
}

type Reasoning = NonNullable<ResponseCreateParamsBase['reasoning']>

/** The effort of the chat form, and a summary if the caller asks for one. */
function reasoningOf(body: ChatRequest): Reasoning | null {
  const { effort, summary } = fieldsOf(body['reasoning'])
  const chosen = {
    ...fieldIfText('effort', body.reasoning_effort ?? effort),
    ...fieldIfText('summary', summary),
  }
  // The vendor checks the values, which grow with its models.
  return Object.keys(chosen).length === 0 ? null : chosen
}

function fieldIfText(name: string, value: unknown): Record<string, string> {
  return typeof value === 'string' ? { [name]: value } : {}
}

function textOf(body: ChatRequest): WireFields | null {
  const format = formatOf(body.response_format)
  const text = { ...fieldIfText('verbosity', body['verbosity']), ...(format && { format }) }
  return Object.keys(text).length === 0 ? null : text
}

/** The chat form nests the schema in a field of its own. */
function formatOf(format: ChatRequest['response_format']): ResponseFormatTextConfig | null {
  if (!format) return null
  if (format.type !== 'json_schema') return { type: format.type }
  const { name, schema, description, strict } = fieldsOf(format['json_schema'])
  return {
    type: 'json_schema',
    name: textOrNull(name) ?? 'answer',
    schema: fieldsOf(schema),
    ...(typeof description === 'string' && { description }),
    ...(typeof strict === 'boolean' && { strict }),
  }
}

type ChatTool = NonNullable<ChatRequest['tools']>[number]

/** Tools of OpenAI's own, such as web search, have the same form. */
function toTool(tool: ChatTool): Tool {
  if (tool.type === 'function') return toFunctionTool(fieldsOf(tool['function']))
  if (tool.type === 'custom') return toCustomTool(fieldsOf(tool['custom']))
  return tool as unknown as Tool
}

/** A function tool. The API's own default is strict, which would refuse most schemas. */
function toFunctionTool({ name, description, parameters, strict }: WireFields): FunctionTool {
  return {
    type: 'function',
    name: textOrNull(name) ?? '',
    parameters: parameters === undefined ? null : { ...fieldsOf(parameters) },
    strict: strict === true,
    ...(typeof description === 'string' && { description }),
  }
}

function toCustomTool({ name, description, format }: WireFields): CustomTool {
  const { type, grammar } = fieldsOf(format)
  const { definition, syntax } = fieldsOf(grammar)
  const isGrammar = type === 'grammar'
  return {
    type: 'custom',
    name: textOrNull(name) ?? '',
    ...(typeof description === 'string' && { description }),
    ...(isGrammar && {
      format: {
        type: 'grammar',
        definition: textOrNull(definition) ?? '',
        syntax: syntax === 'regex' ? 'regex' : 'lark',
      },
    }),
  }
}

type ToolChoice = NonNullable<ResponseCreateParamsBase['tool_choice']>

/** `{type: "function", function: {name}}` is `{type: "function", name}` here. */
function toolChoiceOf(choice: ChatRequest['tool_choice']): ToolChoice | null {
  if (choice === undefined) return null
  // The vendor checks the values, which grow with its tools.
  if (typeof choice === 'string') return choice as ToolChoice
  const { type, ...rest } = choice
  if (type === 'allowed_tools') {
    const { mode, tools } = fieldsOf(rest['allowed_tools'])
    return { type, mode, tools: listOf(tools).map(named) } as ToolChoice
  }
  return named(choice) as unknown as ToolChoice
}

function named(choice: unknown): WireFields {
  const fields = fieldsOf(choice)
  const { type } = fields
  if (type !== 'function' && type !== 'custom') return fields
  return { type, name: fieldsOf(fields[type])['name'] }
}
