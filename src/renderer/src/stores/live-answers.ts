import { create } from 'zustand'
import type { ConversationMessage } from '../../../shared/chat/conversations.ts'
import { addReasoning } from './reasonings.ts'
import type { ToolStep } from '../../../shared/chat/tools.ts'
import type { StreamCommand, ChatStreamEvent } from '../../../shared/chat/chat-stream.ts'

/** The text of each streaming answer, by message id. */
export const useLiveAnswers = create<Record<string, string>>(() => ({}))

/** The ids of those messages that stream; several when models or routers are compared. */
export function arrivingIn(
  messages: readonly ConversationMessage[] | null | undefined,
  live = useLiveAnswers.getState(),
): string[] {
  // From the end, where they are: a conversation may have 10,000 messages, and this is asked at each delta.
  return Object.keys(live).filter((id) => messages?.findLast((message) => message.id === id))
}

/** Calls of tools of each streaming answer, by message id. */
export const useLiveSteps = create<Record<string, readonly ToolStep[]>>(() => ({}))

export interface AnswerStream {
  /** Stops the answer and keeps the partial text. */
  stop(): void
}

/**
 * Follows one answer until its end. The main process sends at most one delta per frame.
 * @param message  its text is what the answer begins with: empty unless it continues another one
 * @param onEnd  called with the final answer, or null when the stream was interrupted
 */
export function followAnswer(
  message: Pick<ConversationMessage, 'id' | 'text'>,
  port: MessagePort,
  onEnd: (end: Extract<ChatStreamEvent, { kind: 'end' }> | null) => void,
): AnswerStream {
  const { id: messageId, text: beginning } = message

  function append(text: string): void {
    useLiveAnswers.setState((live) => ({ [messageId]: (live[messageId] ?? '') + text }))
  }

  function finish(end: Extract<ChatStreamEvent, { kind: 'end' }> | null): void {
    port.removeEventListener('close', breakOff)
    port.close()
    onEnd(end)
    useLiveAnswers.setState(({ [messageId]: _ended, ...others }) => others, true)
    useLiveSteps.setState(({ [messageId]: _ended, ...others }) => others, true)
  }

  function breakOff(): void {
    finish(null)
  }

  useLiveAnswers.setState({ [messageId]: beginning })
  port.addEventListener('message', ({ data }: MessageEvent<ChatStreamEvent>) => {
    if (data.kind === 'end') return finish(data)
    if (data.reasoning !== '') addReasoning(messageId, data.reasoning)
    if (data.steps) useLiveSteps.setState({ [messageId]: data.steps })
    append(data.text)
  })
  port.addEventListener('close', breakOff)
  port.start()
  const stop: StreamCommand = { kind: 'stop' }
  return { stop: () => port.postMessage(stop) }
}
