/** What a request asks of a model, read from its body. */
import type { ChatMessage, ChatRequest } from '../../shared/chat.ts'
import type { Capability } from '../../shared/entities.ts'
import type { RoutingContext } from '../routing/candidate.ts'

/** Characters per token of English text, for models whose tokenizer is not at hand. */
const charactersPerToken = 3.6
/** What an image costs where the model does not say: OpenAI's figure for one 512-pixel tile and its base. */
const tokensPerImage = 255
/** Role and separators of one message. */
const tokensPerMessage = 4

export function readNeeds(body: ChatRequest): RoutingContext {
  return {
    promptTokens: estimatePromptTokens(body),
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    needs: neededCapabilities(body),
  }
}

/** A stated estimate, marked as one wherever it is kept. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken)
}

function estimatePromptTokens(body: ChatRequest): number {
  let tokens = 0
  for (const message of body.messages) tokens += tokensPerMessage + messageTokens(message)
  if (body.tools) tokens += estimateTokens(JSON.stringify(body.tools).length)
  return tokens
}

function messageTokens({ content, tool_calls }: ChatMessage): number {
  let tokens = tool_calls ? estimateTokens(JSON.stringify(tool_calls).length) : 0
  if (typeof content === 'string') return tokens + estimateTokens(content.length)
  for (const part of content ?? []) {
    const { text } = part
    if (typeof text === 'string') tokens += estimateTokens(text.length)
    else if (part.type === 'image_url') tokens += tokensPerImage
  }
  return tokens
}

function neededCapabilities(body: ChatRequest): Capability[] {
  const needs = new Set<Capability>()
  if (body.tools && body.tools.length > 0) needs.add('tools')
  if (body.response_format && body.response_format.type !== 'text') needs.add('json')
  for (const { content } of body.messages) {
    if (!Array.isArray(content)) continue
    if (content.some((part) => part.type === 'image_url')) needs.add('vision')
    if (content.some((part) => part.type === 'input_audio')) needs.add('audio')
  }
  return [...needs]
}
