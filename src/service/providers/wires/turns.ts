/** Turns of a conversation, for vendors whose messages alternate between the user and the model. */
import type { ChatMessage } from '../../../shared/chat.ts'

interface Turn {
  /** Whether these are answers of the model; otherwise they are the user's messages and tool results. */
  isAnswer: boolean
  messages: ChatMessage[]
}

/** Neighbours that belong to the same turn. */
export function alternatingTurns(messages: readonly ChatMessage[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const isAnswer = message.role === 'assistant'
    const last = turns.at(-1)
    if (last?.isAnswer === isAnswer) last.messages.push(message)
    else turns.push({ isAnswer, messages: [message] })
  }
  return turns
}
