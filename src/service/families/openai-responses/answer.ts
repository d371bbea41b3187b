/** A whole answer of the Responses API in the chat form. */
import type { ResponseUsage } from 'openai/resources/responses/responses'
import type { ChatUsage, FinishReason, WireFields } from '../../../shared/chat/chat.ts'
import { otherFields } from '../../providers/passed-fields.ts'
import { ProviderError, type ProviderChunk, type UpstreamDelta } from '../../providers/provider.ts'
import { readUsage } from '../openai-chat/usage.ts'
import { fieldsOf, listOf, stringOf, textOrNull } from '../../json-fields.ts'
import { failureOf } from './upstream/failure.ts'
import { reasoningDetails } from './upstream/reasoning.ts'

/** @throws ProviderError invalid_response; the failure that the answer reports */
export function readAnswer(value: unknown): ProviderChunk {
  const response = fieldsOf(value)
  if (response['object'] !== 'response') throw unknownForm()
  const { delta, logprobs } = readOutput(listOf(response['output']))
  const finish_reason = finishReasonOf(response, (delta.tool_calls ?? []).length > 0)
  const choice = { index: 0, delta, finish_reason }
  return {
    choices: [logprobs.length === 0 ? choice : { ...choice, logprobs: chatLogprobs(logprobs) }],
    usage: readResponseUsage(response),
    ...extrasOf(response),
    ...namedIn(response),
  }
}

/** Output items in their order, as one message. */
function readOutput(output: readonly unknown[]): MessageParts {
  const parts = new MessageParts()
  for (const item of output) parts.add(fieldsOf(item))
  return parts
}

export function chatLogprobs(content: readonly unknown[]): WireFields {
  return { content, refusal: null }
}

/** Each part of reasoning begins with a heading or a sentence of its own. */
export const betweenParts = '\n\n'

class MessageParts {
  readonly delta: UpstreamDelta = { content: null }
  readonly logprobs: unknown[] = []
  readonly #calls: NonNullable<UpstreamDelta['tool_calls']> = []
  readonly #details: WireFields[] = []
  readonly #annotations: WireFields[] = []

  add(item: WireFields): void {
    switch (item['type']) {
      case 'message':
        for (const part of listOf(item['content'])) this.#addContent(fieldsOf(part))
        return
      case 'reasoning':
        this.#addReasoning(item)
        return
      case 'function_call':
      case 'custom_tool_call':
        this.#calls.push({ index: this.#calls.length, ...startedCall(item), ...calledFields(item) })
        this.delta.tool_calls = this.#calls
        return
      default:
      // The vendor's own tools ran there; their results are part of the text.
    }
  }

  #addContent({ type, text, refusal, annotations, logprobs }: WireFields): void {
    this.logprobs.push(...listOf(logprobs))
    if (type === 'output_text') this.#append('content', text)
    if (type === 'refusal') this.#append('refusal', refusal)
    this.#annotations.push(...listOf(annotations).map(toAnnotation))
    if (this.#annotations.length > 0) this.delta['annotations'] = this.#annotations
  }

  #addReasoning(item: WireFields): void {
    for (const part of [...listOf(item['summary']), ...listOf(item['content'])]) {
      const text = stringOf(fieldsOf(part)['text'])
      if (text === null) continue
      const before = this.delta.reasoning_content ?? ''
      this.#append('reasoning_content', before === '' ? text : betweenParts + text)
    }
    this.#details.push(...reasoningDetails(item, this.#details.length))
    if (this.#details.length > 0) this.delta['reasoning_details'] = this.#details
  }

  #append(name: 'content' | 'refusal' | 'reasoning_content', text: unknown): void {
    if (typeof text !== 'string') return
    const before = this.delta[name]
    this.delta[name] = typeof before === 'string' ? before + text : text
  }
}

/** The beginning of a tool call: its id, type and name. */
export function startedCall(item: WireFields): { id: string; type: 'function' | 'custom' } {
  const id = textOrNull(item['call_id'])
  if (id === null) throw unknownForm()
  return { id, type: item['type'] === 'custom_tool_call' ? 'custom' : 'function' }
}

