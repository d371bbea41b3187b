/** What the schema of a chat cannot say about its messages. */
import type { ChatMessage, ChatRequest } from '../../../shared/chat/chat.ts'
import { missing } from '../checks/validation-error.ts'

/** @param body  accepted by the schema of chats. @throws ServiceError missing_required_parameter */
export function refuseUnfitMessages(body: object): void {
  // Checked by its schema.
  const { messages } = body as ChatRequest
  messages.forEach(refuseUnfitMessage)
}

/** @throws ServiceError missing_required_parameter */
function refuseUnfitMessage(message: ChatMessage, index: number): void {
  const path = `messages[${index}]`
  const { role, content, tool_calls: calls } = message
  if (content === undefined || (content === null && role !== 'assistant' && role !== 'function')) {
    const isCall = role === 'assistant' && (calls?.length || message['function_call'])
    if (!isCall && !(role === 'assistant' && message['audio'])) throw missing(`${path}.content`)
  }
  calls?.forEach((call, place) => {
    if (call[call.type] === undefined) throw missing(`${path}.tool_calls[${place}].${call.type}`)
  })
}
