/** A conversation as turns. The window and the service share it, so that both keep the same answers. */
import type { ConversationMessage } from '../entities.ts'

/** One question with its answers. */
export interface Turn {
  question: ConversationMessage
  /** Answers, oldest first. */
  answers: readonly ConversationMessage[]
}

/** Groups a thread into turns, oldest first. Answers before the first question are dropped. */
export function turnsOf(messages: readonly ConversationMessage[]): Turn[] {
  const turns: { question: ConversationMessage; answers: ConversationMessage[] }[] = []
  for (const message of messages) {
    if (message.role === 'user') turns.push({ question: message, answers: [] })
    else turns.at(-1)?.answers.push(message)
  }
  return turns
}

/**
 * The answer that a conversation continues with: the last one with text that is not set aside. If a new answer
 * failed or was stopped before its first word, this is the answer it was meant to replace.
 * @returns null when no answer has text
 */
export function keptAnswer(answers: readonly ConversationMessage[]): ConversationMessage | null {
  const usable = answers.filter(({ state, text }) => state !== 'failed' && text !== '')
  return usable.findLast(({ isSetAside }) => !isSetAside) ?? usable.at(-1) ?? null
}
