/** Reads the messages of conversations. */
import type { ConversationMessage } from '../../../shared/chat/conversations.ts'
import { call } from './client.ts'

/** The stored messages of all branches, oldest first. @throws CallError */
export async function messagesOf(id: string): Promise<ConversationMessage[]> {
  return (await threadOf(id, null)).messages
}

/** All messages, or of a long conversation those of its last turns. @throws CallError */
export async function threadOf(id: string, mostTurns: number | null) {
  const { pieces, isWhole } = await call('conversations:messages', { id, mostTurns })
  const messages: ConversationMessage[] = []
  for (const piece of pieces) {
    if (messages.length > 0) await nextTask()
    // Checked boundary: the main process writes what it reads from the store.
    messages.push(...(JSON.parse(piece) as ConversationMessage[]))
  }
  return { messages, isWhole }
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve)
  })
}
