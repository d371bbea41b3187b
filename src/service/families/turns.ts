/** Turns of a conversation, for vendors whose messages alternate between the user and the model. */
import type { ChatMessage } from '../../shared/chat/chat.ts'

type WithRole = Pick<ChatMessage, 'role'>

interface Turn<Message> {
  /** Whether these are answers of the model; otherwise they are the user's messages and tool results. */
  isAnswer: boolean
  messages: Message[]
}

/** Merges neighbours that belong to the same turn. */
export function alternatingTurns<Message extends WithRole>(
  messages: readonly Message[],
): Turn<Message>[] {
  const turns: Turn<Message>[] = []
  for (const message of messages) {
    const isAnswer = message.role === 'assistant'
    const last = turns.at(-1)
    if (last?.isAnswer === isAnswer) last.messages.push(message)
    else turns.push({ isAnswer, messages: [message] })
  }
  return turns
}

export function isSystem({ role }: WithRole): boolean {
  return role === 'system' || role === 'developer'
}

/** The system prompts at the beginning, which vendors take apart, and the conversation after them. */
export function splitSystem<Message extends WithRole>(
  messages: readonly Message[],
): { system: readonly Message[]; conversation: readonly Message[] } {
  const first = messages.findIndex((message) => !isSystem(message))
  const end = first === -1 ? messages.length : first
  return { system: messages.slice(0, end), conversation: messages.slice(end) }
}

/** A later system prompt as a text of the user: tags tell it from the user's own words. Empty for an empty one. */
export function asMarkedText(prompt: string): string {
  return prompt === '' ? '' : `<system>\n${prompt}\n</system>`
}
