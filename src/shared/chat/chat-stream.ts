import type { Conversation, ConversationMessage } from '../entities.ts'

/**
 * Messages of a port that streams an answer. Closing the port only detaches from the stream; `stop` aborts it.
 */
export type ChatStreamEvent =
  | { kind: 'delta'; text: string }
  | { kind: 'end'; answer: ConversationMessage; conversation: Conversation }
/** A message from the window to a stream of either kind. */
export interface StreamCommand {
  kind: 'stop'
}