function calledFields(item: WireFields): WireFields {
  const name = textOrNull(item['name']) ?? ''
  return item['type'] === 'custom_tool_call'
    ? { custom: { name, input: textOrNull(item['input']) ?? '' } }
    : { function: { name, arguments: textOrNull(item['arguments']) ?? '' } }
}

/** A citation of a web page in the chat form; others are passed on. */
export function toAnnotation(annotation: unknown): WireFields {
  const fields = fieldsOf(annotation)
  if (fields['type'] !== 'url_citation') return fields
  const { type: _type, ...citation } = fields
  return { type: 'url_citation', url_citation: citation }
}

/** The inverse of `toAnnotation`. */
export function fromAnnotation(annotation: unknown): WireFields {
  const fields = fieldsOf(annotation)
  if (fields['type'] !== 'url_citation') return fields
  return { ...fieldsOf(fields['url_citation']), type: 'url_citation' }
}

const incompleteReasons: ReadonlyMap<string, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'],
])

/** Finish reasons of an answer that ended by itself. */
const completeReasons: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'function_call'])

/** The inverse of `finishReasonOf`: why the answer is incomplete; null for a complete one. */
export function incompleteReasonOf(finishReason: FinishReason): string | null {
  if (completeReasons.has(finishReason)) return null
  const found = [...incompleteReasons].find(([, finish]) => finish === finishReason)
  return found?.[0] ?? finishReason
}

/** @throws the failure that the answer reports */
export function finishReasonOf(response: WireFields, hasCalls: boolean): FinishReason {
  const { status, error, incomplete_details } = response
  switch (status) {
    case 'completed':
      return hasCalls ? 'tool_calls' : 'stop'
    case 'incomplete': {
      const reason = textOrNull(fieldsOf(incomplete_details)['reason']) ?? 'incomplete'
      return incompleteReasons.get(reason) ?? reason
    }
    case 'failed':
      throw failureOf(error)
    default:
      throw new ProviderError('unavailable', `the answer ended as ${String(status)}`)
  }
}

/**
 * Reads the usage. The counts have other names and the same meaning. Web searches are billed, so they are counted as
 * Anthropic does.
 */
export function readResponseUsage({ usage, output }: WireFields): ChatUsage | null {
  const { input_tokens, output_tokens, total_tokens, ...details } = fieldsOf(usage)
  const web_search_requests = listOf(output).map(fieldsOf).filter(isWebSearch).length
  const counts = readUsage({
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens,
    prompt_tokens_details: details['input_tokens_details'],
    completion_tokens_details: details['output_tokens_details'],
  })
  if (counts === null || web_search_requests === 0) return counts
  return { ...counts, server_tool_use: { web_search_requests } }
}

/** Whether a call is a web search. Opening a found page and searching in it are calls too and are not billed. */
function isWebSearch({ type, action }: WireFields): boolean {
  return type === 'web_search_call' && (fieldsOf(action)['type'] ?? 'search') === 'search'
}

/** The inverse of `readResponseUsage`. */
export function writeResponseUsage(usage: ChatUsage): ResponseUsage {
  const { prompt_tokens, completion_tokens, total_tokens } = usage
  const { cached_tokens = 0, cache_write_tokens = 0 } = usage.prompt_tokens_details ?? {}
  const { reasoning_tokens = 0 } = usage.completion_tokens_details ?? {}
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: { cached_tokens, cache_write_tokens },
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens },
    total_tokens,
  }
}

const passedOn = ['service_tier', 'safety_identifier'] as const

export function extrasOf(response: WireFields): { extras?: WireFields } {
  const chosen = Object.fromEntries(passedOn.map((name) => [name, response[name]]))
  const extras = otherFields(chosen, new Set())
  return extras === null ? {} : { extras }
}

/** The model that answered, as the vendor names it. */
export function namedIn({ model }: WireFields): { namedModel?: string } {
  const name = textOrNull(model) ?? ''
  return name === '' ? {} : { namedModel: name }
}

export function unknownForm(): ProviderError {
  return new ProviderError('invalid_response', 'the answer has an unknown form')
}
