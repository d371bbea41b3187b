/** The capabilities and tokens that a request needs, read from its body. */
import type { ChatMessage, ChatRequest } from '../../../shared/chat/chat.ts'
import type { Capability } from '../../../shared/models/model-abilities.ts'
import type { Candidate, RoutingContext } from '../../routing/candidate.ts'
import { expectedPromptTokens, leastPromptTokens, leastShareOf } from '../../routing/prompt-size.ts'
import { countOf } from '../../json-fields.ts'
import { readMedia } from '../media/read-media.ts'

/** Characters per token of English text, for models whose tokenizer is not available. */
const charactersPerToken = 3.6
/** Role and separators of one message. */
const tokensPerMessage = 4

/** @param required  capabilities that the caller requires in addition to the body's */
export function readNeeds(
  body: ChatRequest,
  required: readonly Capability[] = [],
): Omit<RoutingContext, 'lastAnswer' | 'reading'> {
  const media = readMedia(body)
  const choices = choicesOf(body)
  return {
    isStreamed: body.stream === true,
    promptTokens: estimatePromptTokens(body),
    ...(media.length > 0 && { media }),
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    ...(choices > 1 && { choices }),
    needs: neededCapabilities(body, required),
    effort: requestedEffort(body),
  }
}

/** The number of answers that are written and billed. */
export function choicesOf(body: ChatRequest): number {
  return Math.max(body.n ?? 1, countOf(body['best_of']) ?? 1)
}

/** Expected size of the prompt at the candidate; without one, at a usual model. */
export function countPrompt(body: ChatRequest, candidate?: Pick<Candidate, 'modelId'>): number {
  return expectedPromptTokens(candidate ?? { modelId: '' }, readNeeds(body))
}

/** The caller's own reasoning effort, in OpenAI's form or in one of other providers'; null when there is none. */
function requestedEffort(body: ChatRequest): string | null {
  if (typeof body.reasoning_effort === 'string') return body.reasoning_effort
  return otherReasoningFields.some((name) => (body[name] ?? null) !== null) ? 'other' : null
}

/** Fields that set the reasoning at OpenRouter, DeepSeek, Qwen and others. */
const otherReasoningFields = ['reasoning', 'thinking', 'enable_thinking', 'chat_template_kwargs']

/** Estimates tokens from characters. Results are marked as estimates wherever they are stored. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken)
}

/**
 * The context with the density of its text where the length alone would rule out a candidate: columns, indentation and
 * rules of `=` have up to 27 characters a token, so such a prompt may fit.
 */
export function withDensity<Context extends RoutingContext>(
  context: Context,
  candidates: readonly Candidate[],
  body: ChatRequest,
): Context {
  const { maxOutputTokens, takesShorter } = context
  const answer = takesShorter === true ? 0 : (maxOutputTokens ?? 0)
  let most = 0
  for (const candidate of candidates) {
    const { contextTokens } = candidate
    if (contextTokens === null) continue
    if (leastPromptTokens(candidate, context) + answer <= contextTokens) continue
    most = Math.max(most, contextTokens / leastShareOf(candidate, context))
  }
  if (most === 0) return context
  const density = densityOf(body, most * charactersPerToken)
  return density === null ? context : { ...context, density }
}

/** @returns null above `most` characters that differ from the one before: the rest changes nothing */
function densityOf(body: ChatRequest, most: number): number | null {
  let length = 0
  let different = 0
  for (const text of textsOf(body)) {
    length += text.length
    let before = -1
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      if (code !== before) different += 1
      before = code
    }
    if (different > most) return null
  }
  return length === 0 ? null : different / length
}

function textsOf({ messages }: ChatRequest): string[] {
  return messages.flatMap(({ content }) => {
    const parts = typeof content === 'string' ? [{ text: content }] : (content ?? [])
    return parts.flatMap(({ text }) => (typeof text === 'string' ? text : []))
  })
}

function estimatePromptTokens(body: ChatRequest): number {
  let tokens = 0
  for (const message of body.messages) tokens += tokensPerMessage + messageTokens(message)
  if (body.tools) tokens += estimateTokens(JSON.stringify(body.tools).length)
  // The legacy form of tools.
  if (body['functions']) tokens += estimateTokens(JSON.stringify(body['functions']).length)
  return tokens
}

function messageTokens(message: ChatMessage): number {
  const { content, tool_calls } = message
  let tokens = tool_calls ? estimateTokens(JSON.stringify(tool_calls).length) : 0
  tokens += estimateTokens(reasoningLength(message))
  if (typeof content === 'string') return tokens + estimateTokens(content.length)
  for (const { text } of content ?? []) {
    if (typeof text === 'string') tokens += estimateTokens(text.length)
  }
  return tokens
}

/** The reasoning's text, which callers may send in several fields at once. Signatures and encrypted items are not text. */
function reasoningLength({ reasoning, reasoning_content, reasoning_details }: ChatMessage): number {
  const text = reasoning_content ?? reasoning
  if (typeof text === 'string') return text.length
  let characters = 0
  for (const item of reasoning_details ?? []) {
    const shown = item['text'] ?? item['summary']
    if (typeof shown === 'string') characters += shown.length
  }
  return characters
}

const needOfPart: Readonly<Partial<Record<string, Capability>>> = {
  image_url: 'vision',
  input_audio: 'audio',
  file: 'files',
}

function neededCapabilities(body: ChatRequest, required: readonly Capability[]): Capability[] {
  const needs = new Set<Capability>(required)
  if (isFilled(body.tools) || isFilled(body['functions'])) needs.add('tools')
  if (body.response_format?.type === 'json_object') needs.add('json_object')
  if (body.response_format?.type === 'json_schema') needs.add('json')
  if ((body.n ?? 1) > 1) needs.add('n')
  if (body.logprobs === true) needs.add('logprobs')
  for (const { content } of body.messages) {
    if (!Array.isArray(content)) continue
    for (const { type } of content) {
      const need = needOfPart[type]
      if (need) needs.add(need)
    }
  }
  return [...needs]
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0
}
