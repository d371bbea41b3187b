import type { Conversation } from '../../../../shared/chat/conversations.ts'
import { downloadFile } from '../../components/download-file.ts'
import { call } from '../../stores/client.ts'
import { withOpenReasoning } from '../../stores/reasonings.ts'
import { exportConversation, type ExportFormat } from './export-conversation.ts'

/** Saves a conversation as a file. @throws CallError when it cannot be read */
export async function saveConversation(
  conversation: Conversation,
  format: ExportFormat,
): Promise<void> {
  const messages = await call('conversations:messages', { id: conversation.id })
  downloadFile(exportConversation(conversation, messages.map(withOpenReasoning), format))
}
