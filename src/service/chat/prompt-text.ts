import type { ChatMessage, ChatRequest } from '../../shared/chat.ts'
import type { PromptText } from '../routing/prompt/prompt-features.ts'

/** What was asked last, and under which instructions: what a prompt is judged by. */
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
