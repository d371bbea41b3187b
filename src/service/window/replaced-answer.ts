/** What is shown after a new answer ended with nothing to go on with. */
import { keptAnswer, siblingsOf } from '../../shared/chat/conversation-turns.ts'
import type { Conversation, ConversationMessage } from '../../shared/chat/conversations.ts'
import type { ConversationStore } from '../storage/conversation-store.ts'

interface Asked {
  conversation: Pick<Conversation, 'id'>
  /** The kept answer before; null for none. */
  replaced: ConversationMessage | null
}

/**
 * Shows the replaced answer again if the new one failed, or was stopped before its first word: the next question
 * follows it, and of several older answers nothing else tells which one was kept. A person who stepped to an older
 * answer meanwhile stays there.
 * @returns the new answer, as it is set aside then
 */
export async function besideReplaced(
  { conversation, replaced }: Asked,
  answer: ConversationMessage,
  { store, onBug }: { store: ConversationStore; onBug: (error: unknown) => void },
): Promise<ConversationMessage> {
  if (replaced === null || keptAnswer([answer])) return answer
  try {
    const older = siblingsOf(await store.messages(conversation.id), answer).filter(
      ({ id }) => id !== answer.id,
    )
    const isElsewhere = older.some(({ isSetAside }) => !isSetAside)
    if (isElsewhere || !older.some(({ id }) => id === replaced.id)) return answer
    await store.setAside([answer.id], true)
    await store.setAside([replaced.id], false)
    return { ...answer, isSetAside: true }
  } catch (error) {
    onBug(error)
    return answer
  }
}
