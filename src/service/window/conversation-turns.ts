/** Converts a conversation to the messages of a request. */
import type { ChatMessage } from '../../shared/chat/chat.ts'
import { keptAnswer, type Turn } from '../../shared/chat/conversation-turns.ts'

/**
 * Returns each question with its kept answer. A question whose answers all failed is left out, because the user
 * asked it again or gave up.
 */
export function toChatMessages(turns: readonly Turn[]): ChatMessage[] {
  return turns.flatMap(({ question, answers }) => {
    if (answers.length > 0 && answers.every(({ state }) => state === 'failed')) return []
    const kept = keptAnswer(answers)
    return [question, ...(kept === null ? [] : [kept])].map(({ role, text }) => ({
      role,
      content: text,
    }))
  })
}
