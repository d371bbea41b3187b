/**
 * What the inner form has and a vendor of OpenAI's form may lack: fields of other forms (docs/decisions/2026-11-22-wires.md),
 * and the role `developer`, which DeepSeek and others refuse ("unknown variant `developer`"). OpenRouter and others take
 * some of the fields. OpenAI, Groq, Mistral and Cerebras refuse a request with a field that they do not
 * know, so such a field is left out and reported. The ordinary request has none of them and is only looked at.
 */
import type { ChatMessage, ChatRequest } from '../../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../../shared/models/model-abilities.ts'
import type { Extension } from '../../../providers/wire.ts'

type MessageExtension = Extract<Extension, keyof typeof fieldOfMessage>

/** The extensions of a message, by their field. */
const fieldOfMessage = {
  cache_control: 'cache_control',
  is_error: 'is_error',
  message_reasoning: 'reasoning',
  reasoning_content: 'reasoning_content',
  reasoning_details: 'reasoning_details',
} as const
const messageExtensions = Object.keys(fieldOfMessage) as MessageExtension[]

/** The extensions that this body has and the upstream does not take, in a fixed order. */
export function refusedExtensions(body: ChatRequest, taken: readonly Extension[]): Extension[] {
  const found: Extension[] = []
  const note = (extension: Extension) => {
    if (!found.includes(extension) && !taken.includes(extension)) found.push(extension)
  }
  if (body.reasoning !== undefined) note('reasoning')
  for (const message of body.messages) {
    for (const name of messageExtensions) {
      if (message[fieldOfMessage[name]] !== undefined) note(name)
    }
    const { role, content } = message
    if (role === 'developer') note('developer_role')
    if (!Array.isArray(content)) continue
    for (const part of content) {
      if (part.cache_control !== undefined) note('cache_control')
      if (role === 'tool' && part.type !== 'text') note('tool_result_parts')
    }
  }
  if (body.tools?.some((tool) => tool.cache_control !== undefined) === true) note('cache_control')
  return found
}

export function adjustmentOf(extension: Extension): Adjustment {
  if (extension === 'tool_result_parts') {
    const reason = 'the provider takes only text in tool results'
    return { parameter: 'messages', change: 'sent_as_user_message', reason }
  }
  if (extension === 'developer_role') {
    const reason = 'the provider does not take the role developer'
    return { parameter: 'messages', change: 'sent_as_system', reason }
  }
  const parameter = extension === 'message_reasoning' ? 'reasoning' : extension
  return { parameter, change: 'left_out', reason: 'the provider does not take it' }
}

/**
 * @param refused  not empty
 * @param isTranslated  a text without its mark gets the form that it has when it never had one: marks move from turn
 *   to turn, and the beginning of the prompt must not change. A caller's own lists stay lists.
 */
export function withoutExtensions(
  body: ChatRequest,
  { refused, isTranslated }: { refused: readonly Extension[]; isTranslated: boolean },
): ChatRequest {
  const fields = messageExtensions.filter((name) => refused.includes(name))
  const hasDeveloper = refused.includes('developer_role')
  const stripped = body.messages
    .map((message) => (hasDeveloper ? withoutDeveloper(message) : message))
    .map((message) => withoutFields(message, fields))
    .map((message) => (isTranslated ? withShortText(message) : message))
  const isMoved = refused.includes('tool_result_parts')
  const changed = { ...body, messages: isMoved ? withAttachments(stripped) : stripped }
  if (refused.includes('reasoning')) delete changed.reasoning
  if (refused.includes('cache_control') && body.tools) changed.tools = body.tools.map(unmarked)
  return changed
}

function withoutFields(message: ChatMessage, names: readonly MessageExtension[]): ChatMessage {
  if (names.length === 0) return message
  const changed = { ...message }
  for (const name of names) delete changed[fieldOfMessage[name]]
  if (names.includes('cache_control') && Array.isArray(changed.content)) {
    changed.content = changed.content.map(unmarked)
  }
  return changed
}

function withoutDeveloper(message: ChatMessage): ChatMessage {
  return message.role === 'developer' ? { ...message, role: 'system' } : message
}

/** A single text as a string. */
function withShortText(message: ChatMessage): ChatMessage {
  const { content } = message
  const only = Array.isArray(content) && content.length === 1 ? content[0] : undefined
  const isPlain = only?.type === 'text' && typeof only['text'] === 'string'
  return isPlain ? { ...message, content: String(only['text']) } : message
}

function unmarked<Marked extends { cache_control?: unknown }>(marked: Marked): Marked {
  if (marked.cache_control === undefined) return marked
  const changed = { ...marked }
  delete changed.cache_control
  return changed
}

type Parts = Extract<ChatMessage['content'], unknown[]>

/** Images and files of tool results, in a message of the user after the results. */
function withAttachments(messages: readonly ChatMessage[]): ChatMessage[] {
  const moved: ChatMessage[] = []
  let attached: Parts = []
  const flush = () => {
    if (attached.length > 0) moved.push({ role: 'user', content: attached })
    attached = []
  }
  for (const message of messages) {
    if (message.role !== 'tool') flush()
    const { content, tool_call_id: id } = message
    const isTool = message.role === 'tool' && Array.isArray(content)
    const files = isTool ? content.filter(({ type }) => type !== 'text') : []
    if (!isTool || files.length === 0) {
      moved.push(message)
      continue
    }
    const texts = content.filter(({ type }) => type === 'text')
    moved.push({ ...message, content: texts.length > 0 ? texts : 'The result is attached below.' })
    attached.push({ type: 'text', text: `Attached to the result of ${id}:` }, ...files)
  }
  flush()
  return moved
}
