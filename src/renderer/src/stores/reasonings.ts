import { create } from 'zustand'
import type { ConversationMessage } from '../../../shared/chat/conversations.ts'

interface Reasoning {
  text: string
  /** Whether the person opened it. */
  isOpen: boolean
}

/** The reasoning of most answers that are remembered; older ones are dropped. */
const mostRemembered = 50

/** The reasoning that streamed before or between an answer's text, by message id. It is never stored. */
export const useReasonings = create<Record<string, Reasoning>>(() => ({}))

export function addReasoning(messageId: string, text: string): void {
  useReasonings.setState((known) => {
    const { [messageId]: before = { text: '', isOpen: false }, ...others } = known
    const latest = Object.entries(others).slice(1 - mostRemembered)
    const grown = { ...before, text: before.text + text }
    return { ...Object.fromEntries(latest), [messageId]: grown }
  }, true)
}

export function openReasoning(messageId: string, isOpen: boolean): void {
  const known = useReasonings.getState()[messageId]
  if (known) useReasonings.setState({ [messageId]: { ...known, isOpen } })
}

/** An answer as it is copied and exported: with its reasoning as a quotation if that is open. */
export function withOpenReasoning<Message extends Pick<ConversationMessage, 'id' | 'text'>>(
  message: Message,
): Message {
  const { text, isOpen } = useReasonings.getState()[message.id] ?? { text: '', isOpen: false }
  if (!isOpen) return message
  return { ...message, text: `${text.trim().replaceAll(/^/gm, '> ')}\n\n${message.text}` }
}
