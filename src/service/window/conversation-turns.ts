/** Converts a conversation to the body of a request. */
import type { Attachment } from '../../shared/chat/attachments.ts'
import type { ChatMessage, ChatRequest } from '../../shared/chat/chat.ts'
import type { Instructions } from '../../shared/chat/conversations.ts'
import { keptAnswer, type Turn } from '../../shared/chat/conversation-turns.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import type { Blob, ConversationStore } from '../storage/conversation-store.ts'

type Body = Pick<
  ChatRequest,
  'messages' | 'temperature' | 'top_p' | 'max_completion_tokens' | 'reasoning_effort'
>

/** What a conversation asks of a model, without the model. @throws DashboardError not_found (a file's content) */
export async function bodyOf(
  { systemPrompt, parameters }: Instructions,
  turns: readonly Turn[],
  store: Pick<ConversationStore, 'blob'>,
): Promise<Body> {
  const { temperature, topP, maxTokens, reasoningEffort } = parameters
  const system = { role: 'system' as const, content: systemPrompt }
  return {
    messages: [...(systemPrompt === '' ? [] : [system]), ...(await toChatMessages(turns, store))],
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
  }
}

/**
 * Returns each question with its kept answer. A question whose answers all failed is left out, because the user
 * asked it again or gave up.
 */
async function toChatMessages(
  turns: readonly Turn[],
  store: Pick<ConversationStore, 'blob'>,
): Promise<ChatMessage[]> {
  const messages: ChatMessage[] = []
  for (const { question, answers } of turns) {
    if (answers.length > 0 && answers.every(({ state }) => state === 'failed')) continue
    const parts: FilePart[] = []
    for (const attachment of question.attachments) parts.push(await partOf(attachment, store))
    const text = question.text === '' ? [] : [{ type: 'text', text: question.text }]
    messages.push({ role: 'user', content: parts.length > 0 ? [...parts, ...text] : question.text })
    const kept = keptAnswer(answers)
    if (kept) messages.push({ role: 'assistant', content: kept.text })
  }
  return messages
}

type FilePart = Extract<ChatMessage['content'], unknown[]>[number]

/** A file as the wire carries it. @throws DashboardError not_found (its content) */
export async function partOf(
  attachment: Attachment,
  store: Pick<ConversationStore, 'blob'>,
): Promise<FilePart> {
  const blob = await store.blob(attachment.sha256)
  if (!blob) throw new DashboardError('not_found', `The file ${attachment.name} no longer exists.`)
  return toPart(attachment, blob)
}

function toPart({ name, kind, mediaType, sentAs }: Attachment, { data, text }: Blob): FilePart {
  if (sentAs === 'text') return { type: 'text', text: `File ${name}:\n\n${text ?? ''}` }
  const url = `data:${mediaType};base64,${data}`
  if (kind === 'image') return { type: 'image_url', image_url: { url } }
  return { type: 'file', file: { filename: name, file_data: url } }
}
