import type { ChatMessage, ChatRequest } from '../../shared/chat/chat.ts'
import type { PromptText } from '../routing/prompt/prompt-features.ts'

/** The last user message and the instructions it was sent with, which the prompt's reading is based on. */
export function promptText({ messages }: ChatRequest): PromptText {
  const lastUser = messages.findLast(({ role }) => role === 'user')
  const system = messages.find(({ role }) => role === 'system' || role === 'developer')
  return { lastUser: textOf(lastUser), system: textOf(system) }
}

function textOf(message: ChatMessage | undefined): string {
  const content = message?.content ?? ''
  if (typeof content === 'string') return content
  return content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')
}
