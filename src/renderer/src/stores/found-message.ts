/** The message that a search opened, until the thread has scrolled to it. */
import { create } from 'zustand'
import { ancestorsOf, endOf, type Turn } from '../../../shared/chat/conversation-turns.ts'
import { inPlaceOfSiblings, shownAnswers, threadTurns } from './answers.ts'
import { changeThread, messagesShown, openConversation, showThreadError } from './chat.ts'
import { call, toCallError } from './client.ts'

export const useFoundMessage = create<{ id: string | null }>(() => ({ id: null }))

/** Opens a conversation at one of its messages, and shows the branch that it is on. Never rejects. */
export async function openAtMessage(conversation: string, messageId: string): Promise<void> {
  await openConversation(conversation)
  const messages = messagesShown(conversation) ?? []
  const found = messages.find(({ id }) => id === messageId)
  if (!found) return
  let way = [...ancestorsOf(messages, found), found]
  try {
    for (;;) {
      const turns = threadTurns(messagesShown(conversation) ?? [])
      const path = new Set(turns.flatMap(pathIdsOf))
      // Of answers side by side, the path follows one. The others are shown too.
      const isShown = turns.some((turn) => shownAnswers(turn).some(({ id }) => id === messageId))
      const hidden = way.find(({ id }) =>
        id === messageId && found.role === 'assistant' ? !isShown : !path.has(id),
      )
      if (!hidden) break
      await call('chat:show', { conversationId: conversation, messageId: hidden.id })
      changeThread(conversation, (thread) => ({
        messages: inPlaceOfSiblings(thread.messages ?? [], hidden),
        error: null,
      }))
      // Once each: a failed answer stays hidden beside a usable one.
      way = way.slice(way.indexOf(hidden) + 1)
    }
    useFoundMessage.setState({ id: messageId })
  } catch (error) {
    showThreadError(conversation, toCallError(error))
  }
}

function pathIdsOf(turn: Turn): string[] {
  return [turn.question.id, endOf(turn).id]
}
