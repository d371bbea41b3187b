/** A thread as turns: a question with its answers, of which one is kept and the others are set aside. */
import type { ChatMessage } from '../shared/chat.ts'
import type { ConversationMessage } from '../shared/entities.ts'

export interface Turn {
  question: ConversationMessage
  /** In the order they were asked for. */
  answers: readonly ConversationMessage[]
}

/** Oldest first; an answer without a question before it is in none. */
export function turnsOf(messages: readonly ConversationMessage[]): Turn[] {
  const turns: { question: ConversationMessage; answers: ConversationMessage[] }[] = []
  for (const message of messages) {
    if (message.role === 'user') turns.push({ question: message, answers: [] })
    else turns.at(-1)?.answers.push(message)
  }
  return turns
}

/**
 * The thread as a model reads it: of several answers the last that was not set aside. A question whose
 * answers all failed was asked again, or given up.
 */
export function toChatMessages(turns: readonly Turn[]): ChatMessage[] {
  return turns.flatMap(({ question, answers }) => {
    const given = answers.filter(({ state }) => state !== 'failed')
    if (answers.length > 0 && given.length === 0) return []
    const kept = given.findLast(({ isSetAside }) => !isSetAside) ?? given.at(-1)
    return [question, ...(kept && kept.text !== '' ? [kept] : [])].map(({ role, text }) => ({
      role,
      content: text,
    }))
  })
}
