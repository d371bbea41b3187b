/** The message that a search opened, until the thread has scrolled to it. */
import { create } from 'zustand'
import { ancestorsOf, keptAnswer, siblingsOf } from '../../../shared/chat/conversation-turns.ts'
import type { ConversationMessage } from '../../../shared/chat/conversations.ts'
import { inPlaceOfSiblings } from './answers.ts'
import { changeThread, openConversation, showThreadError, useChat } from './chat.ts'
import { call, toCallError } from './client.ts'

export const useFoundMessage = create<{ id: string | null }>(() => ({ id: null }))

/** Opens a conversation at one of its messages, and shows the branch that it is on. Never rejects. */
export async function openAtMessage(conversation: string, messageId: string): Promise<void> {
  await openConversation(conversation)
  const messages = useChat.getState().threads[conversation]?.messages ?? []
  const found = messages.find(({ id }) => id === messageId)
  if (!found) return
  try {
    for (const message of [...ancestorsOf(messages, found), found]) {
      if (isShown(message, messages)) continue
      await call('chat:show', { conversationId: conversation, messageId: message.id })
      changeThread(conversation, (thread) => ({
        messages: inPlaceOfSiblings(thread.messages ?? [], message),
        error: null,
      }))
    }
    useFoundMessage.setState({ id: messageId })
  } catch (error) {
    showThreadError(conversation, toCallError(error))
  }
}

/** Whether the thread shows this message in the place that it shares with others. */
function isShown(message: ConversationMessage, messages: readonly ConversationMessage[]): boolean {
  const siblings = siblingsOf(messages, message)
  const shown =
    message.role === 'assistant'
      ? keptAnswer(siblings)
      : siblings.findLast(({ isSetAside }) => !isSetAside)
  return (shown ?? siblings.at(-1)) === message
}
