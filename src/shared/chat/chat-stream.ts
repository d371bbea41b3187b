import type { Conversation, ConversationMessage } from './conversations.ts'
import type { ToolStep } from './tools.ts'

/** What an answer grew by. */
export interface AnswerDelta {
  text: string
  /** What the model thought before or between the text. */
  reasoning: string
  /** All calls of tools so far, when one was added or went on. */
  steps?: readonly ToolStep[]
}

/**
 * Messages of a port that streams an answer. Closing the port only detaches from the stream; `stop` aborts it.
 */
export type ChatStreamEvent =
  | ({ kind: 'delta' } & AnswerDelta)
  | { kind: 'end'; answer: ConversationMessage; conversation: Conversation }
/** A message from the window to a stream of either kind. */
export interface StreamCommand {
  kind: 'stop'
}
