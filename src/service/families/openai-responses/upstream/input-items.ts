/** The messages of a conversation as input items of the Responses API. */
import type {
  ResponseInputContent,
  ResponseInputItem,
  ResponseInputText,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses'
import { contentText, type ChatMessage, type WireFields } from '../../../../shared/chat/chat.ts'
import { ProviderError } from '../../../providers/provider.ts'
import { fieldsOf, listOf, textOrNull } from '../../../json-fields.ts'
import { reasoningFormat } from './reasoning.ts'

type Content = ChatMessage['content']

/** @throws ProviderError `request` */
export function inputItems(messages: readonly ChatMessage[]): ResponseInputItem[] {
  const customCalls = new Set<string>()
  return messages.flatMap((message, position) => {
    switch (message.role) {
      case 'assistant':
        for (const { id, type } of message.tool_calls ?? [])
          if (type === 'custom') customCalls.add(id)
        return answerItems(message)
      case 'tool':
        return [toolResult(message, customCalls)]
      case 'function':
        throw new ProviderError(
          'request',
          'the Responses API takes no message of the role function',
          {
            upstreamMessage: `messages[${position}]: this model takes tool results as messages of the role "tool".`,
          },
        )
      case 'system':
      case 'developer':
      case 'user':
        return [{ role: message.role, content: inputContent(message.content) }]
      default:
        throw new ProviderError('request', 'the Responses API takes no message of this role')
    }
  })
}

/** Reasoning first, as the model produced it; then the text; then the calls. */
function answerItems(message: ChatMessage): ResponseInputItem[] {
  const text = contentText(message.content ?? null) + refusalsOf(message)
  return [
    ...reasoningItems(message['reasoning_details']),
    ...(text === '' ? [] : [{ role: 'assistant', content: text } as const]),
    ...(message.tool_calls ?? []).map(toolCall),
  ]
}

/** The refusals of the message and of its parts, as one text. */
function refusalsOf({ content, refusal }: ChatMessage): string {
  const parts = Array.isArray(content) ? content : []
  return [refusal, ...parts.map((part) => part['refusal'])]
    .map((each) => textOrNull(each) ?? '')
    .join('')
}

/** Items of other vendors mean nothing here. Pieces of one item have the same id. */
function reasoningItems(details: unknown): ResponseReasoningItem[] {
  const items = new Map<string, ResponseReasoningItem>()
  for (const detail of listOf(details)) {
    const { format, id, type, data, summary } = fieldsOf(detail)
    if (format !== reasoningFormat || typeof id !== 'string') continue
    const item = items.get(id) ?? { type: 'reasoning', id, summary: [] }
    items.set(id, item)
    if (type === 'reasoning.encrypted' && typeof data === 'string') item.encrypted_content = data
    if (type === 'reasoning.summary' && typeof summary === 'string') {
      item.summary.push({ type: 'summary_text', text: summary })
    }
  }
  // Without its encrypted content, the API looks for a stored item and finds none.
  return [...items.values()].filter((item) => item.encrypted_content !== undefined)
}

function toolCall(call: NonNullable<ChatMessage['tool_calls']>[number]): ResponseInputItem {
  const { id, custom } = call
  if (call.type === 'custom') {
    return {
      type: 'custom_tool_call',
      call_id: id,
      name: custom?.name ?? '',
      input: custom?.input ?? '',
    }
  }
  const { name = '', arguments: given = '' } = call.function ?? {}
  return { type: 'function_call', call_id: id, name, arguments: given }
}

function toolResult(
  { tool_call_id = '', content }: ChatMessage,
  customCalls: ReadonlySet<string>,
): ResponseInputItem {
  const output = typeof content === 'string' ? content : (content ?? []).map(inputPart)
  return customCalls.has(tool_call_id)
    ? { type: 'custom_tool_call_output', call_id: tool_call_id, output }
    : { type: 'function_call_output', call_id: tool_call_id, output }
}

function inputContent(content: Content): string | ResponseInputContent[] {
  if (typeof content === 'string') return content
  return (content ?? []).map(inputPart)
}

/** @throws ProviderError `request` */
function inputPart(part: WireFields): ResponseInputContent {
  const mark = cacheMark(part)
  const { type } = part
  switch (type) {
    case 'text':
      return { type: 'input_text', text: textOrNull(part['text']) ?? '', ...mark }
    case 'image_url': {
      const { url, detail } = fieldsOf(part['image_url'])
      return { type: 'input_image', image_url: textOrNull(url), detail: detailOf(detail), ...mark }
    }
    case 'file': {
      const { filename, file_data, file_id, file_url } = fieldsOf(part['file'])
      const fields = { filename, file_data, file_id, file_url }
      const present = Object.entries(fields).filter(([, value]) => typeof value === 'string')
      return { type: 'input_file', ...Object.fromEntries(present), ...mark }
    }
    default:
      throw new ProviderError('request', 'the Responses API does not take a part of this type', {
        upstreamMessage: `this model takes no parts of the type "${String(type)}".`,
      })
  }
}

/** OpenAI's own mark, which newer models take in both forms. */
function cacheMark({ prompt_cache_breakpoint: mark }: WireFields): CacheMark {
  const { mode, ttl } = fieldsOf(mark)
  if (mode !== 'explicit') return {}
  const isKnown = ttl === '30m' || ttl === '12h'
  return { prompt_cache_breakpoint: isKnown ? { mode, ttl } : { mode } }
}

type CacheMark = Pick<ResponseInputText, 'prompt_cache_breakpoint'>

function detailOf(detail: unknown): 'auto' | 'low' | 'high' {
  return detail === 'low' || detail === 'high' ? detail : 'auto'
}
