/** Converts a conversation to the body of a request. */
import type { Attachment } from '../../shared/chat/attachments.ts'
import type { ChatMessage, ChatRequest } from '../../shared/chat/chat.ts'
import type { ConversationMessage, Instructions } from '../../shared/chat/conversations.ts'
import type { ToolStep } from '../../shared/chat/tools.ts'
import { isUnsaid, keptAnswer, type Turn } from '../../shared/chat/conversation-turns.ts'
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
 * asked it again or gave up, and so is one that says nothing.
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
    const content = parts.length > 0 ? [...parts, ...text] : question.text
    if (!isUnsaid(question)) messages.push({ role: 'user', content })
    const kept = keptAnswer(answers)
    if (kept) messages.push(...answerMessages(kept))
  }
  return messages
}

/** An answer with its calls of tools and their results, in the order in which they happened. */
export function answerMessages({
  text,
  toolSteps,
}: Pick<ConversationMessage, 'text' | 'toolSteps'>): ChatMessage[] {
  const messages: ChatMessage[] = []
  let from = 0
  for (const steps of Map.groupBy(toolSteps, ({ requestId }) => requestId).values()) {
    const end = steps[0]?.textEnd ?? from
    const said = text.slice(from, end).trim()
    messages.push({
      role: 'assistant',
      content: said === '' ? null : said,
      tool_calls: steps.map(({ id, calledAs, arguments: args, wire }) => {
        return {
          ...wire,
          id,
          type: 'function' as const,
          function: { name: calledAs, arguments: args },
        }
      }),
    })
    messages.push(
      ...steps.map((step) => ({ role: 'tool', tool_call_id: step.id, content: resultOf(step) })),
    )
    from = end
  }
  const rest = toolSteps.length === 0 ? text : text.slice(from).trim()
  return rest === '' ? messages : [...messages, { role: 'assistant', content: rest }]
}

/** The same request without calls of tools and their results. */
export function withoutCalls<Asked extends Pick<ChatRequest, 'messages'>>(body: Asked): Asked {
  const messages = body.messages.flatMap(({ tool_calls: calls, ...message }) => {
    const isOnlyCalls = calls !== undefined && !message.content
    return message.role === 'tool' || isOnlyCalls ? [] : [message]
  })
  return { ...body, messages }
}

function resultOf({ outcome, result }: ToolStep): string {
  if (outcome !== 'running') return result
  return 'Modelport ended during this call. Whether it ran is not known: ask the user before you repeat it.'
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
