import type { Conversation } from '../../../../shared/chat/conversations.ts'
import { downloadFile } from '../../components/download-file.ts'
import { useChat, useConversations } from '../../stores/chat.ts'
import { messagesOf } from '../../stores/stored-messages.ts'
import { toCallError } from '../../stores/client.ts'
import { withOpenReasoning } from '../../stores/reasonings.ts'
import { showToast } from '../../stores/toasts.ts'
import { exportConversation, type ExportFormat } from './export-conversation.ts'

/** Saves a conversation as a file. @throws CallError when it cannot be read */
export async function saveConversation(
  conversation: Conversation,
  format: ExportFormat,
): Promise<void> {
  const messages = await messagesOf(conversation.id)
  downloadFile(exportConversation(conversation, messages.map(withOpenReasoning), format))
}

/** Saves the open conversation as Markdown. Never rejects: a notice says why it failed. */
export async function saveOpened(): Promise<void> {
  const { current } = useChat.getState()
  const conversation = useConversations.getState().items?.find(({ id }) => id === current)
  try {
    if (conversation) await saveConversation(conversation, 'markdown')
  } catch (error) {
    showToast({ text: toCallError(error).message })
  }
}
