/** A chat request in OpenAI's form as the body of Anthropic's `POST /v1/messages`. docs/wires.md has the table. */
import type {
  MessageCreateParamsBase,
  MessageParam,
  OutputConfig,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../../shared/models/model-abilities.ts'
import { ProviderError, type ProviderRequest } from '../../../providers/provider.ts'
import { limitMarks, markPrefix } from './cache-marks.ts'
import { fieldsOf } from '../../../json-fields.ts'
import { LeftOut } from '../../left-out.ts'
import { turnsOf } from './messages.ts'
import { outputFormat } from '../output-format.ts'
import { thinkingOf, type Thinking } from '../thinking.ts'
import { toolChoiceOf, toolsOf } from './tools.ts'
import { traitsOf, type ModelTraits } from '../traits.ts'

/** The SDK's types no longer have these; models up to Opus 4.6 still take them. */
interface Sampling {
  temperature?: number
  top_p?: number
  top_k?: number
}
export type AnthropicBody = MessageCreateParamsBase & Sampling

export interface TranslatedRequest {
  body: AnthropicBody
  leftOut: readonly Adjustment[]
}

/** `max_tokens` for a model whose longest answer is not known: every model of this vendor takes it. */
const usualMaxTokens = 4096

/** @throws ProviderError request for parts and fields that the API cannot carry */
export function translateRequest(request: ProviderRequest): TranslatedRequest {
  const { model, body, maxOutputTokens, marksPrefix } = request
  refuseLegacyFunctions(body)
  const leftOut = new LeftOut()
  const traits = traitsOf(model)
  const { system, messages } = turnsOf(body.messages, { model, traits, leftOut })
  system.push(...jsonInstruction(body, leftOut))
  const tools = toolsOf(body, leftOut)
  const choice = tools.length === 0 ? null : toolChoiceOf(body, traits, leftOut)
  const limit = body.max_completion_tokens ?? body.max_tokens ?? maxOutputTokens ?? null
  const isForced = choice?.type === 'any' || choice?.type === 'tool'
  const lacksThinking = isMissingThinking(messages)
  const context = { traits, maxTokens: limit, isForced, lacksThinking, leftOut }
  const thinking = thinkingOf(body, context)
  const prompt = { tools, system, messages }
  if (limitMarks(prompt, leftOut) === 0 && marksPrefix === true) {
    markPrefix(prompt, traits.leastCachedTokens)
  }
  leftOut.leaveUnknown(body, known, 'the provider does not take it')
  return {
    body: {
      model,
      max_tokens: limit ?? usualMaxTokens + budgetOf(thinking),
      ...(tools.length === 0 ? {} : { tools }),
      ...(choice === null ? {} : { tool_choice: choice }),
      ...(system.length === 0 ? {} : { system }),
      messages,
      ...(thinking.thinking === undefined ? {} : { thinking: thinking.thinking }),
      ...outputConfig(body, thinking),
      ...sampling(body, { traits, thinking, leftOut }),
      ...stopSequences(body, leftOut),
      ...(typeof body.user === 'string' ? { metadata: { user_id: body.user } } : {}),
    },
    leftOut: leftOut.adjustments,
  }
}

/** Refuses `functions`: their answers have a form of their own, which OpenAI replaced by tools in 2023. */
function refuseLegacyFunctions(body: ChatRequest): void {
  const isLegacy =
    body['functions'] !== undefined || body.messages.some(({ role }) => role === 'function')
  if (isLegacy) {
    throw new ProviderError('request', 'the provider takes tools in place of functions')
  }
}

/** Tokens of the thinking budget, which count towards `max_tokens`. */
function budgetOf({ thinking }: Thinking): number {
  return thinking?.type === 'enabled' ? thinking.budget_tokens : 0
}

function outputConfig(
  { response_format }: ChatRequest,
  { effort }: Thinking,
): { output_config?: OutputConfig } {
  const { schema } = fieldsOf(response_format?.['json_schema'])
  const format = response_format?.type === 'json_schema' ? outputFormat(schema) : null
  if (format === null && effort === undefined) return {}
  return { output_config: { ...(effort && { effort }), ...(format && { format }) } }
}

/** Asks for JSON in words: this API has no JSON mode without a schema, and OpenAI's needs JSON in the prompt. */
function jsonInstruction({ response_format }: ChatRequest, leftOut: LeftOut): TextBlockParam[] {
  if (response_format?.type !== 'json_object') return []
  leftOut.send(
    'response_format',
    'sent_as_instruction',
    'the provider has no JSON mode without a schema',
  )
  return [{ type: 'text', text: 'Answer with one valid JSON object and nothing else.' }]
}

interface SamplingContext {
  traits: ModelTraits
  thinking: Thinking
  leftOut: LeftOut
}

function sampling(body: ChatRequest, { traits, thinking, leftOut }: SamplingContext): Sampling {
  const sent: Sampling = {}
  const isThinking = thinking.thinking?.type === 'enabled' || thinking.thinking?.type === 'adaptive'
  const values = { temperature: body.temperature, top_p: body.top_p, top_k: body['top_k'] }
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'number') continue
    if (!traits.samples) {
      // 1 is the only value, and means the same as none.
      if (value !== 1) leftOut.leave(name, 'the model does not accept it')
    } else if (isThinking) {
      if (value !== 1) leftOut.leave(name, 'the model does not accept it while it thinks')
    } else if (name === 'top_p' && sent.temperature !== undefined) {
      if (value !== 1) leftOut.leave(name, 'the model takes either temperature or top_p')
    } else Object.assign(sent, { [name]: value })
  }
  if (sent.temperature !== undefined && sent.temperature > 1) {
    sent.temperature = 1
    leftOut.send('temperature', 'sent_as_1', 'the provider’s range ends at 1')
  }
  return sent
}

/** The API refuses a sequence of white space. */
function stopSequences({ stop }: ChatRequest, leftOut: LeftOut): { stop_sequences?: string[] } {
  const wanted = typeof stop === 'string' ? [stop] : (stop ?? [])
  const taken = wanted.filter((sequence) => sequence.trim() !== '')
  if (taken.length < wanted.length)
    leftOut.leave('stop', 'the provider takes no white space as a stop sequence')
  return taken.length === 0 ? {} : { stop_sequences: taken }
}

/**
 * A turn that a model with a thinking budget continues must begin with its thinking: the last answer, if the
 * results of its tool calls follow it.
 */
function isMissingThinking(messages: readonly MessageParam[]): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant')
  if (last === undefined || typeof last.content === 'string') return false
  const [first] = last.content
  const callsTool = last.content.some(({ type }) => type === 'tool_use')
  return callsTool && first?.type !== 'thinking' && first?.type !== 'redacted_thinking'
}

/** Read or translated above. */
const known: ReadonlySet<string> = new Set(
  (
    'messages model stream stream_options temperature top_p top_k max_tokens max_completion_tokens stop tools ' +
    'tool_choice parallel_tool_calls response_format reasoning_effort reasoning thinking user prompt_cache_key'
  ).split(' '),
)
