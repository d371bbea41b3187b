/** Changes of stored conversations: titles, folders, instructions, and their removal. */
import type { z } from 'zod'
import type { chatCalls } from '../../../shared/chat/chat-calls.ts'
import type { Conversation } from '../../../shared/chat/conversations.ts'
import { t } from '../../../shared/strings/strings.ts'
import { newConversation, openConversation, useChat, useConversations } from './chat.ts'
import { call } from './client.ts'
import { showUndo } from './toasts.ts'

/** @throws CallError when a value is invalid or the conversation does not exist */
export async function changeConversation(
  id: string,
  changes: z.input<(typeof chatCalls)['conversations:change']['input']>['changes'],
): Promise<void> {
  const changed = await call('conversations:change', { id, changes })
  useConversations.setState(({ items }) => ({
    items: (items ?? []).map((old) => (old.id === id ? changed : old)),
  }))
}

/** Removes a conversation, with a way back. @throws CallError when it cannot be removed */
export async function removeConversation({ id, title }: Conversation): Promise<void> {
  await call('conversations:remove', { id })
  useChat.setState(({ current }) => ({ current: current === id ? newConversation : current }))
  await useConversations.getState().load()
  showUndo(t('Deleted “{title}”', { title }), async () => {
    await call('conversations:restore', { id })
    await useConversations.getState().load()
    await openConversation(id)
  })
}
