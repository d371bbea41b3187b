/** Converts a conversation to the body of a request. */
import type { ChatMessage, ChatRequest } from '../../shared/chat/chat.ts'
import type { Instructions } from '../../shared/chat/conversations.ts'
import { keptAnswer, type Turn } from '../../shared/chat/conversation-turns.ts'

/** What a conversation asks of a model, without the model. */
export function bodyOf(
  { systemPrompt, parameters }: Instructions,
  turns: readonly Turn[],
): Pick<
  ChatRequest,
  'messages' | 'temperature' | 'top_p' | 'max_completion_tokens' | 'reasoning_effort'
> {
  const { temperature, topP, maxTokens, reasoningEffort } = parameters
  const system = { role: 'system' as const, content: systemPrompt }
  return {
    messages: [...(systemPrompt === '' ? [] : [system]), ...toChatMessages(turns)],
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
function toChatMessages(turns: readonly Turn[]): ChatMessage[] {
  return turns.flatMap(({ question, answers }) => {
    if (answers.length > 0 && answers.every(({ state }) => state === 'failed')) return []
    const kept = keptAnswer(answers)
    return [question, ...(kept === null ? [] : [kept])].map(({ role, text }) => ({
      role,
      content: text,
    }))
  })
}
