/** Parts of messages in the inner form, for the readers of other forms. */
import type { ChatMessage } from '../../shared/chat/chat.ts'

export type Part = Extract<ChatMessage['content'], unknown[]>[number]

export function textPart(text: string): Part {
  return { type: 'text', text }
}

/** The shortest form: one text without a mark needs no list, so that a text is the same in both of its forms. */
export function shortest(parts: Part[]): string | Part[] {
  const [only] = parts
  if (only === undefined) return ''
  const isPlain = parts.length === 1 && only.type === 'text' && only.cache_control === undefined
  return isPlain ? String(only['text']) : parts
}

/** The type if it looks like one: anything else may quote the prompt. */
export function shown(type: unknown): string {
  return typeof type === 'string' && /^[a-z_]{1,40}$/.test(type) ? type : 'that was sent'
}
