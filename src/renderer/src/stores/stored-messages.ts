/** Reads the messages of conversations. */
import type { ConversationMessage, ThreadMessages } from '../../../shared/chat/conversations.ts'
import { call } from './client.ts'

/** The stored messages of all branches, oldest first. @throws CallError */
export async function messagesOf(id: string): Promise<ConversationMessage[]> {
  return (await threadOf(id, null)).messages
}

/** All messages, or of a long conversation those of its last turns. @throws CallError */
export async function threadOf(id: string, mostTurns: number | null): Promise<ThreadMessages> {
  // Checked boundary: the main process writes what it reads from the store.
  return JSON.parse(await call('conversations:messages', { id, mostTurns })) as ThreadMessages
}
